/** The path that routes are matched against: without the site's prefix, and without a trailing slash (T2, W1). */
import { createMiddleware } from 'hono/factory'
import { invalidHost } from '../errors.ts'
import { splitSitePrefix } from './tenant.ts'

/** Whether a URL can be parsed and has no credentials: the runtime copies the Host header into it unchecked. */
function isReadable(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}

/** Returns 400 if the Host header is not a host. */
export const readableAddress = createMiddleware(async (c, next) => {
  if (!isReadable(c.req.url)) throw invalidHost()
  await next()
})

/** Pages for people: they send forms, and what fails there is told as a page. */
export const isPagePath = (path: string): boolean => /^\/(accounts|invitations)\//.test(path)

/** `/` if the URL of the request cannot be parsed: readableAddress refuses such a request. */
export function routedPath(request: Request): string {
  if (!isReadable(request.url)) return '/'
  const { path } = splitSitePrefix(new URL(request.url).pathname)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
