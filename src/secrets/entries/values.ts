/** From a value to the text that is stored of it, and back: with every digit of its numbers. R6. */
import type { Config } from '../../env.ts'
import { readVerbatim } from '../../lib/exact-json.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import type { WrappedKey } from '../encryption/data-keys.ts'
import { decrypt, encrypt, keyVersionOf, type Place, type SiteKeys } from '../encryption/service.ts'
import type { SecretRow, StoredValue } from './store.ts'

/** Where a value belongs: another row, key or level is another place. */
export const placeOf = ({ id, key, app_id, version }: Pick<SecretRow, 'id' | 'key' | 'app_id' | 'version'>): Place => ({
  kind: 'secret',
  id: JSON.stringify([id, app_id, key]),
  version,
})

/** `keys` null: the value is public. */
export async function sealValue(config: Config, keys: SiteKeys | null, place: Place, value: JsonObject): Promise<StoredValue> {
  const text = JSON.stringify(value)
  if (!keys) return { public_value: text, ciphertext: null }
  return { public_value: null, ciphertext: await encrypt(config, keys, place, text) }
}

export async function openValue(config: Config, keys: SiteKeys, row: SecretRow): Promise<JsonObject> {
  const text = row.ciphertext === null ? (row.public_value ?? '{}') : await decrypt(config, keys, placeOf(row), row.ciphertext)
  return readVerbatim(text) as JsonObject
}

/** The key that a row's value is encrypted with. */
export const dataKeyOf = ({ keys }: SiteKeys, { ciphertext }: SecretRow): WrappedKey | null =>
  (ciphertext !== null && keys.find(({ version }) => version === keyVersionOf(ciphertext))) || null
