/**
 * Converts the value of a secret to the text that is stored, and back. All digits of its numbers are kept.
 * R6.
 */
import type { Config } from '../../kernel/env.ts'
import { readJsonVerbatim } from '../../kernel/lib/exact-json.ts'
import type { JsonObject } from '../../kernel/lib/json-object.ts'
import type { WrappedKey } from '../encryption/data-keys.ts'
import { decrypt, encrypt, keyVersionOf, type SiteKeys, type TextPlace } from '../encryption/service.ts'
import type { StoredValue } from './change-store.ts'
import type { SecretRow } from './store.ts'

/** Returns the place to which a value is bound: its row, key, level and version. */
export const placeOf = ({
  id,
  key,
  app_id,
  version,
}: Pick<SecretRow, 'id' | 'key' | 'app_id' | 'version'>): TextPlace => ({
  kind: 'secret',
  id: JSON.stringify([id, app_id, key]),
  version,
})

/** Encrypts a value for its place. If `keys` is null, the value is public and stays in plain text. */
export async function encryptValue(
  config: Config,
  keys: SiteKeys | null,
  place: TextPlace,
  value: JsonObject,
): Promise<StoredValue> {
  const text = JSON.stringify(value)
  if (!keys) return { public_value: text, ciphertext: null }
  return { public_value: null, ciphertext: await encrypt(config, keys, place, text) }
}

/** Returns the value of a row. Rejects as `decrypt` does. */
export async function decryptValue(config: Config, keys: SiteKeys, row: SecretRow): Promise<JsonObject> {
  const text =
    row.ciphertext === null
      ? (row.public_value ?? '{}')
      : await decrypt(config, keys, placeOf(row), row.ciphertext)
  return readJsonVerbatim(text) as JsonObject
}

/** Returns the data key of a row's value; null for a public value. */
export function dataKeyOf({ keys }: SiteKeys, { ciphertext }: SecretRow): WrappedKey | null {
  if (ciphertext === null) return null
  return keys.find(({ version }) => version === keyVersionOf(ciphertext)) ?? null
}
