/**
 * Requests that this Worker sends to itself while it handles a client's request. What the database knows
 * about their caller is in their context, not in the requests.
 */
import type { RequestContext } from '../context.ts'

const watchers = new WeakMap<Request, (ctx: RequestContext) => void>()

/** Registers a function that gets the context of a request when the context is created. */
export const watchContext = (request: Request, watch: (ctx: RequestContext) => void): void =>
  void watchers.set(request, watch)

/** Passes the context of a request to the registered function, if there is one. */
export const showContext = (request: Request, ctx: RequestContext): void => watchers.get(request)?.(ctx)
