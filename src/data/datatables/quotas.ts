/** Enforces the quotas of a table: fields and indexes. T9. */
import type { Config } from '../../kernel/env.ts'
import { quotaExceeded } from '../../kernel/errors.ts'
import type { Table } from '../model/table.ts'
import { constraintsOf, indexesOf } from '../providers/ddl/objects.ts'
import { searchOf } from '../providers/ddl/search-objects.ts'

/**
 * Counts all indexes in Postgres: those of keys, unique fields, foreign keys and search, and the declared
 * ones.
 */
const indexCount = (table: Table): number =>
  constraintsOf(table).filter(({ kind }) => kind !== 'check').length +
  indexesOf(table).length +
  searchOf(table).length

/** Throws 422 if a table has too many fields or indexes. */
export function requireQuotas({ QUOTA_FIELDS, QUOTA_INDEXES }: Config, table: Table): void {
  const counts = [
    ['fields', table.fields.size, QUOTA_FIELDS],
    ['indexes, including those of keys and unique fields', indexCount(table), QUOTA_INDEXES],
  ] as const
  for (const [items, count, max] of counts) {
    if (count > max)
      throw quotaExceeded(
        `"${table.name}" would have ${count} ${items}. A datatable may have at most ${max}.`,
      )
  }
}
