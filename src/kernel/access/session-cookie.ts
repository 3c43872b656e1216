/** The cookie of a session. A3. */
import type { Config } from '../env.ts'

/** The name of the cookie. Spec: Authentication 3. */
export const sessionCookie = 'sessionid'

/** Returns the attributes of the cookie. `url` is the request's: the cookie is `Secure` only over https. */
export const cookieOptions = (config: Config, url: string) => ({
  httpOnly: true,
  sameSite: 'Lax' as const,
  path: '/',
  secure: url.startsWith('https:'),
  maxAge: config.SESSION_SECONDS,
})
