/** Whether a browser sends a request for a page of this very host. A3. */
import type { Context } from 'hono'

export function isSameOrigin(c: Context): boolean {
  const origin = c.req.header('origin')
  return origin === undefined ? c.req.header('sec-fetch-site') === 'same-origin' : origin === new URL(c.req.url).origin
}
