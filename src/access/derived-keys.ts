/**
 * Keys for purposes of the service that need no key of their own: each is derived from a private signing key.
 */
import { hkdfSync } from 'node:crypto'
import type { Config } from '../env.ts'
import { type Binding, decryptBytes, encryptBytes, importKey, utf8 } from '../lib/cipher.ts'
import { signingKeySet } from '../lib/key-rings.ts'
import { LruCache } from '../lib/lru-cache.ts'

/** What a derived key is for. Keys of different purposes tell nothing of each other. */
type Purpose = 'entity tags' | 'cursors' | 'runs' | 'command lines' | 'transfers'

const keyBytes = 32
type Keys = readonly Uint8Array<ArrayBuffer>[]

/** By purpose, and by SIGNING_KEYS. */
const derived: Readonly<Record<Purpose, Map<string, Keys>>> = {
  'entity tags': new Map(),
  cursors: new Map(),
  runs: new Map(),
  'command lines': new Map(),
  transfers: new Map(),
}

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

type SealConfig = Pick<Config, 'SIGNING_KEYS'>

const imported = new LruCache<string, Promise<CryptoKey>>(20)

/** Imports the keys of a purpose, that of what is made now first. */
const importedKeys = (config: SealConfig, purpose: Purpose): Promise<CryptoKey>[] =>
  derivedKeys(config, purpose).map((bytes) => {
    const name = Buffer.from(bytes).toString('base64url')
    const key = imported.get(name) ?? importKey(bytes)
    imported.set(name, key)
    return key
  })

/** Encrypts a text for somebody who is to send it back, and not to read it. */
export async function seal(
  config: SealConfig,
  purpose: Purpose,
  binding: Binding,
  text: string,
): Promise<string> {
  const [key] = importedKeys(config, purpose)
  if (!key) throw new Error('SIGNING_KEYS has no private key')
  return encryptBytes(await key, binding, utf8(text))
}

/** Decrypts what `seal` returned for the same purpose and binding. Returns undefined for any other text. */
export async function unseal(
  config: SealConfig,
  purpose: Purpose,
  binding: Binding,
  sealed: string,
): Promise<string | undefined> {
  for (const key of importedKeys(config, purpose)) {
    const bytes = await decryptBytes(await key, binding, sealed).catch(() => undefined)
    if (bytes) return new TextDecoder().decode(bytes)
  }
  return undefined
}
