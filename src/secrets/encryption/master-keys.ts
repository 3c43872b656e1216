/** The ring of master keys: MASTER_KEYS, `{"current": "<kid>", "keys": {"<kid>": "<32 bytes, base64url>", …}}`. They wrap data keys, and nothing else. */
import type { Config } from '../../env.ts'
import { masterKeyRing } from '../../lib/key-rings.ts'
import { asBytes, importKey, open, seal, utf8 } from './cipher.ts'
import { masterKeyMissing, masterKeysWrong } from './errors.ts'

export interface MasterKey {
  kid: string
  key: CryptoKey
}

export interface MasterKeys {
  /** Wraps new data keys. */
  current: MasterKey
  /** Every key that still unwraps. */
  get(kid: string): MasterKey
}

const rings = new Map<string, MasterKeys>()

export async function masterKeys({ MASTER_KEYS }: Pick<Config, 'MASTER_KEYS'>): Promise<MasterKeys> {
  if (MASTER_KEYS === undefined) throw masterKeysWrong('MASTER_KEYS is not set')
  const ring = rings.get(MASTER_KEYS) ?? (await readRing(MASTER_KEYS))
  rings.set(MASTER_KEYS, ring)
  return ring
}

async function readRing(text: string): Promise<MasterKeys> {
  const { data, success } = masterKeyRing.safeParse(text)
  if (!success) throw masterKeysWrong('MASTER_KEYS is no ring of keys')
  const { current, keys } = data
  const imported = await Promise.all(
    Object.entries(keys).map(async ([kid, key]): Promise<[string, MasterKey]> => [kid, { kid, key: await importKey(asBytes(key)) }]),
  )
  const byKid = new Map(imported)
  const get = (wanted: string) => {
    const found = byKid.get(wanted)
    if (!found) throw masterKeyMissing(wanted)
    return found
  }
  return { current: get(current), get }
}

const proofOf = (kid: string) => ['proof', kid]
const proven = utf8('This is the master key.')

/** A text by which this key can be recognised. */
export const prove = ({ kid, key }: MasterKey): Promise<string> => seal(key, proofOf(kid), proven)

/** Throws when the key is another than the one that made the proof. */
export async function verifyProof({ kid, key }: MasterKey, proof: string): Promise<void> {
  await open(key, proofOf(kid), proof).catch(() => {
    throw masterKeysWrong(`the master key "${kid}" is not the one that has been in use`)
  })
}

/** Throws when the ring is missing, or lacks a key that is in use, or has another one of its name. */
export async function verifyMasterKeys(config: Pick<Config, 'MASTER_KEYS'>, inUse: readonly { kid: string; proof: string }[]): Promise<void> {
  const ring = await masterKeys(config)
  for (const { kid, proof } of inUse) await verifyProof(ring.get(kid), proof)
}
