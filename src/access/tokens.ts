/** Access and refresh tokens. A1, A2. */
import type { Caller } from '../context.ts'
import type { Config } from '../env.ts'
import { LruCache } from '../lib/lru-cache.ts'
import type { TokenPair } from './jwt/schema.ts'
import { type Claims, signToken, skewSeconds, verifyToken } from './signed-tokens.ts'

/** Who has signed in. */
export type Identity = Pick<Claims, 'userId' | 'generation' | 'organizationId'>

/** What a pair is made of, before it is signed. */
export interface NewTokens {
  access: Claims
  refresh: Claims
}

/** Tokens of a family; without one, the first of a family of their own. */
export function newTokens(config: Config, { userId, generation, organizationId }: Identity, family?: string): NewTokens {
  const identity = { userId, generation, organizationId }
  const issuedAt = new Date()
  const after = (seconds: number) => new Date(issuedAt.getTime() + seconds * 1000)
  const id = crypto.randomUUID()
  return {
    access: { ...identity, id: crypto.randomUUID(), family: undefined, issuedAt, expiresAt: after(config.ACCESS_TOKEN_SECONDS) },
    refresh: { ...identity, id, family: family ?? id, issuedAt, expiresAt: after(config.REFRESH_TOKEN_SECONDS) },
  }
}

export async function signTokens(config: Config, tokens: NewTokens): Promise<TokenPair> {
  const [access, refresh] = await Promise.all([signToken(config, 'access', tokens.access), signToken(config, 'refresh', tokens.refresh)])
  return { access, refresh, token_type: 'Bearer', expires_in: config.ACCESS_TOKEN_SECONDS }
}

/** A new pair for somebody who has just shown who they are. */
export const issueTokens = (config: Config, identity: Identity): Promise<TokenPair> => signTokens(config, newTokens(config, identity))

/** The value of a session's cookie: a token of its own kind, which begins a family that ends with the session. A3. */
export function issueSession(config: Config, { userId, generation, organizationId }: Identity): Promise<string> {
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + config.SESSION_SECONDS * 1000)
  return signToken(config, 'session', { userId, generation, organizationId, id: crypto.randomUUID(), family: undefined, issuedAt, expiresAt })
}

/** Tokens that this isolate has verified, so that a client pays for the signature once: a token never changes its meaning. */
const verified = new Map<string, LruCache<string, Claims>>()

/** Whom an access token names. Whether they still may, Postgres says. */
export async function verifyAccessToken(config: Config, token: string): Promise<Caller | undefined> {
  const name = `${config.TOKEN_ISSUER} ${config.SIGNING_KEYS}`
  const cache = verified.get(name) ?? new LruCache<string, Claims>(5000)
  verified.set(name, cache)
  const known = cache.get(token)
  if (known && known.expiresAt.getTime() + skewSeconds * 1000 <= Date.now()) return undefined
  const claims = known ?? (await verifyToken(config, 'access', token))
  if (!claims) return undefined
  if (!known) cache.set(token, claims)
  return { userId: claims.userId, generation: claims.generation, organizationId: claims.organizationId }
}
