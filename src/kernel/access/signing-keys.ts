/** The ES256 keys that sign and verify tokens. Several can be valid at once, for rotation. A2. */
import { importJWK, type JWK } from 'jose'
import type { Config } from '../env.ts'
import { type SigningKey, signingKeySet } from '../lib/key-rings.ts'

export const algorithm = 'ES256'

interface KeyRing {
  /** The key that signs new tokens: the first one of SIGNING_KEYS. */
  current: { kid: string; key: CryptoKey }
  /** All keys by their kid. */
  verifying: ReadonlyMap<string, CryptoKey>
  /** The public keys. */
  published: readonly JWK[]
}

const rings = new Map<string, Promise<KeyRing>>()

/** Imports the keys of SIGNING_KEYS, once for each isolate and value. */
export function keyRing({ SIGNING_KEYS }: Config): Promise<KeyRing> {
  const ring = rings.get(SIGNING_KEYS) ?? importRing(SIGNING_KEYS)
  rings.set(SIGNING_KEYS, ring)
  return ring
}

async function importRing(signingKeys: string): Promise<KeyRing> {
  const { keys } = signingKeySet.parse(signingKeys)
  const published = keys.map(
    ({ kty, crv, x, y, kid }): JWK => ({ kty, crv, x, y, kid, alg: algorithm, use: 'sig' }),
  )
  const verifying = new Map<string, CryptoKey>()
  for (const key of published)
    verifying.set(key.kid as string, (await importJWK(key, algorithm)) as CryptoKey)
  // The schema requires at least one key.
  const first = keys[0] as SigningKey
  return {
    current: { kid: first.kid, key: (await importJWK(first as JWK, algorithm)) as CryptoKey },
    verifying,
    published,
  }
}
