/** Secrets in the forms of the API. Spec: Secret; K5, K6. */
import type { JsonObject } from '../../kernel/lib/json-object.ts'
import type { Secret, SecretsByKey } from './schema.ts'
import type { SecretRow } from './store.ts'

/** Returns a row with its decrypted value in the form of the API. */
export const asSecret = (row: SecretRow, value: JsonObject): Secret => ({
  key: row.key,
  secret_type: row.secret_type,
  value,
  tags: row.tags,
  app: row.app,
  sensitivity_level: row.sensitivity_level,
  created_at: row.created_at,
  modified_at: row.modified_at,
  created_by: row.created_by,
})

/** Returns an object of the values by key, with their metadata if `withMetadata`. */
export function asByKey(secrets: readonly Secret[], withMetadata: boolean): SecretsByKey {
  return Object.fromEntries(
    secrets.map(({ key, value, tags, secret_type, sensitivity_level }) => [
      key,
      withMetadata ? { value, tags, secret_type, sensitivity_level } : value,
    ]),
  )
}
