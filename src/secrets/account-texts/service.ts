/**
 * Encrypts texts of accounts. They belong to no site, so they are encrypted directly with the master key, and
 * bound to the account and the kind of text. `npm run keys:rotate -- --master` encrypts them again, and also
 * wraps data keys again.
 */
import type { Config } from '../../kernel/env.ts'
import { decryptBytes, encryptBytes } from '../../kernel/lib/cipher.ts'
import { masterKeysWrong } from '../encryption/errors.ts'
import { masterKeys, prove, verifyProof } from '../encryption/master-keys.ts'

type Keys = Pick<Config, 'MASTER_KEYS'>

export const totpKind = 'authenticator app'

/** An encrypted text as it is stored. */
export interface AccountText {
  /** The id of the master key. */
  masterKid: string
  stored: string
}

const bindingOf = (kind: string, userId: number, kid: string) => ['account', kind, userId, kid]

/**
 * Encrypts bytes of an account with the current master key, and returns the proof of that key, which is
 * stored next to them. `proofs` are those in the database, by kid. Rejects with 500 if the master keys are
 * missing or wrong.
 */
export async function encryptForAccount(
  config: Keys,
  place: { kind: string; userId: number },
  bytes: Uint8Array<ArrayBuffer>,
  proofs: Readonly<Record<string, string>>,
): Promise<AccountText & { proof: string }> {
  const { current } = await masterKeys(config)
  const proof = proofs[current.kid]
  if (proof !== undefined) await verifyProof(current, proof)
  const binding = bindingOf(place.kind, place.userId, current.kid)
  return {
    masterKid: current.kid,
    stored: await encryptBytes(current.key, binding, bytes),
    proof: proof ?? (await prove(current)),
  }
}

/**
 * Decrypts a text of an account. Rejects with 500 if the text was encrypted for another account or kind, or
 * if the master key is missing.
 */
export async function decryptForAccount(
  config: Keys,
  { kind, userId }: { kind: string; userId: number },
  { masterKid, stored }: AccountText,
): Promise<Uint8Array<ArrayBuffer>> {
  const master = (await masterKeys(config)).get(masterKid)
  return decryptBytes(master.key, bindingOf(kind, userId, masterKid), stored).catch(() => {
    throw masterKeysWrong(`the master key "${masterKid}" does not decrypt the ${kind} of account ${userId}`)
  })
}
