/**
 * Data keys: random keys that belong to one site each. The database stores them only encrypted: with a key of
 * the site, which is in a Durable Object, and then with a master key. The stored form is `site:<id of the
 * site's key>:<encrypted text>`. Without keys of sites (SITE_KEY_STORE), it is only the encrypted text; this
 * also applies to data keys that a command outside the Worker creates.
 */
import type { Config } from '../../kernel/env.ts'
import {
  decryptBytes,
  encryptBytes,
  importKey,
  keyBytes,
  randomBytes,
  utf8,
} from '../../kernel/lib/cipher.ts'
import { IsolateCache } from '../../kernel/lib/isolate-cache.ts'
import { masterKeysWrong } from './errors.ts'
import { type MasterKey, masterKeys, prove, verifyProof } from './master-keys.ts'
import { keptMs, makeSiteKey, readSiteKey, type SiteKeyAccess, usesSiteKeys } from './site-keys.ts'

/** A data key as it is stored. */
export interface WrappedKey {
  version: number
  /** The id of the master key that wraps it. */
  masterKid: string
  /** The stored form. */
  wrapped: string
}

type Keys = Pick<Config, 'MASTER_KEYS'> & SiteKeyAccess

const bindingOf = (siteId: number, version: number, masterKid: string) => [
  'data key',
  siteId,
  version,
  masterKid,
]

const siteBindingOf = (siteId: number, version: number) => ['data key in site key', siteId, version]

const storedForm = /^site:([\w-]+):(.+)$/

/**
 * Returns the id of the site's key, if the data key is encrypted with one, and the text of the outer
 * layer.
 */
function readStored({ wrapped }: WrappedKey): { siteKeyId: string | null; text: string } {
  const [, siteKeyId = null, text = wrapped] = storedForm.exec(wrapped) ?? []
  return { siteKeyId, text }
}

const writeStored = (siteKeyId: string | null, text: string): string =>
  siteKeyId === null ? text : `site:${siteKeyId}:${text}`

/** Returns the id of the site's key with which a data key is encrypted; null if there is none. */
export const siteKeyIdOf = (stored: WrappedKey): string | null => readStored(stored).siteKeyId

/** Tells whether a data key should be encrypted with the key of the site, but is not. */
export const lacksSiteKey = (access: SiteKeyAccess, stored: WrappedKey): boolean =>
  usesSiteKeys(access) && siteKeyIdOf(stored) === null

/** The keys that this isolate has unwrapped, for a limited time. They cannot be exported. */
const unwrapped = new IsolateCache<{ key: CryptoKey; until: number }>('data_keys', { bytesOf: () => 1_300 })

/** Returns a data key. Rejects with 500 if the master key is missing or is a different one. */
export async function unwrap(config: Keys, siteId: number, stored: WrappedKey): Promise<CryptoKey> {
  const name = `${config.MASTER_KEYS} ${siteId} ${stored.wrapped}`
  const known = unwrapped.get(name)
  if (known && known.until > Date.now()) return known.key
  const key = await importKey(await unwrapBytes(config, siteId, stored))
  unwrapped.set(name, { key, until: Date.now() + keptMs }, String(siteId))
  return key
}

/** Returns the bytes of a data key. */
async function unwrapBytes(
  config: Keys,
  siteId: number,
  stored: WrappedKey,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await unwrapOuter(config, siteId, stored)
  const siteKeyId = siteKeyIdOf(stored)
  if (siteKeyId === null) return bytes
  const siteKey = await readSiteKey(config, siteKeyId)
  const text = new TextDecoder().decode(bytes)
  return decryptBytes(siteKey, siteBindingOf(siteId, stored.version), text).catch(() => {
    throw masterKeysWrong(`the key of site ${siteId} does not unwrap data key ${stored.version}`)
  })
}

/**
 * Returns the content that the master key has encrypted: a data key, or a data key that is encrypted with the
 * key of the site.
 */
async function unwrapOuter(
  config: Keys,
  siteId: number,
  stored: WrappedKey,
): Promise<Uint8Array<ArrayBuffer>> {
  const { version, masterKid } = stored
  const master = (await masterKeys(config)).get(masterKid)
  return decryptBytes(master.key, bindingOf(siteId, version, masterKid), readStored(stored).text).catch(
    () => {
      throw masterKeysWrong(
        `the master key "${masterKid}" does not unwrap data key ${version} of site ${siteId}`,
      )
    },
  )
}

/** The content for a master key to encrypt, as `unwrapOuter` returns it. */
interface Outer {
  siteKeyId: string | null
  bytes: Uint8Array<ArrayBuffer>
}

async function wrap(
  { kid, key }: MasterKey,
  siteId: number,
  version: number,
  { siteKeyId, bytes }: Outer,
): Promise<WrappedKey> {
  const text = await encryptBytes(key, bindingOf(siteId, version, kid), bytes)
  return { version, masterKid: kid, wrapped: writeStored(siteKeyId, text) }
}

/** Creates a data key. It is encrypted with a new key of the site, if the service uses such keys. */
async function makeOuter(config: Keys, siteId: number, version: number): Promise<Outer> {
  const bytes = randomBytes(keyBytes)
  if (!usesSiteKeys(config)) return { siteKeyId: null, bytes }
  const siteKey = await makeSiteKey(config)
  const text = await encryptBytes(siteKey.key, siteBindingOf(siteId, version), bytes)
  return { siteKeyId: siteKey.id, bytes: utf8(text) }
}

/** A new data key, with the proof of the master key that wraps it. */
export interface NewKey extends WrappedKey {
  proof: string
}

/**
 * Creates a data key. `proofs` are the proofs of master keys in the database, by kid. Rejects with 500 if the
 * current master key is missing, or is not the one that made its proof; with 503 if the key of the site
 * cannot be created.
 */
export async function newDataKey(
  config: Keys,
  siteId: number,
  version: number,
  proofs: Readonly<Record<string, string>>,
): Promise<NewKey> {
  const { current } = await masterKeys(config)
  const proof = proofs[current.kid]
  if (proof !== undefined) await verifyProof(current, proof)
  return {
    ...(await wrap(current, siteId, version, await makeOuter(config, siteId, version))),
    proof: proof ?? (await prove(current)),
  }
}

/**
 * Returns a data key wrapped by the current master key. It stays encrypted with the key of the site.
 * Rejects as `unwrap` does.
 */
export async function rewrap(config: Keys, siteId: number, stored: WrappedKey): Promise<WrappedKey> {
  const { current } = await masterKeys(config)
  const bytes = await unwrapOuter(config, siteId, stored)
  return wrap(current, siteId, stored.version, { siteKeyId: siteKeyIdOf(stored), bytes })
}
