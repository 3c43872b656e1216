/**
 * Requests that this Worker sends to itself while it handles a client's request. The database's answers about
 * their caller are in their context, not in the requests.
 */
import type { RequestContext } from '../context.ts'

const watchers = new WeakMap<Request, (ctx: RequestContext) => void>()

/** Has the context of a request handed out when it is made. */
export const watchContext = (request: Request, watch: (ctx: RequestContext) => void): void =>
  void watchers.set(request, watch)

/** Passes on the context of a request, if somebody listens. */
export const showContext = (request: Request, ctx: RequestContext): void => watchers.get(request)?.(ctx)
