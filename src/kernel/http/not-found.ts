/** Answers requests that match no route: a static file, 405 if the path has other methods, or 404. W1. */
import type { Context } from 'hono'
import { methodNotAllowed, notFound } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import type { ListedRoute } from './mount.ts'
import { describePath, type PathIndex, pathIndex } from './path-index.ts'

/** Creates the handler from all routes of the application. */
export function notFoundHandler(routes: readonly ListedRoute[]) {
  let index: PathIndex | undefined
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { path } = c.req
    index ??= pathIndex(routes)
    const matching = index.routesAt(path)
    if (matching.length === 0) {
      const file = await staticFile(c)
      if (file) return file
      throw notFound(path.startsWith('/api') ? describePath(index, path) : undefined)
    }
    const methods = matching.map(({ method }) => method)
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    throw methodNotAllowed(c.req.method, [...new Set(allowed)].sort(), await describeMethods(matching))
  }
}

/** Lists the methods of a path, each with its summary. */
async function describeMethods(listed: readonly ListedRoute[]): Promise<string> {
  const routes = await Promise.all(listed.map(({ load }) => load()))
  const items = routes.map(({ method, parts }) => asListItem(method, parts?.[0]?.summary))
  return `This path takes ${items.join(', ')}.`
}

const asListItem = (method: string, summary: string | undefined): string =>
  summary === undefined ? method : `${method} (${summary})`

/** Returns a file of src/operation/assets. Paths of the API are never files. */
async function staticFile(c: Context<AppEnv>): Promise<Response | undefined> {
  if ((c.req.method !== 'GET' && c.req.method !== 'HEAD') || c.req.path.startsWith('/api/')) return undefined
  const file = await c.env.ASSETS.fetch(c.req.raw)
  return file.status === 404 ? undefined : new Response(file.body, file)
}
