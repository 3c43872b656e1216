/** The encrypted part of a function: its signing secret and the values of its headers. E2, E6. */
import * as z from 'zod'
import type { Config } from '../../kernel/env.ts'
import { randomText } from '../../kernel/lib/random-text.ts'
import { decrypt, encrypt, type SiteKeys, type TextPlace } from '../../secrets/encryption/service.ts'

const functionSecrets = z.object({
  signing_secret: z.string(),
  /** The signing secret before the last rotation. It also signs until `until`, an ISO 8601 timestamp. */
  previous: z.object({ signing_secret: z.string(), until: z.string() }).optional(),
  headers: z.record(z.string(), z.string()),
  /** The origin of the URL for which the headers were entered. They are sent to no other. */
  origin: z.string(),
})
/** The secrets of a function. They are encrypted as one text. */
export type FunctionSecrets = z.infer<typeof functionSecrets>

/** The members of a function's row that its encryption needs. */
export interface EncryptedRow {
  uuid: string
  version: number
  sealed: string
}

type RowVersion = Pick<EncryptedRow, 'uuid' | 'version'>

/** Returns the place to which the encrypted text is bound: the function and the version of the text. */
export const placeOf = ({ uuid, version }: RowVersion): TextPlace => ({ kind: 'function', id: uuid, version })

/** Encrypts the secrets for one version of a row. */
export const encryptSecrets = (
  config: Config,
  keys: SiteKeys,
  row: RowVersion,
  secrets: FunctionSecrets,
): Promise<string> => encrypt(config, keys, placeOf(row), JSON.stringify(secrets))

/** Decrypts what `encryptSecrets` returned for the row. Rejects as `decrypt` does. */
export const decryptSecrets = async (
  config: Config,
  keys: SiteKeys,
  row: EncryptedRow,
): Promise<FunctionSecrets> =>
  functionSecrets.parse(JSON.parse(await decrypt(config, keys, placeOf(row), row.sealed)))

const secretBytes = 32

/** Returns a random signing secret in the form of Standard Webhooks. */
export const newSigningSecret = (): string => `whsec_${randomText(secretBytes)}`

/** Returns the origin of a webhook URL; '' for a text that is not a URL. */
export const originOf = (webhookUrl: string): string =>
  URL.canParse(webhookUrl) ? new URL(webhookUrl).origin : ''

/** Tells whether the headers were entered for another host than that of the URL. */
export const belongElsewhere = ({ headers, origin }: Headed, webhookUrl: string): boolean =>
  Object.keys(headers).length > 0 && originOf(webhookUrl) !== origin
type Headed = Pick<FunctionSecrets, 'headers' | 'origin'>

/** Returns the secrets with a new signing secret. The present one also signs for `overlapSeconds`. */
export function rotated(secrets: FunctionSecrets, overlapSeconds: number): FunctionSecrets {
  const { previous: _, ...kept } = secrets
  const until = new Date(Date.now() + overlapSeconds * 1000).toISOString()
  const previous = { signing_secret: secrets.signing_secret, until }
  return { ...kept, signing_secret: newSigningSecret(), ...(overlapSeconds > 0 ? { previous } : {}) }
}

/** Returns the secrets that sign a call at a moment, the newest first. */
export const signingSecretsAt = ({ signing_secret, previous }: FunctionSecrets, now: Date): string[] =>
  previous && now < new Date(previous.until) ? [signing_secret, previous.signing_secret] : [signing_secret]

/** Replaces the value of a header in answers. If a client sends it back, the stored value is kept. */
export const mask = '***HIDDEN***'
