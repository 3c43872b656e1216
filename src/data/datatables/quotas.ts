/** How large a table may be made. T9. */
import type { Config } from '../../env.ts'
import { quotaExceeded } from '../../errors.ts'
import { constraintsOf, indexesOf, searchOf } from '../providers/ddl/objects.ts'
import type { Table } from './table.ts'

/** Every index that Postgres keeps for it: of its keys, of unique fields, of foreign keys, declared ones, and that of the search. */
const indexCount = (table: Table): number =>
  constraintsOf(table).filter(({ kind }) => kind !== 'check').length + indexesOf(table).length + searchOf(table).length

/** Throws the 422 for a table that has more fields or indexes than a table may have. */
export function requireQuotas({ QUOTA_FIELDS, QUOTA_INDEXES }: Config, table: Table): void {
  const counts = [
    ['fields', table.fields.size, QUOTA_FIELDS],
    ['indexes, those of keys and unique fields among them', indexCount(table), QUOTA_INDEXES],
  ] as const
  for (const [what, count, max] of counts) {
    if (count > max) throw quotaExceeded(`"${table.name}" would have ${count} ${what}: a datatable may have ${max} at most.`)
  }
}
