/** The credentials of a client: how it sends requests, and how it renews tokens. */
import { errorOf, UnauthenticatedError } from './errors.ts'
import { memoryStore, type TokenStore, type Tokens } from './token-store.ts'

/**
 * The identity of a client: an API key; a token that the caller renews; a name and password, which are used
 * if there are no valid tokens; or the tokens of a store, after `accounts.signIn`.
 */
export type Auth =
  | { apiKey: string }
  | { token: string | (() => string | Promise<string>) }
  | { username: string; password: string; store?: TokenStore }
  | { store: TokenStore }

/** The credentials of a client. */
export interface Session {
  /** Returns the value of the header Authorization; undefined if not signed in. */
  authorization(): Promise<string | undefined>
  /**
   * After a 401: returns another value to try; undefined if there is none. Concurrent callers share a
   * refresh.
   */
  renew(refused: string | undefined): Promise<string | undefined>
  signIn(username: string, password: string): Promise<void>
  /** Stores tokens of another kind of sign-in, for example by a provider or an invitation. */
  keep(answer: TokenAnswer): Promise<void>
  signOut(): Promise<void>
}

/** The response of the service to a sign-in. */
export interface TokenAnswer {
  access: string
  refresh: string
  expires_in: number
}

/** Sends a JSON body to a path without credentials. */
export type Post = (path: string, body: unknown) => Promise<Response>

const tokenPath = '/api/auth/jwt/token/'
/** A token that expires within this time is renewed first, so that it does not expire during the request. */
const marginMs = 10_000

/** Creates the credentials. `post` sends requests with retries, like those of the client. */
export function makeSession(auth: Auth | undefined, post: Post): Session {
  if (auth && 'apiKey' in auth) return fixed(async () => `Api-Key ${auth.apiKey}`)
  if (auth && 'token' in auth) {
    const { token } = auth
    return fixed(async () => `Bearer ${typeof token === 'string' ? token : await token()}`)
  }
  return tokenSession(auth, post)
}

/** Credentials that this client cannot renew. A function may give another token after a 401. */
function fixed(authorization: () => Promise<string>): Session {
  const refuse = () => Promise.reject(new Error('This client has fixed credentials.'))
  return {
    authorization,
    async renew(refused) {
      const now = await authorization()
      return now === refused ? undefined : now
    },
    signIn: refuse,
    keep: refuse,
    signOut: refuse,
  }
}

function tokenSession(
  auth: { username?: string; password?: string; store?: TokenStore } = {},
  post: Post,
): Session {
  const { username, password, store = memoryStore() } = auth
  let renewal: Promise<Tokens | null> | undefined

  const header = (tokens: Tokens | null) => (tokens === null ? undefined : `Bearer ${tokens.access}`)

  async function ask(path: string, body: unknown): Promise<Tokens> {
    const response = await post(path, body)
    if (!response.ok) throw await errorOf('POST', path, response)
    const tokens = tokensOf((await response.json()) as TokenAnswer)
    await store.write(tokens)
    return tokens
  }
  const enter = (name: string, word: string) => ask(tokenPath, { username: name, password: word })

  async function anew(): Promise<Tokens | null> {
    return username !== undefined && password !== undefined ? enter(username, password) : null
  }

  /** Another tab may have renewed the tokens while this one waited for its turn. */
  async function next(stale: string | undefined): Promise<Tokens | null> {
    const tokens = await store.read()
    if (tokens === null) return anew()
    if (stale !== undefined && tokens.access !== stale && tokens.expiresAt > Date.now()) return tokens
    try {
      return await ask(`${tokenPath}refresh/`, { refresh: tokens.refresh })
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error
      await store.write(null)
      return anew()
    }
  }

  /**
   * Renews the tokens. All callers wait for one renewal, because a refresh token works once: a second use
   * would end the sign-in.
   */
  function renewed(stale: string | undefined): Promise<Tokens | null> {
    renewal ??= alone(store, () => next(stale)).finally(() => {
      renewal = undefined
    })
    return renewal
  }

  return {
    async authorization() {
      if (renewal) return header(await renewal)
      const tokens = await store.read()
      const isGood = tokens !== null && tokens.expiresAt - marginMs > Date.now()
      return header(isGood ? tokens : await renewed(tokens?.access))
    },
    async renew(refused) {
      const tokens = await store.read()
      if (refused !== undefined && header(tokens) !== refused && tokens !== null) return header(tokens)
      const now = header(await renewed(tokens?.access))
      return now === refused ? undefined : now
    },
    async signIn(name, word) {
      await enter(name, word)
    },
    async keep(answer) {
      await store.write(tokensOf(answer))
    },
    async signOut() {
      const tokens = await store.read()
      await store.write(null)
      if (tokens) await post(`${tokenPath}blacklist/`, { refresh: tokens.refresh })
    },
  }
}

const tokensOf = ({ access, refresh, expires_in }: TokenAnswer): Tokens => ({
  access,
  refresh,
  expiresAt: Date.now() + expires_in * 1000,
})

/** Runs work for one user of a store at a time, with the lock of the store, or of the platform. */
function alone<Value>(store: TokenStore, work: () => Promise<Value>): Promise<Value> {
  if (store.alone) return store.alone(work)
  const { shared: name } = store
  const { navigator } = globalThis as { navigator?: { locks?: Locks } }
  return name !== undefined && navigator?.locks ? navigator.locks.request(`tessera ${name}`, work) : work()
}

/** The Web Locks that this file uses. Not every platform has them. */
interface Locks {
  request<Value>(name: string, work: () => Promise<Value>): Promise<Value>
}
