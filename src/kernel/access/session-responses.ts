/** The part of responses that sets and deletes the session of a browser. A3. */
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import type { AppEnv } from '../http/app-env.ts'
import { cookieOptions, sessionCookie } from './session-cookie.ts'

/** Sets the cookie of a session. */
export const setSession = (c: Context<AppEnv>, session: string): void =>
  setCookie(c, sessionCookie, session, cookieOptions(c.var.ctx.config, c.req.url))

/** Deletes the cookie of the session. */
export function deleteSession(c: Context<AppEnv>): void {
  deleteCookie(c, sessionCookie, cookieOptions(c.var.ctx.config, c.req.url))
}
