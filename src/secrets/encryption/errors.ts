/** That something encrypted cannot be read. The log says what is wrong with the keys; the client, that it is not the client's fault. */
import { AppError } from '../../errors.ts'

const unreadableBody = {
  error: 'Decryption failed',
  detail: 'An encrypted value could not be read. It has been logged under the request id of this response.',
}

const keysBody = {
  error: 'Encryption keys unavailable',
  detail: 'The keys that values are encrypted with are not available. It has been logged under the request id of this response.',
}

/** `what` names the text by its kind, id and version. */
export const unreadable = (what: string, cause: unknown) =>
  new AppError(500, unreadableBody, { cause: new Error(`${what} does not decrypt`, { cause }) })

export const masterKeysWrong = (problem: string) => new AppError(500, keysBody, { cause: new Error(problem) })
export const masterKeyMissing = (kid: string) => masterKeysWrong(`MASTER_KEYS has no key "${kid}"`)

/** The keys of the site were read before the one that this text was encrypted with was made: read them again. */
export class DataKeyUnknown extends Error {}
