/** Sign-ins that a browser has begun, as its cookie lists them: their states, the newest last. S4. */

export const attemptsCookie = 'login_states'

/** Of so many a browser may have begun at once: tabs. */
const statesMax = 5
const separator = '.'

/** `url` is the request's: only over https can the cookie be kept to https. The seconds are those that a sign-in may take. */
export const attemptsCookieOptions = (url: string) => ({
  httpOnly: true,
  sameSite: 'Lax' as const,
  path: '/',
  secure: url.startsWith('https:'),
  maxAge: attemptSeconds,
})

export const attemptSeconds = 600

export const statesOf = (cookie: string | undefined): string[] => cookie?.split(separator).filter((state) => /^[\w-]{43}$/.test(state)) ?? []

export const withState = (cookie: string | undefined, state: string): string => [...statesOf(cookie), state].slice(-statesMax).join(separator)

export const withoutState = (cookie: string | undefined, state: string): string =>
  statesOf(cookie)
    .filter((other) => other !== state)
    .join(separator)
