/** Paths that no route has: static files; 405 where another method has them; else 404. W1. */
import type { Context, Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { methodNotAllowed, notFound } from '../errors.ts'
import type { AppEnv } from './app-env.ts'

/** To be made after the last route was added to `app`. */
export function notFoundHandler(app: Hono<AppEnv>) {
  const methodsByPath = new TrieRouter<string>()
  for (const { method, path } of app.routes) {
    if (method !== 'ALL') methodsByPath.add('ANY', path, method)
  }
  return async (c: Context<AppEnv>): Promise<Response> => {
    const [matches] = methodsByPath.match('ANY', c.req.path)
    const methods = [...new Set(matches.map(([method]) => method))]
    if (methods.length === 0) {
      const file = await staticFile(c)
      if (file) return file
      throw notFound()
    }
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    throw methodNotAllowed(c.req.method, [...new Set(allowed)].sort())
  }
}

/** A file of src/assets; the API has no files. */
async function staticFile(c: Context<AppEnv>): Promise<Response | undefined> {
  if ((c.req.method !== 'GET' && c.req.method !== 'HEAD') || c.req.path.startsWith('/api/')) return undefined
  const file = await c.env.ASSETS.fetch(c.req.raw)
  return file.status === 404 ? undefined : new Response(file.body, file)
}
