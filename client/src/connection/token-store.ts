/** The storage for a client's tokens. */

/** The tokens of a sign-in. */
export interface Tokens {
  access: string
  refresh: string
  /** When the access token expires, in ms since 1970. */
  expiresAt: number
}

/** Keeps tokens. Give the client one of your own to keep them elsewhere. */
export interface TokenStore {
  read(): Tokens | null | Promise<Tokens | null>
  /** Null: the sign-in has ended. */
  write(tokens: Tokens | null): void | Promise<void>
  /** A name, if several clients at a time use the store, as the tabs of a browser do. One refreshes for all. */
  shared?: string
  /** Runs work while no other user of the store does, where the platform has no locks of its own: processes. */
  alone?<Value>(work: () => Promise<Value>): Promise<Value>
}

/** Keeps tokens in memory. This is the default. */
export function memoryStore(): TokenStore {
  let kept: Tokens | null = null
  return {
    read: () => kept,
    write(tokens) {
      kept = tokens
    },
  }
}
