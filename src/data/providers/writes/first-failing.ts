/** Finds the record of a body for which a condition fails, after Postgres has refused the write for it. */
import { emptySql, type Sql, sql } from '../../../kernel/db/sql.ts'
import { type Field, nullOf } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { withValues } from '../../query/plan/expression/row-expression.ts'
import { type InputRows, inputColumn, inputCte } from './input.ts'
import { changedValue, createdValue } from './references.ts'
import { allEqual, rowColumns } from './rows.ts'

/** The records that a write was sent with, and the fields that identify those which exist. */
export interface SentRecords {
  input: InputRows
  /** Omitted: the write only creates records. */
  key?: readonly Field[] | undefined
}

/** What a condition is about. */
interface Condition {
  /**
   * The fields without which a new record is not looked at, because access rules may fill them in. Omitted:
   * there are none.
   */
  needed?: readonly Field[]
  /** Returns the condition for a table that has the values of the record in the place of its columns. */
  of(values: Table): Sql
}

/** Selects the position of the first record for which a condition is false. */
export function firstFailing(
  table: Table,
  { input, key = [] }: SentRecords,
  { needed = [], of }: Condition,
): Sql<{ _n: number }> {
  const [, rows] = inputCte(table, input)
  const [first] = key
  const isNew = first ? sql`_row.${first.column} is null` : sql`true`
  const created = (field: Field) => createdValue(table, input, field) ?? nullOf(field)
  const values = withValues(table, (field) =>
    first
      ? sql`(case when ${isNew} then ${created(field)} else ${changedValue(table, input, field)} end)`
      : created(field),
  )
  const keys = key.map((field) => sql`_input.${inputColumn(table, field)}`)
  const joined = first ? sql`left join ${table.rows} _row on ${allEqual(rowColumns(key), keys)}` : emptySql
  const isKnown = sql`(not ${isNew} or _input._sent ?& ${needed.map(({ name }) => name)}::text[])`
  return sql<{ _n: number }>`
    select _n from (${rows}) _input ${joined} where ${isKnown} and (${of(values)}) is false
     order by _n limit 1`
}
