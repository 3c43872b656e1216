/** From a value to what is stored of it, and back. */
import type { Config } from '../../env.ts'
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
  if (row.ciphertext === null) return row.public_value ?? {}
  return JSON.parse(await decrypt(config, keys, placeOf(row), row.ciphertext))
}

/** The key that a row's value is encrypted with. */
export const dataKeyOf = ({ keys }: SiteKeys, { ciphertext }: SecretRow): WrappedKey | null =>
  (ciphertext !== null && keys.find(({ version }) => version === keyVersionOf(ciphertext))) || null
