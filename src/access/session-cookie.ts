/** The cookie that holds a session. A3. */
import type { Config } from '../env.ts'

/** Spec: Authentication 3. */
export const sessionCookie = 'sessionid'

/** `url` is the request's: only over https can the cookie be kept to https. */
export const cookieOptions = (config: Config, url: string) => ({
  httpOnly: true,
  sameSite: 'Lax' as const,
  path: '/',
  secure: url.startsWith('https:'),
  maxAge: config.SESSION_SECONDS,
})
