/** The storage for a client's tokens. */

/** The tokens of a sign-in. */
export interface Tokens {
  access: string
  refresh: string
  /** When the access token expires, in ms since 1970. */
  expiresAt: number
}

/** A store for tokens. Pass your own store to the client to keep them elsewhere. */
export interface TokenStore {
  read(): Tokens | null | Promise<Tokens | null>
  /** Null: the sign-in has ended. */
  write(tokens: Tokens | null): void | Promise<void>
  /**
   * A name, if several clients use the store at the same time, like the tabs of a browser. One of them renews
   * the tokens for all.
   */
  shared?: string
  /**
   * Runs work with an exclusive lock of the store. For platforms without their own locks, such as processes.
   */
  alone?<Value>(work: () => Promise<Value>): Promise<Value>
}

/** Stores tokens in memory. This is the default. */
export function memoryStore(): TokenStore {
  let kept: Tokens | null = null
  return {
    read: () => kept,
    write(tokens) {
      kept = tokens
    },
  }
}
