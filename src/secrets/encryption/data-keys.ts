/**
 * Data keys: random keys of one site each. The database has them only wrapped, that is, encrypted with a
 * master key.
 */
import type { Config } from '../../env.ts'
import { decryptBytes, encryptBytes, importKey, keyBytes, randomBytes } from '../../lib/cipher.ts'
import { LruCache } from '../../lib/lru-cache.ts'
import { masterKeysWrong } from './errors.ts'
import { type MasterKey, masterKeys, prove, verifyProof } from './master-keys.ts'

/** A data key as it is stored. */
export interface WrappedKey {
  version: number
  /** The id of the master key that wraps it. */
  masterKid: string
  wrapped: string
}

type Keys = Pick<Config, 'MASTER_KEYS'>

const bindingOf = (siteId: number, version: number, masterKid: string) => [
  'data key',
  siteId,
  version,
  masterKid,
]

/** The keys that this isolate has unwrapped. They cannot be exported. */
const unwrapped = new LruCache<string, CryptoKey>(1000)

/** Returns a data key. Rejects with 500 if the master key is missing or is a different one. */
export async function unwrap(config: Keys, siteId: number, stored: WrappedKey): Promise<CryptoKey> {
  const name = `${config.MASTER_KEYS} ${siteId} ${stored.wrapped}`
  const key = unwrapped.get(name) ?? (await importKey(await unwrapBytes(config, siteId, stored)))
  unwrapped.set(name, key)
  return key
}

async function unwrapBytes(
  config: Keys,
  siteId: number,
  { version, masterKid, wrapped }: WrappedKey,
): Promise<Uint8Array<ArrayBuffer>> {
  const master = (await masterKeys(config)).get(masterKid)
  return decryptBytes(master.key, bindingOf(siteId, version, masterKid), wrapped).catch(() => {
    throw masterKeysWrong(
      `the master key "${masterKid}" does not unwrap data key ${version} of site ${siteId}`,
    )
  })
}

async function wrap(
  { kid, key }: MasterKey,
  siteId: number,
  version: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<WrappedKey> {
  return { version, masterKid: kid, wrapped: await encryptBytes(key, bindingOf(siteId, version, kid), bytes) }
}

/** A new data key, with the proof of the master key that wraps it. */
export interface NewKey extends WrappedKey {
  proof: string
}

/**
 * Makes a data key. `proofs` are the proofs of master keys in the database, by kid. Rejects with 500 if the
 * current master key is missing, or is not the one that made its proof.
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
    ...(await wrap(current, siteId, version, randomBytes(keyBytes))),
    proof: proof ?? (await prove(current)),
  }
}

/** Returns a data key wrapped by the current master key. Rejects as `unwrap` does. */
export async function rewrap(config: Keys, siteId: number, stored: WrappedKey): Promise<WrappedKey> {
  const { current } = await masterKeys(config)
  return wrap(current, siteId, stored.version, await unwrapBytes(config, siteId, stored))
}
