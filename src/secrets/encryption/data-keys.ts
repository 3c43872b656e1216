/** Data keys: of each site its own, random, and known to the database only as a master key has wrapped them. */
import type { Config } from '../../env.ts'
import { LruCache } from '../../lib/lru-cache.ts'
import { importKey, keyBytes, open, randomBytes, seal } from './cipher.ts'
import { masterKeysWrong } from './errors.ts'
import { type MasterKey, masterKeys, prove, verifyProof } from './master-keys.ts'

/** As it is stored. */
export interface WrappedKey {
  version: number
  masterKid: string
  wrapped: string
}

type Keys = Pick<Config, 'MASTER_KEYS'>

const bindingOf = (siteId: number, version: number, masterKid: string) => ['data key', siteId, version, masterKid]

/** Keys that this isolate has unwrapped; they cannot be taken out of it. */
const unwrapped = new LruCache<string, CryptoKey>(1000)

export async function unwrap(config: Keys, siteId: number, stored: WrappedKey): Promise<CryptoKey> {
  const name = `${config.MASTER_KEYS} ${siteId} ${stored.wrapped}`
  const key = unwrapped.get(name) ?? (await importKey(await unwrapBytes(config, siteId, stored)))
  unwrapped.set(name, key)
  return key
}

async function unwrapBytes(config: Keys, siteId: number, { version, masterKid, wrapped }: WrappedKey): Promise<Uint8Array<ArrayBuffer>> {
  const master = (await masterKeys(config)).get(masterKid)
  return open(master.key, bindingOf(siteId, version, masterKid), wrapped).catch(() => {
    throw masterKeysWrong(`the master key "${masterKid}" does not open data key ${version} of site ${siteId}`)
  })
}

async function wrap({ kid, key }: MasterKey, siteId: number, version: number, bytes: Uint8Array<ArrayBuffer>): Promise<WrappedKey> {
  return { version, masterKid: kid, wrapped: await seal(key, bindingOf(siteId, version, kid), bytes) }
}

/** A key that a site does not have yet, and the proof of the master key that wraps it. */
export interface NewKey extends WrappedKey {
  proof: string
}

/** `proofs` are those that the database has, by kid. */
export async function newDataKey(config: Keys, siteId: number, version: number, proofs: Readonly<Record<string, string>>): Promise<NewKey> {
  const { current } = await masterKeys(config)
  const proof = proofs[current.kid]
  if (proof !== undefined) await verifyProof(current, proof)
  return { ...(await wrap(current, siteId, version, randomBytes(keyBytes))), proof: proof ?? (await prove(current)) }
}

/** The same key, wrapped by the current master key. */
export async function rewrap(config: Keys, siteId: number, stored: WrappedKey): Promise<WrappedKey> {
  const { current } = await masterKeys(config)
  return wrap(current, siteId, stored.version, await unwrapBytes(config, siteId, stored))
}
