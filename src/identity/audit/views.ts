/** The JSON of an audit entry. */
import type { AuditEntry } from './schema.ts'

/** An entry as the statements of store.ts select it. */
export interface AuditRow extends Omit<AuditEntry, 'actor'> {
  actor_id: number | null
  actor: string | null
}

/** The columns that have another name in the API. */
const names: ReadonlyMap<string, string> = new Map([
  ['password_hash', 'password'],
  ['ciphertext', 'value'],
  ['public_value', 'value'],
  ['type_id', 'secret_type'],
  ['sealed', 'headers'],
])

/** Returns an entry as clients see it. */
export const asEntry = ({ actor_id, actor, changed, ...row }: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  site: row.site,
  actor: actor_id === null && actor === null ? null : { id: actor_id, username: actor ?? '' },
  request_id: row.request_id,
  client_request_id: row.client_request_id,
  address: row.address,
  kind: row.kind,
  action: row.action,
  object_id: row.object_id,
  object: row.object,
  changed: [...new Set(changed.map((name) => names.get(name) ?? name))],
  values: row.values,
})
