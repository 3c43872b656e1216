/** Tells whether a request was sent by a page of the same host. A3. */
import type { Context } from 'hono'

/** Compares the Origin header. Without that header, relies on Sec-Fetch-Site. */
export function isSameOrigin(c: Context): boolean {
  const origin = c.req.header('origin')
  return origin === undefined
    ? c.req.header('sec-fetch-site') === 'same-origin'
    : origin === new URL(c.req.url).origin
}
