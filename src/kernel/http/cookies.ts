/** Sets or deletes a cookie in one call. */
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'

/** Sets a cookie. An empty value deletes it. */
export function setOrDeleteCookie(
  c: Context,
  name: string,
  value: string,
  options: NonNullable<Parameters<typeof setCookie>[3]>,
): void {
  if (value === '') deleteCookie(c, name, options)
  else setCookie(c, name, value, options)
}
