/**
 * Requests that this Worker makes of itself, beside the one that a client makes: what the database said of
 * their caller is in their context, and in nothing that is sent.
 */
import type { RequestContext } from '../context.ts'

const watchers = new WeakMap<Request, (ctx: RequestContext) => void>()

/** Has the context of a request handed out when it is made. */
export const watchContext = (request: Request, watch: (ctx: RequestContext) => void): void =>
  void watchers.set(request, watch)

/** Hands out the context of a request, if somebody watches. */
export const showContext = (request: Request, ctx: RequestContext): void => watchers.get(request)?.(ctx)
