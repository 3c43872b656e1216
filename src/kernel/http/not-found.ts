/** Answers requests that match no route: a static file, 405 if the path has other methods, or 404. W1. */
import type { Context } from 'hono'
import { methodNotAllowed, notFound } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import { describePath, pathIndex } from './path-index.ts'
import type { Route } from './route.ts'

/** Creates the handler from all routes of the application. */
export function notFoundHandler(routes: readonly Route[]) {
  const index = pathIndex(routes)
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { path } = c.req
    const matching = index.routesAt(path)
    if (matching.length === 0) {
      const file = await staticFile(c)
      if (file) return file
      throw notFound(path.startsWith('/api') ? describePath(index, path) : undefined)
    }
    const methods = matching.map(({ method }) => method)
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    throw methodNotAllowed(c.req.method, [...new Set(allowed)].sort(), describeMethods(matching))
  }
}

/** Lists the methods of a path, each with its summary. */
const describeMethods = (routes: readonly Route[]): string =>
  `This path takes ${routes.map(({ method, parts }) => asListItem(method, parts?.[0]?.summary)).join(', ')}.`

const asListItem = (method: string, summary: string | undefined): string =>
  summary === undefined ? method : `${method} (${summary})`

/** Returns a file of src/operation/assets. Paths of the API are never files. */
async function staticFile(c: Context<AppEnv>): Promise<Response | undefined> {
  if ((c.req.method !== 'GET' && c.req.method !== 'HEAD') || c.req.path.startsWith('/api/')) return undefined
  const file = await c.env.ASSETS.fetch(c.req.raw)
  return file.status === 404 ? undefined : new Response(file.body, file)
}
