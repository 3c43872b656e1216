/** Issues access, refresh and session tokens, and verifies access tokens. A1–A3. */
import type { Caller, SignIn } from '../context.ts'
import type { Config } from '../env.ts'
import { IsolateCache } from '../lib/isolate-cache.ts'
import type { TokenPair } from './jwt/schema.ts'
import { type Claims, signInOf, signToken, skewSeconds, verifyToken } from './signed-tokens.ts'

/** The claims that identify an account. */
export type Identity = SignIn & {
  /** When the account was read for the sign-in, by the database's clock. Undefined: unknown. */
  readAt?: string
}

/** An account that has signed in, at `signedInAt`. */
type SignedIn = Identity & Pick<Claims, 'signedInAt'>

/** The claims of a token pair, before it is signed. */
export interface NewTokens {
  access: Claims
  refresh: Claims
}

/** Creates the claims of a pair. Without a family, the refresh token starts a new one. */
export function newTokens(config: Config, { signedInAt, ...account }: SignedIn, family?: string): NewTokens {
  const identity = { ...signInOf(account), signedInAt }
  const issuedAt = new Date()
  const after = (seconds: number) => new Date(issuedAt.getTime() + seconds * 1000)
  const id = crypto.randomUUID()
  return {
    access: {
      ...identity,
      id: crypto.randomUUID(),
      family: family ?? id,
      issuedAt,
      expiresAt: after(config.ACCESS_TOKEN_SECONDS),
    },
    refresh: {
      ...identity,
      id,
      family: family ?? id,
      issuedAt,
      expiresAt: after(config.REFRESH_TOKEN_SECONDS),
    },
  }
}

export async function signTokens(config: Config, tokens: NewTokens): Promise<TokenPair> {
  const [access, refresh] = await Promise.all([
    signToken(config, 'access', tokens.access),
    signToken(config, 'refresh', tokens.refresh),
  ])
  return { access, refresh, token_type: 'Bearer', expires_in: config.ACCESS_TOKEN_SECONDS }
}

/** Issues the first pair of a sign-in. */
export const issueTokens = (config: Config, identity: Identity): Promise<TokenPair> =>
  signTokens(config, newTokens(config, { ...identity, signedInAt: new Date() }))

/** Creates the claims of a new session. `provenAt`: when the person signed in, if not now. A3. */
export function newSession(config: Config, identity: Identity, provenAt?: Date): Claims {
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + config.SESSION_SECONDS * 1000)
  return {
    ...signInOf(identity),
    id: crypto.randomUUID(),
    family: undefined,
    signedInAt: provenAt ?? issuedAt,
    issuedAt,
    expiresAt,
  }
}

/** Signs the token of a session: the value of its cookie. */
export const signSession = (config: Config, session: Claims): Promise<string> =>
  signToken(config, 'session', session)

/** Issues the token of a new session. */
export const issueSession = (config: Config, identity: Identity): Promise<string> =>
  signSession(config, newSession(config, identity))

/** The seconds for which the access token of a session is valid: a page gets the next one in time. */
export const sessionTokenSeconds = 300

/** Issues an access token that ends with the caller's session. */
export function issueSessionToken(config: Config, { session, ...identity }: Caller): Promise<string> {
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + sessionTokenSeconds * 1000)
  return signToken(config, 'access', {
    ...identity,
    id: crypto.randomUUID(),
    family: session,
    issuedAt,
    expiresAt,
  })
}

/** Claims that were verified, and the configuration that they were verified with. */
interface Verified extends Pick<Config, 'TOKEN_ISSUER' | 'SIGNING_KEYS'> {
  claims: Claims
}

/** By token. A token never changes. */
const verified = new IsolateCache<Verified>('tokens', {
  bytesOf: ({ claims }) => 4 * JSON.stringify(claims).length,
})

/**
 * Returns the caller of an access token, or undefined for an invalid one. Postgres checks whether the account
 * is active.
 */
export async function verifyAccessToken(config: Config, token: string): Promise<Caller | undefined> {
  const { TOKEN_ISSUER, SIGNING_KEYS } = config
  const known = verified.get(token)
  const isOfConfig = known?.TOKEN_ISSUER === TOKEN_ISSUER && known.SIGNING_KEYS === SIGNING_KEYS
  const cached = isOfConfig ? known.claims : undefined
  if (cached && cached.expiresAt.getTime() + skewSeconds * 1000 <= Date.now()) return undefined
  const claims = cached ?? (await verifyToken(config, 'access', token))
  if (!claims) return undefined
  if (!cached) verified.set(token, { TOKEN_ISSUER, SIGNING_KEYS, claims })
  return { ...signInOf(claims), session: claims.family, signedInAt: claims.signedInAt }
}
