/**
 * The errors of encryption. The log contains the reason. The client learns only that its request did not
 * cause the error.
 */
import { AppError } from '../../kernel/errors.ts'

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

/** The 500 for a text that cannot be decrypted. */
export class Unreadable extends AppError {
  /** `name` is the kind, the id and the version of the text. */
  constructor(name: string, cause: unknown) {
    super(500, 'decryption_failed', unreadableBody, {
      cause: new Error(`${name} does not decrypt`, { cause }),
    })
  }
}

/** The 500 for master keys that are missing or wrong. */
export const masterKeysWrong = (problem: string) =>
  new AppError(500, 'encryption_keys_unavailable', keysBody, { cause: new Error(problem) })
/** The 500 for a master key that MASTER_KEYS does not contain. */
export const masterKeyMissing = (kid: string) => masterKeysWrong(`MASTER_KEYS has no key "${kid}"`)

/** The 500 for a key of a site that was destroyed, or that cannot be reached. */
export const siteKeyMissing = (id: string) => masterKeysWrong(`there is no site key ${id}`)

/**
 * The text was encrypted with a newer data key than those that were read. The data keys must be read again.
 */
export class DataKeyUnknown extends Error {}
