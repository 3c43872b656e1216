/**
 * Keys for internal purposes of the service. Each is derived from a private signing key, so that no further
 * key has to be configured.
 */
import { hkdfSync } from 'node:crypto'
import type { Config } from '../env.ts'
import { type Binding, decryptBytes, encryptBytes, importKey, utf8 } from '../lib/cipher.ts'
import { IsolateCache } from '../lib/isolate-cache.ts'
import { signingKeySet } from '../lib/key-rings.ts'

/** The purposes of derived keys. A key of one purpose reveals nothing about the others. */
type Purpose =
  | 'entity tags'
  | 'cursors'
  | 'runs'
  | 'command lines'
  | 'transfers'
  | 'letters'
  | 'catalogs'
  | 'addresses of catalogs'

const keyBytes = 32
/** What an imported key takes. */
const keyObjectBytes = 300
type Keys = readonly Uint8Array<ArrayBuffer>[]

/** Keys by purpose and SIGNING_KEYS. */
const derived: Readonly<Record<Purpose, Map<string, Keys>>> = {
  'entity tags': new Map(),
  cursors: new Map(),
  runs: new Map(),
  'command lines': new Map(),
  transfers: new Map(),
  letters: new Map(),
  catalogs: new Map(),
  'addresses of catalogs': new Map(),
}

/**
 * Returns a key for each private key of SIGNING_KEYS. The first one is for new values; the others are for
 * values from before a rotation.
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

const imported = new IsolateCache<Promise<CryptoKey>>('sealing_keys', { bytesOf: () => keyObjectBytes })

/** Imports the keys of a purpose. The first one is for new values. */
const importedKeys = (config: SealConfig, purpose: Purpose): Promise<CryptoKey>[] =>
  derivedKeys(config, purpose).map((bytes) => {
    const name = Buffer.from(bytes).toString('base64url')
    const key = imported.get(name) ?? importKey(bytes)
    imported.set(name, key)
    return key
  })

/** Encrypts a text that a client returns later but cannot read. */
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
