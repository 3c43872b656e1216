/** The keys that tokens are signed with. A2: ES256, several at once, so that they can be rotated. */
import { importJWK, type JWK } from 'jose'
import type { Config } from '../env.ts'
import { type SigningKey, signingKeySet } from '../lib/key-rings.ts'

export const algorithm = 'ES256'

interface KeyRing {
  /** New tokens are signed with the first key of SIGNING_KEYS; all of them verify. */
  current: { kid: string; key: CryptoKey }
  verifying: ReadonlyMap<string, CryptoKey>
  /** What others may know of them. */
  published: readonly JWK[]
}

const rings = new Map<string, Promise<KeyRing>>()

export function keyRing({ SIGNING_KEYS }: Config): Promise<KeyRing> {
  let ring = rings.get(SIGNING_KEYS)
  if (!ring) {
    ring = importRing(SIGNING_KEYS)
    rings.set(SIGNING_KEYS, ring)
  }
  return ring
}

async function importRing(signingKeys: string): Promise<KeyRing> {
  const { keys } = signingKeySet.parse(signingKeys)
  const published = keys.map(({ kty, crv, x, y, kid }): JWK => ({ kty, crv, x, y, kid, alg: algorithm, use: 'sig' }))
  const verifying = new Map<string, CryptoKey>()
  for (const key of published) verifying.set(key.kid as string, (await importJWK(key, algorithm)) as CryptoKey)
  // The schema requires at least one key.
  const first = keys[0] as SigningKey
  return { current: { kid: first.kid, key: (await importJWK(first as JWK, algorithm)) as CryptoKey }, verifying, published }
}
