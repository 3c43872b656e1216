import type { AuditEntry } from './schema.ts'

export interface AuditRow extends Omit<AuditEntry, 'actor'> {
  actor_id: number | null
  actor: string | null
}

/** What columns are called where the API has another name for what they hold. */
const names: ReadonlyMap<string, string> = new Map([
  ['password_hash', 'password'],
  ['ciphertext', 'value'],
  ['public_value', 'value'],
  ['type_id', 'secret_type'],
  ['sealed', 'headers'],
])

export const asEntry = ({ actor_id, actor, changed, ...row }: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  site: row.site,
  actor: actor_id === null ? null : { id: actor_id, username: actor ?? '' },
  request_id: row.request_id,
  address: row.address,
  kind: row.kind,
  action: row.action,
  object_id: row.object_id,
  object: row.object,
  changed: [...new Set(changed.map((name) => names.get(name) ?? name))],
  values: row.values,
})
