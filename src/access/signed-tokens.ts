/** JWTs of ours: signed, and judged by the rules of RFC 8725. A2. */
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Config } from '../env.ts'
import { algorithm, keyRing } from './signing-keys.ts'

/** How far clocks may differ. */
export const skewSeconds = 30

/**
 * Three base64url parts, the last as long as an ES256 signature, and no more text than a token of ours has. The last letter
 * of 64 bytes has two bits of them, and no others: so a token has one spelling.
 */
const shape = /^[\w-]{1,1024}\.[\w-]{1,2048}\.[\w-]{85}[AQgw]$/

/** The `typ` of a token's header says what it is for, so that one kind cannot stand in for another. */
const types = { access: 'at+jwt', refresh: 'rt+jwt', session: 'session+jwt' } as const
export type TokenKind = keyof typeof types

export interface Claims {
  userId: number
  /** The account's generation, and the organization whose provider has named the person: as in Caller. */
  generation: number
  organizationId?: number | undefined
  /** The token's own id. */
  id: string
  /** Of a refresh token: the id of the first one of its family. */
  family: string | undefined
  issuedAt: Date
  expiresAt: Date
}

export async function signToken(
  config: Config,
  kind: TokenKind,
  { userId, generation, organizationId, id, family, issuedAt, expiresAt }: Claims,
): Promise<string> {
  const { current } = await keyRing(config)
  return new SignJWT({
    gen: generation,
    ...(organizationId === undefined ? {} : { org: organizationId }),
    ...(family === undefined ? {} : { family }),
  })
    .setProtectedHeader({ alg: algorithm, typ: types[kind], kid: current.kid })
    .setIssuer(config.TOKEN_ISSUER)
    .setAudience(config.TOKEN_ISSUER)
    .setSubject(String(userId))
    .setJti(id)
    .setIssuedAt(Math.floor(issuedAt.getTime() / 1000))
    .setExpirationTime(Math.floor(expiresAt.getTime() / 1000))
    .sign(current.key)
}

interface Payload {
  sub: string
  jti: string
  iat: number
  exp: number
  gen: number
  org?: number
  family?: string
}

/** What a token says; undefined when it is not one of ours, expired, not valid yet, or of another kind. */
export async function verifyToken(config: Config, kind: TokenKind, token: string): Promise<Claims | undefined> {
  if (!shape.test(token)) return undefined
  try {
    const { verifying } = await keyRing(config)
    const key = verifying.get(decodeProtectedHeader(token).kid ?? '')
    if (!key) return undefined
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      typ: types[kind],
      issuer: config.TOKEN_ISSUER,
      audience: config.TOKEN_ISSUER,
      clockTolerance: skewSeconds,
      requiredClaims: ['sub', 'jti', 'iat', 'exp', 'gen'],
    })
    const { sub, jti, iat, exp, gen, org, family } = payload as unknown as Payload
    const userId = Number(sub)
    if (![userId, gen, iat, exp, org ?? 0].every(Number.isSafeInteger) || iat > Date.now() / 1000 + skewSeconds) return undefined
    return { userId, generation: gen, organizationId: org, id: jti, family, issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) }
  } catch {
    return undefined
  }
}
