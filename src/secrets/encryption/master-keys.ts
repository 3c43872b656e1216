/**
 * Master keys, which only wrap data keys. The variable MASTER_KEYS contains them: `{"current": "<kid>",
 * "keys": {"<kid>": "<32 bytes, base64url>", …}}`.
 */
import type { Config } from '../../kernel/env.ts'
import { asBytes, decryptBytes, encryptBytes, importKey, utf8 } from '../../kernel/lib/cipher.ts'
import { masterKeyRing } from '../../kernel/lib/key-rings.ts'
import { masterKeyMissing, masterKeysWrong } from './errors.ts'

export interface MasterKey {
  /** The id of the key. */
  kid: string
  key: CryptoKey
}

export interface MasterKeys {
  /** The key that wraps new data keys. */
  current: MasterKey
  /** Returns a key by its id. Throws a 500 if there is none. */
  get(kid: string): MasterKey
}

/** The parsed keys by the text of the variable. */
const rings = new Map<string, MasterKeys>()

/** Returns the master keys. Rejects with 500 if MASTER_KEYS is not set or not valid. */
export async function masterKeys({ MASTER_KEYS }: Pick<Config, 'MASTER_KEYS'>): Promise<MasterKeys> {
  if (MASTER_KEYS === undefined) throw masterKeysWrong('MASTER_KEYS is not set')
  const ring = rings.get(MASTER_KEYS) ?? (await readRing(MASTER_KEYS))
  rings.set(MASTER_KEYS, ring)
  return ring
}

async function readRing(text: string): Promise<MasterKeys> {
  const { data, success } = masterKeyRing.safeParse(text)
  if (!success) throw masterKeysWrong('MASTER_KEYS is not a ring of keys')
  const { current, keys } = data
  const imported = await Promise.all(
    Object.entries(keys).map(
      async ([kid, key]): Promise<[string, MasterKey]> => [kid, { kid, key: await importKey(asBytes(key)) }],
    ),
  )
  const byKid = new Map(imported)
  const get = (kid: string) => {
    const key = byKid.get(kid)
    if (!key) throw masterKeyMissing(kid)
    return key
  }
  return { current: get(current), get }
}

const bindingOf = (kid: string) => ['proof', kid]
const provenText = utf8('This is the master key.')

/** Creates a text that identifies a key, because only the same key decrypts it. */
export const prove = ({ kid, key }: MasterKey): Promise<string> =>
  encryptBytes(key, bindingOf(kid), provenText)

/** Rejects with 500 if the key is not the one that made the proof. */
export async function verifyProof({ kid, key }: MasterKey, proof: string): Promise<void> {
  await decryptBytes(key, bindingOf(kid), proof).catch(() => {
    throw masterKeysWrong(`the master key "${kid}" is not the one that has been in use`)
  })
}

/**
 * Rejects with 500 if MASTER_KEYS is not valid, lacks a key that is in use, or has a different key under its
 * id.
 */
export async function verifyMasterKeys(
  config: Pick<Config, 'MASTER_KEYS'>,
  inUse: readonly { kid: string; proof: string }[],
): Promise<void> {
  const ring = await masterKeys(config)
  for (const { kid, proof } of inUse) await verifyProof(ring.get(kid), proof)
}
