/** The part of responses that stores the attempts of a browser in its cookie. S4. */
import type { Context } from 'hono'
import { setOrDeleteCookie } from '../../../kernel/http/cookies.ts'
import { attemptsCookie, attemptsCookieOptions } from './attempts-cookie.ts'

/** Sets the cookie of a browser's attempts. An empty value deletes it. */
export const setAttempts = (c: Context, states: string): void =>
  setOrDeleteCookie(c, attemptsCookie, states, attemptsCookieOptions(c.req.url))
