/**
 * Schemas that parse SIGNING_KEYS and MASTER_KEYS. Their messages have no details, because details could
 * quote keys.
 */
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import * as z from 'zod'

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' })
    return z.NEVER
  }
})

const coordinate = z.string().regex(/^[\w-]{43}$/)

/** A key on the curve P-256. Without `d` it can only verify. */
const signingKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
  d: coordinate.optional(),
  kid: z.string().min(1),
})
/** A JSON Web Key for ES256. */
export type SigningKey = z.infer<typeof signingKey>

/** Parses a JSON Web Key Set. The first key signs, all keys verify, and each `kid` is unique. */
export const signingKeySet = json
  .pipe(z.object({ keys: z.array(signingKey).min(1) }))
  .refine(({ keys }) => new Set(keys.map(({ kid }) => kid)).size === keys.length)
  .refine(({ keys: [first, ...others] }) => first !== undefined && canSign(first) && others.every(isOnCurve))

/** Tells whether the public part verifies signatures of the private part. */
function canSign({ d, ...key }: SigningKey): boolean {
  if (d === undefined) return false
  const probe = Buffer.from('probe')
  try {
    const signature = sign('sha256', probe, createPrivateKey({ key: { ...key, d }, format: 'jwk' }))
    return verify('sha256', probe, createPublicKey({ key, format: 'jwk' }), signature)
  } catch {
    return false
  }
}

function isOnCurve({ d, ...key }: SigningKey): boolean {
  try {
    return createPublicKey({ key, format: 'jwk' }).type === 'public'
  } catch {
    return false
  }
}

const masterKeyBytes = 32
const kid = z.string().regex(/^[\w-]{1,64}$/)

/** Parses the master keys: `{"current": "<kid>", "keys": {"<kid>": "<32 bytes, base64url>", …}}`. */
export const masterKeyRing = json
  .pipe(
    z.object({
      current: kid,
      keys: z.record(
        kid,
        z.string().refine((text) => Buffer.from(text, 'base64url').length === masterKeyBytes),
      ),
    }),
  )
  .refine(({ current, keys }) => Object.hasOwn(keys, current))
