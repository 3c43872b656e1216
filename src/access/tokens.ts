/** Access and refresh tokens: JWTs signed with ES256. A1, A2; the checks are those of RFC 8725. */
import { decodeProtectedHeader, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import type { Caller } from '../context.ts'
import type { Config } from '../env.ts'
import { LruCache } from '../lib/lru-cache.ts'

const algorithm = 'ES256'
const skewSeconds = 30

/** Three base64url parts, the last as long as an ES256 signature, and no more text than a token of ours has. */
const shape = /^[\w-]{1,1024}\.[\w-]{1,2048}\.[\w-]{86}$/

/** The `typ` of a token's header says what it is for, so that one kind cannot stand in for another. */
const types = { access: 'at+jwt', refresh: 'rt+jwt' } as const
type TokenType = keyof typeof types

interface KeyRing {
  /** New tokens are signed with the first key of SIGNING_KEYS; all of them verify. */
  current: { kid: string; key: CryptoKey }
  verifying: Map<string, CryptoKey>
  /** Tokens that this isolate has verified, so that a client pays for the signature once: a token never changes its meaning. */
  verified: LruCache<string, { caller: Caller; expires: number }>
}

const rings = new Map<string, Promise<KeyRing>>()

function keyRing({ SIGNING_KEYS, TOKEN_ISSUER }: Config): Promise<KeyRing> {
  const name = `${TOKEN_ISSUER} ${SIGNING_KEYS}`
  let ring = rings.get(name)
  if (!ring) {
    ring = importRing(SIGNING_KEYS)
    rings.set(name, ring)
  }
  return ring
}

async function importRing(signingKeys: string): Promise<KeyRing> {
  const { keys } = JSON.parse(signingKeys) as { keys: JWK[] }
  const verifying = new Map<string, CryptoKey>()
  for (const { kty, crv, x, y, kid } of keys) {
    if (!kid) throw new Error('a key of SIGNING_KEYS has no kid')
    verifying.set(kid, (await importJWK({ kty, crv, x, y } as JWK, algorithm)) as CryptoKey)
  }
  const first = keys[0]
  if (!first?.kid) throw new Error('SIGNING_KEYS has no key')
  return { current: { kid: first.kid, key: (await importJWK(first, algorithm)) as CryptoKey }, verifying, verified: new LruCache(5000) }
}

async function sign(
  config: Config,
  type: TokenType,
  userId: number,
  seconds: number,
  now: number,
  claims: Record<string, string> = {},
): Promise<string> {
  const { current } = await keyRing(config)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: types[type], kid: current.kid })
    .setIssuer(config.TOKEN_ISSUER)
    .setAudience(config.TOKEN_ISSUER)
    .setSubject(String(userId))
    .setJti(crypto.randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(Math.floor(now) + seconds)
    .sign(current.key)
}

export interface TokenPair {
  access: string
  refresh: string
  token_type: 'Bearer'
  /** Seconds until the access token expires. */
  expires_in: number
}

/** A new pair for somebody who has just shown who they are; its refresh token begins a family of its own. */
export async function issueTokens(config: Config, userId: number): Promise<TokenPair> {
  // To the millisecond: revocation compares this moment with `tokens_valid_after`.
  const now = Date.now() / 1000
  const [access, refresh] = await Promise.all([
    sign(config, 'access', userId, config.ACCESS_TOKEN_SECONDS, now),
    sign(config, 'refresh', userId, config.REFRESH_TOKEN_SECONDS, now, { family: crypto.randomUUID() }),
  ])
  return { access, refresh, token_type: 'Bearer', expires_in: config.ACCESS_TOKEN_SECONDS }
}

/** Whom an access token names; undefined when it is not one of ours, expired, or made for something else. */
export async function verifyAccessToken(config: Config, token: string): Promise<Caller | undefined> {
  const { verified, verifying } = await keyRing(config)
  const known = verified.get(token)
  if (known) return known.expires + skewSeconds > Date.now() / 1000 ? known.caller : undefined
  if (!shape.test(token)) return undefined
  try {
    const key = verifying.get(decodeProtectedHeader(token).kid ?? '')
    if (!key) return undefined
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      typ: types.access,
      issuer: config.TOKEN_ISSUER,
      audience: config.TOKEN_ISSUER,
      clockTolerance: skewSeconds,
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
    })
    const userId = Number(payload.sub)
    const issuedAt = payload.iat as number
    if (!Number.isSafeInteger(userId) || issuedAt > Date.now() / 1000 + skewSeconds) return undefined
    const caller = { userId, issuedAt: new Date(issuedAt * 1000) }
    verified.set(token, { caller, expires: payload.exp as number })
    return caller
  } catch {
    return undefined
  }
}
