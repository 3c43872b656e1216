/** Cookies whose value may run out. */
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'

/** An empty value is none: the browser forgets the cookie. */
export function keepCookie(c: Context, name: string, value: string, options: NonNullable<Parameters<typeof setCookie>[3]>): void {
  if (value === '') deleteCookie(c, name, options)
  else setCookie(c, name, value, options)
}
