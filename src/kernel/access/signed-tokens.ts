/** Signs and verifies the platform's JWTs, as RFC 8725 recommends. A2. */
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import type { SignIn } from '../context.ts'
import type { Config } from '../env.ts'
import { methods } from '../lib/sign-in-methods.ts'
import { algorithm, keyRing } from './signing-keys.ts'

/** The tolerated difference between clocks. */
export const skewSeconds = 30

/**
 * The format: three base64url parts, of which the last is an ES256 signature. The last character of 64 bytes
 * encodes only two bits, so only four characters are possible there. Without this check, one token could be
 * written in several ways.
 */
const format = /^[\w-]{1,1024}\.[\w-]{1,2048}\.[\w-]{85}[AQgw]$/

/** The `typ` in the header of each kind of token, so that one kind is not accepted as another. */
const types = { access: 'at+jwt', refresh: 'rt+jwt', session: 'session+jwt', device: 'device+jwt' } as const
export type TokenKind = keyof typeof types

export interface Claims extends SignIn {
  /** The id of the token. */
  id: string
  /**
   * The id of the sign-in: the id of the first refresh token of the family, or of the session. Older sessions
   * have none.
   */
  family: string | undefined
  /** When the person signed in. Refreshed tokens keep this time. The claim `auth_time`. */
  signedInAt: Date
  issuedAt: Date
  expiresAt: Date
}

/** Returns what every token of a sign-in carries, from the claims of one of them or from a caller. */
export const signInOf = ({ userId, generation, organizationId, host, methods: amr }: SignIn): SignIn => ({
  userId,
  generation,
  organizationId,
  host,
  methods: amr,
})

/** The same in encrypted texts of the service. */
export const signInClaims = z.object({
  userId: z.number(),
  generation: z.number(),
  organizationId: z.number().optional(),
  host: z.string().optional(),
  methods: z.array(z.enum(methods)).optional(),
})

/** Signs a token with the current key. */
export async function signToken(config: Config, kind: TokenKind, claims: Claims): Promise<string> {
  const { userId, generation, organizationId, host, methods: amr } = claims
  const { id, family, signedInAt, issuedAt, expiresAt } = claims
  const { current } = await keyRing(config)
  return new SignJWT({
    gen: generation,
    auth_time: inSeconds(signedInAt),
    ...(amr === undefined ? {} : { amr }),
    ...(organizationId === undefined ? {} : { org: organizationId }),
    ...(host === undefined ? {} : { host }),
    ...(family === undefined ? {} : { family }),
  })
    .setProtectedHeader({ alg: algorithm, typ: types[kind], kid: current.kid })
    .setIssuer(config.TOKEN_ISSUER)
    .setAudience(config.TOKEN_ISSUER)
    .setSubject(String(userId))
    .setJti(id)
    .setIssuedAt(inSeconds(issuedAt))
    .setExpirationTime(inSeconds(expiresAt))
    .sign(current.key)
}

const inSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)

interface Payload {
  sub: string
  jti: string
  iat: number
  exp: number
  gen: number
  /** Tokens of earlier versions do not have it. Their sign-in counts as old. */
  auth_time?: number
  amr?: readonly string[]
  org?: number
  host?: string
  family?: string
}

/**
 * Returns the claims of a token. Undefined if it is not signed by this service, not valid now, or of another
 * kind.
 */
export async function verifyToken(
  config: Config,
  kind: TokenKind,
  token: string,
): Promise<Claims | undefined> {
  if (!format.test(token)) return undefined
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
    const { sub, jti, iat, exp, gen, auth_time = 0, amr, org, host, family } = payload as unknown as Payload
    const userId = Number(sub)
    if (![userId, gen, iat, exp, auth_time, org ?? 0].every(Number.isSafeInteger)) return undefined
    if (iat > Date.now() / 1000 + skewSeconds) return undefined
    return {
      userId,
      generation: gen,
      organizationId: org,
      host,
      id: jti,
      family,
      signedInAt: new Date(auth_time * 1000),
      methods: amr && methods.filter((method) => amr.includes(method)),
      issuedAt: new Date(iat * 1000),
      expiresAt: new Date(exp * 1000),
    }
  } catch {
    return undefined
  }
}
