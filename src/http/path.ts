/** The path that routes are matched against: without the site's prefix, and without a trailing slash (T2, W1). */
import { splitSitePrefix } from './tenant.ts'

/** Pages for people: they send forms, and what fails there is told as a page. */
export const isPagePath = (path: string): boolean => /^\/(accounts|invitations)\//.test(path)

export function routedPath(request: Request): string {
  const { path } = splitSitePrefix(new URL(request.url).pathname)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
