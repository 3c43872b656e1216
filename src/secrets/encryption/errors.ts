/**
 * The errors of encryption. The log has the reason; the client learns only that the request is not at fault.
 */
import { AppError } from '../../errors.ts'

const unreadableBody = {
  error: 'Decryption failed',
  detail:
    'An encrypted value could not be decrypted. The failure is logged with the request id of this response.',
}

const keysBody = {
  error: 'Encryption keys unavailable',
  detail:
    'The encryption keys are not available. The failure is logged with the request id of this response.',
}

/** 500 for a text that does not decrypt. `name` is its kind, id and version. */
export const unreadable = (name: string, cause: unknown) =>
  new AppError(500, unreadableBody, { cause: new Error(`${name} does not decrypt`, { cause }) })

/** 500 for master keys that are missing or wrong. */
export const masterKeysWrong = (problem: string) => new AppError(500, keysBody, { cause: new Error(problem) })
/** 500 for a master key that MASTER_KEYS lacks. */
export const masterKeyMissing = (kid: string) => masterKeysWrong(`MASTER_KEYS has no key "${kid}"`)

/** 500 for a key of a site that was destroyed, or is out of reach. */
export const siteKeyMissing = (id: string) => masterKeysWrong(`there is no site key ${id}`)

/** The text has a newer data key than those that were read. They must be read again. */
export class DataKeyUnknown extends Error {}
