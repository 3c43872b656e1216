/**
 * Returns the path with which routes are matched: without the prefix of the site and the trailing slash (T2,
 * W1).
 */
import { createMiddleware } from 'hono/factory'
import { detail } from '../errors.ts'
import { urlOf } from './request-url.ts'
import { splitSitePrefix } from './tenant-locator.ts'

/** Throws 400 if the Host header is not a host. */
export const requireValidHost = createMiddleware(async (c, next) => {
  if (!urlOf(c.req.raw)) throw invalidHost()
  await next()
})

/** Tells whether a path is an HTML page for browsers. Its errors are pages, too. */
export const isPagePath = (path: string): boolean =>
  /^\/(accounts|invitations|console|api\/docs)\//.test(path)

/** Returns the path. For an invalid URL, returns `/`: `requireValidHost` rejects the request. */
export function routedPath(request: Request): string {
  const url = urlOf(request)
  if (!url) return '/'
  const { path } = splitSitePrefix(url.pathname)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** The Host header is malformed. */
const invalidHost = () => detail(400, 'invalid_host', 'The host of the request is not a valid host name.')
