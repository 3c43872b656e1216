/**
 * The signed-in account: an access token from the session cookie, kept in memory for at most five minutes.
 */

/** A token that expires within this time is renewed first. */
const marginMs = 20_000

interface Token {
  value: string
  endsAt: number
}

let token: Token | undefined
let asked: Promise<string> | undefined
let isOut = false
const listeners = new Set<() => void>()

function setOut(next: boolean): void {
  if (isOut === next) return
  isOut = next
  for (const listener of listeners) listener()
}

/** Thrown if a request needs a signed-in account. */
export class SignedOutError extends Error {
  override name = 'SignedOutError'
}

async function ask(): Promise<string> {
  const answer = await fetch('/api/auth/session/token/', { method: 'POST' })
  if (answer.status === 401) {
    token = undefined
    setOut(true)
    throw new SignedOutError('You are not signed in.')
  }
  if (!answer.ok) throw new Error(`The session gave no token: the service answered ${answer.status}.`)
  const { access, expires_in } = (await answer.json()) as { access: string; expires_in: number }
  token = { value: access, endsAt: Date.now() + expires_in * 1000 }
  setOut(false)
  return access
}

/** Returns a token that is valid for at least some seconds. Concurrent callers wait for the same request. */
export async function tokenOfSession(): Promise<string> {
  if (token && token.endsAt - marginMs > Date.now()) return token.value
  asked ??= ask().finally(() => {
    asked = undefined
  })
  return asked
}

/** Removes a token that the service has rejected, so that the next request gets another one. */
export function forgetToken(): void {
  token = undefined
}

/** Ends the session of this browser, here and at the service. Throws if the service does not answer. */
export async function endSession(): Promise<void> {
  await fetch('/api/auth/session/', { method: 'DELETE' })
  token = undefined
  setOut(true)
}

/** Whether the person is known to be signed out, for React's `useSyncExternalStore`. */
export const signedOut = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  read: () => isOut,
}
