/** Converts the row of a transfer to the form of the API. */
import type { Transfer } from './schema.ts'
import type { TransferRow } from './store.ts'

/** Returns a transfer in the form of the API. */
export const asTransfer = (row: TransferRow): Transfer => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  site: row.slug,
  progress: {
    done: row.position,
    total: row.total,
    records: row.counts.records ?? 0,
    edges: row.counts.edges ?? 0,
    secrets: row.counts.secrets ?? 0,
  },
  notes: row.notes,
  error: row.error,
  created: row.created,
  ended_at: row.ended_at,
  expires_at: row.expires_at,
})
