/** Locks the records that later statements of a transaction change. */
import { join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { inputColumn, inputCte } from './input.ts'
import { allEqual, keyName, locks, type RowLock, rowColumns } from './rows.ts'

/** Records that a statement changes if they exist. */
export interface KnownRecords {
  table: Table
  /** The fields that identify them. */
  key: readonly Field[]
  /** Validated records. Each has a value for every field of the key. */
  records: readonly Readonly<Record<string, unknown>>[]
  lock: RowLock
}

/**
 * Returns statements that lock the records of all statements: by table, and in a table in the order of the
 * keys. Transactions that begin with them cannot wait for each other in a circle, in whatever order they
 * change the records.
 */
export const lockInOrder = (known: readonly KnownRecords[]): Sql[] =>
  [...Map.groupBy(known, ({ table }) => table.id)]
    .toSorted(([a], [b]) => a - b)
    .map(([, ofTable]) => lockRecords(ofTable as [KnownRecords, ...KnownRecords[]]))

/** Returns the condition that `_row` is one of these records of its table. */
export const isAmong = ({ primaryKey }: Table, known: readonly KnownRecords[]): Sql =>
  known.length === 0
    ? sql`false`
    : sql`(${join(rowColumns(primaryKey))}) in (${join(wantedOf(known), sql` union `)})`

function lockRecords(known: readonly [KnownRecords, ...KnownRecords[]]): Sql {
  const [{ table }] = known
  const wanted = wantedOf(known)
  const keys = rowColumns(table.primaryKey)
  const wantedKey = table.primaryKey.map((_, position) => sql`_wanted.${keyName(position)}`)
  const lock = known.some((one) => one.lock === 'update') ? locks.update : locks['no key update']
  return sql`
    select count(*) as locked
      from (select from ${table.rows} _row, (${join(wanted, sql` union `)}) _wanted
             where ${allEqual(keys, wantedKey)} order by ${join(keys)} for ${lock} of _row) _locked`
}

/** Selects the primary keys of records: one query for each key by which they are known. */
function wantedOf(known: readonly KnownRecords[]): Sql[] {
  const byKey = Map.groupBy(known, ({ key }) => JSON.stringify(key.map(({ name }) => name)))
  return [...byKey.values()].map((same) =>
    wantedKeys({
      ...(same[0] as KnownRecords),
      records: same.flatMap(({ records }) => records),
    }),
  )
}

/** Selects the primary keys of records. */
function wantedKeys({ table, key, records }: KnownRecords): Sql {
  const sent = records.map((record) => Object.fromEntries(key.map(({ name }) => [name, record[name]])))
  const counts = new Map(key.map(({ name }) => [name, sent.length]))
  const [, input] = inputCte(table, { text: JSON.stringify(sent), count: sent.length, counts })
  const named = (columns: readonly Sql[]) =>
    join(columns.map((column, position) => sql`${column} as ${keyName(position)}`))
  const values = key.map((field) => sql`_input.${inputColumn(table, field)}`)
  if (key === table.primaryKey) return sql`select ${named(values)} from (${input}) _input`
  return sql`
    select ${named(rowColumns(table.primaryKey))} from ${table.rows} _row, (${input}) _input
     where ${allEqual(rowColumns(key), values)}`
}
