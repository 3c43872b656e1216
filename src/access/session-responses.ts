/** The part of responses that gives the browser a session, and takes it. A3. */
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import type { AppEnv } from '../http/app-env.ts'
import { cookieOptions, sessionCookie } from './session-cookie.ts'

/** Gives the browser a session. */
export const setSession = (c: Context<AppEnv>, session: string): void =>
  setCookie(c, sessionCookie, session, cookieOptions(c.var.ctx.config, c.req.url))

/** Takes the session from the browser. */
export function deleteSession(c: Context<AppEnv>): void {
  deleteCookie(c, sessionCookie, cookieOptions(c.var.ctx.config, c.req.url))
}
