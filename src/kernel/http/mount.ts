/** Mounts routes by their list: the handlers of a route are loaded with the first request that it matches. */
import type { ErrorHandler, Hono, MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'
import { chain } from './chain.ts'
import { methodsOfPatterns } from './path-patterns.ts'
import type { Method, Route } from './route.ts'

/** A route that may not be loaded yet. */
export interface ListedRoute {
  readonly method: Method
  readonly path: string
  /** Whether it is a page, which the reference omits. */
  readonly isPage: boolean
  /** Loads the area of the route. */
  load(): Promise<Route>
}

/**
 * Adds routes to an application, which has the same `onError`. If several match a request, the first one is
 * used. A path without parameters never passes a request on to a pattern.
 */
export function mount(
  app: Hono<AppEnv>,
  routes: readonly ListedRoute[],
  onError: ErrorHandler<AppEnv>,
): void {
  for (const { method, path } of methodsOfPatterns(routes)) app.on(method, [path], (c) => c.notFound())
  for (const route of routes) app.on(route.method, [route.path], handlerOf(route, onError))
}

function handlerOf({ load }: ListedRoute, onError: ErrorHandler<AppEnv>): MiddlewareHandler<AppEnv> {
  let loaded: MiddlewareHandler<AppEnv> | undefined
  return async (c, next) => {
    loaded ??= chain((await load()).handlers, onError)
    return loaded(c, next)
  }
}
