/**
 * Keys for purposes of the service that need no key of their own: each is derived from a private signing key.
 */
import { hkdfSync } from 'node:crypto'
import type { Config } from '../env.ts'
import { signingKeySet } from '../lib/key-rings.ts'

/** What a derived key is for. Keys of different purposes tell nothing of each other. */
type Purpose = 'entity tags' | 'cursors'

const keyBytes = 32
type Keys = readonly Uint8Array<ArrayBuffer>[]

/** By purpose, and by SIGNING_KEYS. */
const derived: Readonly<Record<Purpose, Map<string, Keys>>> = { 'entity tags': new Map(), cursors: new Map() }

/**
 * Returns a key for each private key of SIGNING_KEYS. The first one is for what is made now, the others are
 * for what was made before a rotation.
 */
export function derivedKeys({ SIGNING_KEYS }: Pick<Config, 'SIGNING_KEYS'>, purpose: Purpose): Keys {
  const known = derived[purpose]
  const keys = known.get(SIGNING_KEYS) ?? derive(SIGNING_KEYS, purpose)
  known.set(SIGNING_KEYS, keys)
  return keys
}

const derive = (signingKeys: string, purpose: Purpose): Keys =>
  signingKeySet.parse(signingKeys).keys.flatMap(({ d }) => {
    if (d === undefined) return []
    const secret = Buffer.from(d, 'base64url')
    return new Uint8Array(hkdfSync('sha256', secret, 'tessera', purpose, keyBytes))
  })
