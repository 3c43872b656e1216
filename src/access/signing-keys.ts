/** The keys that tokens are signed with. A2: ES256, several at once, so that they can be rotated. */
import { importJWK, type JWK } from 'jose'
import type { Config } from '../env.ts'

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
  const { keys } = JSON.parse(signingKeys) as { keys: JWK[] }
  const published = keys.map(({ kty, crv, x, y, kid }): JWK => {
    if (!kid) throw new Error('a key of SIGNING_KEYS has no kid')
    return { kty, crv, x, y, kid, alg: algorithm, use: 'sig' } as JWK
  })
  const verifying = new Map<string, CryptoKey>()
  for (const key of published) verifying.set(key.kid as string, (await importJWK(key, algorithm)) as CryptoKey)
  const first = keys[0]
  if (!first) throw new Error('SIGNING_KEYS has no key')
  return { current: { kid: first.kid as string, key: (await importJWK(first, algorithm)) as CryptoKey }, verifying, published }
}
