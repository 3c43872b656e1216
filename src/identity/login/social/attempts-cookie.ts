/** The cookie that lists the sign-ins a browser has started: their states, the newest last. S4. */

/** The name of the cookie. */
export const attemptsCookie = 'login_states'

/** The maximum number of sign-ins that a browser may have open at once, in several tabs. */
const statesMax = 5
const separator = '.'

/** The maximum duration of a sign-in in seconds. */
export const attemptSeconds = 600

/** Returns the attributes of the cookie. `url` is the request's: the cookie is `Secure` only over https. */
export const attemptsCookieOptions = (url: string) => ({
  httpOnly: true,
  sameSite: 'Lax' as const,
  path: '/',
  secure: url.startsWith('https:'),
  maxAge: attemptSeconds,
})

/** Reads the states in the cookie. Ignores malformed ones. */
export const statesOf = (cookie: string | undefined): string[] =>
  cookie?.split(separator).filter((state) => /^[\w-]{43}$/.test(state)) ?? []

/** Adds a state to the cookie's value, and drops the oldest one if there are too many. */
export const withState = (cookie: string | undefined, state: string): string =>
  [...statesOf(cookie), state].slice(-statesMax).join(separator)

/** Removes a state from the cookie's value. */
export const withoutState = (cookie: string | undefined, state: string): string =>
  statesOf(cookie)
    .filter((other) => other !== state)
    .join(separator)
