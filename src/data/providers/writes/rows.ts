/** Finds and locks the rows that a write changes, and renders the values that it sets. */

import { recordWithin } from '../../../kernel/db/answer-size.ts'
import { emptySql, identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { isComputed } from '../../query/plan/expression/row-expression.ts'
import type { Order } from '../../query/plan/order.ts'
import { measureRecords } from '../../query/render/answer-size.ts'
import { joins } from '../../query/render/joins.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { renderOrder, termsOf } from '../../query/render/render-order.ts'
import { recordColumns, recordJson } from '../../query/render/render-record.ts'
import { row } from '../../query/row.ts'
import { type FilteredRecords, matchCountMax } from '../provider.ts'
import type { ConflictQueries, Cte } from './ctes.ts'
import { defaultOf, type InputRows, ifSent, inputColumn } from './input.ts'

/** How rows are locked. `update` if they will be deleted: it also blocks new references to them. */
export type RowLock = 'no key update' | 'update'

/** The rows that `_before` selects. */
interface RowSearch {
  /** Joins further rows to those of the table, `_row`. */
  joined?: Sql
  where: readonly Sql[]
  /** The columns other than the key. */
  columns: readonly Sql[]
  /** Whether to select soft-deleted rows, too. R13. */
  includeDeleted: boolean
  rowsMax?: number
  /** The order of the rows. Omitted: that of their keys. */
  order?: readonly Order[] | undefined
  /** Whether to select the current records, as `_data` and `_version`. */
  withState: boolean
  lock: RowLock
  /** Whether to number the rows in the order of their keys, as `_n`. Needed if nothing else numbers them. */
  numbered?: boolean
}

/** The row of a write: of the physical table, or of `Table.rows`. */
export const rowAlias = sql`_row`

/**
 * Returns the CTE `_before`, and its parts: the rows to change. They are locked in the order of their keys
 * before any decision, so that they cannot change afterwards and writes cannot deadlock. With another order,
 * writes can deadlock; the transaction that Postgres aborts is then repeated.
 */
export function beforeCtes(
  table: Table,
  { joined = emptySql, where, columns, includeDeleted, rowsMax, order, withState, lock, numbered }: RowSearch,
): Cte[] {
  const keys = rowColumns(table.primaryKey)
  const selected = [
    ...columns,
    ...keys.map((key, position) => sql`${key} as ${keyName(position)}`),
    ...(withState ? [sql`${recordJson(table)} as _data, _row.xmin as _version`] : []),
  ]
  const limit = rowsMax === undefined ? emptySql : sql`limit ${rowsMax}`
  const sorted = sortedBy(order, keys)
  const found = sql`
    select ${join(selected)} from ${table.rows} _row ${joined}${sorted.joined}
     where ${foundBy(table, where, includeDeleted)}
     order by ${sorted.terms} ${limit} for ${locks[lock]} of _row`
  // Locked rows cannot be numbered in the same select.
  return numbered
    ? [
        ['_found', found],
        ['_before', sql`select row_number() over () - 1 as _n, _found.* from _found`],
      ]
    : [['_before', found]]
}

/**
 * Returns the terms of an order of `_row`, and the SQL after the table in the `from` clause. Without an
 * order, rows are sorted by their keys. Where records become JSON, columns are not qualified; so referenced
 * records are joined in a subquery.
 */
export function sortedBy(
  order: readonly Order[] | undefined,
  keys: readonly Sql[],
): { terms: Sql; joined: Sql } {
  if (!order) return { terms: join(keys), joined: emptySql }
  const related = joins()
  const terms = termsOf(order, related)
  const joined = related.sql()
  if (joined === emptySql) return { terms: renderOrder(terms), joined }
  const names = terms.map((_, position) => identifier(`_o${position}`))
  const values = terms.map(({ value }, position) => sql`${value} as ${names[position] as Sql}`)
  return {
    terms: renderOrder(
      terms.map((term, position) => ({ ...term, value: sql`_order.${names[position] as Sql}` })),
    ),
    joined: sql` cross join lateral (select ${join(values)} from (select) _one${joined}) _order`,
  }
}

/** Returns the conflict queries of a filter: too many records match it, or not as many as expected. */
export const filterConflicts = (
  table: Table,
  which: FilteredRecords,
  includeDeleted: boolean,
): ConflictQueries => {
  const { expected, isMeant, rowsMax } = which
  const matches = countMatching(
    table.rows,
    foundBy(table, [renderPredicate(which.filter, row)], includeDeleted),
  )
  return {
    many: sql`
      select json_build_array(${isMeant ? sql`count(*)` : matches})
        from _before having count(*) > ${rowsMax}`,
    ...(expected === null
      ? {}
      : {
          unexpected: sql`
            select json_build_array(count(*)) from _before having count(*) <> ${expected}`,
        }),
  }
}

/** Returns the number of rows that meet a condition, which is not counted further than a message needs. */
export const countMatching = (rows: Sql, where: Sql): Sql =>
  sql`(select count(*) from (select from ${rows} _row where ${where} limit ${matchCountMax + 1}) _all)`

/** Returns the condition of the rows that a search finds. */
export const foundBy = ({ softDelete }: Table, where: readonly Sql[], includeDeleted: boolean): Sql =>
  join(
    softDelete && !includeDeleted ? [...where, sql`_row.${softDelete.column} is not true`] : where,
    sql` and `,
  )

/**
 * Returns the condition of the row that a search finds. Without one of the versions, the row is refused.
 * Null: it may have any. R12.
 */
export function foundInVersion(found: Sql, versions: readonly string[] | null): Sql {
  if (versions === null) return found
  const refusal = sql`tessera.refuse_conflicts(${JSON.stringify({ stale: [0] })}) is null`
  // Only inside of a case, Postgres evaluates nothing before the row is found.
  return sql`${found} and case when not (${found}) then false
    when _row.xmin::text = any (${versions}::text[]) then true else ${refusal} end`
}

/** The locks in a `for` clause. */
export const locks: Readonly<Record<RowLock, Sql>> = {
  'no key update': sql`no key update`,
  update: sql`update`,
}

/** Returns the column of a field of the key in `_before`. */
export const keyName = (position: number): Sql => identifier(`_k${position}`)

/**
 * Returns the columns `_data` and `_version` of a row of the physical table that was just written, and with
 * `hasKey` its key as `_id`. `_data` is null if no record is needed.
 */
export function writtenState(table: Table, isNeeded: boolean, hasKey = false): Sql {
  const others = sql`_row.xmin as _version${hasKey ? sql`, ${keyJson(table)} as _id` : emptySql}`
  if (!isNeeded) return sql`null::json as _data, ${others}`
  const record = sql`select ${recordColumns(table)}${table.storage.returnedFrom(rowAlias)}`
  const measure = measureRecords(table, { fields: undefined, populate: [] }, { of: sql`_whole`, rows: 1 })
  const json = recordWithin(sql`row_to_json(_whole)`, measure)
  return sql`(select ${json} from (${record}) _whole) as _data, ${others}`
}

/** Returns a key as JSON carries it: the value as in a record, or an array of the values. R17. */
export function keyJson(table: Table): Sql {
  const values = table.primaryKey.map((field) => {
    const stored = table.storage.field(field, rowAlias)
    return sql`to_json(${field.type.output?.(stored) ?? stored})`
  })
  return values.length === 1 ? (values[0] as Sql) : sql`json_build_array(${join(values)})`
}

/** Returns the condition that a row of the physical table is a row of `_before`. */
export const matchesBefore = (table: Table): Sql =>
  allEqual(
    table.primaryKey.map((field) => table.storage.field(field, rowAlias)),
    table.primaryKey.map((_, position) => sql`_before.${keyName(position)}`),
  )

/** Returns fields as columns of `_row`. */
export const rowColumns = (fields: readonly Field[]): Sql[] => fields.map(({ column }) => sql`_row.${column}`)

/** Returns the condition that each expression equals the one at the same position of the other list. */
export const allEqual = (some: readonly Sql[], others: readonly Sql[]): Sql =>
  join(
    some.map((one, position) => sql`${one} = ${others[position] as Sql}`),
    sql` and `,
  )

/** Returns the condition that a record would change the primary key of its row, which is a conflict. */
export function movesKey(table: Table, { counts }: InputRows): Sql {
  const moves = table.primaryKey
    .filter((field) => counts.has(field.name))
    .map((field) => {
      const sent = sql`_input.${inputColumn(table, field)}`
      return sql`(_input._sent ? ${field.name} and ${sent} <> _row.${field.column})`
    })
  return moves.length > 0 ? join(moves, sql` or `) : sql`false`
}

interface AssignmentOptions {
  /** Fields that are not set, in addition to the primary key. */
  kept: readonly Field[]
  /** The record. */
  sent: Sql
  /** Returns the value of a field that the record has. */
  value: (field: Field) => Sql
  /** Whether fields that the record omits are set to their defaults. */
  whole?: boolean
}

/** Returns what an update sets: the fields that the record has, and `updated_at`. */
export function assignments(
  table: Table,
  { counts, count }: InputRows,
  { kept, sent, value, whole = false }: AssignmentOptions,
): Sql {
  const unset = [...table.primaryKey, ...kept, table.createdAt, table.updatedAt]
  const set = [...table.fields.values()]
    .filter((field) => (whole || counts.has(field.name)) && !unset.includes(field) && !isComputed(field))
    .map((field) => {
      if (!counts.has(field.name)) return [field, defaultOf(table, field) ?? sql`null`] as const
      const isAlwaysSent = counts.get(field.name) === count
      const present = table.storage.field(field, rowAlias)
      return [field, isAlwaysSent ? value(field) : ifSent(sent, field, value(field), present)] as const
    })
  const touched = [...set, ...touch(table)]
  const [key] = table.primaryKey as [Field]
  // An update that sets nothing still gives the record a new version.
  return table.storage.assignment(touched.length > 0 ? touched : [[key, table.storage.field(key, rowAlias)]])
}

/**
 * Returns the new value of `updated_at`. It is the time of the clock, not of the transaction's start: of two
 * writes that wait for each other, the later one gets the later time. R12.
 */
export const touch = ({ updatedAt }: Table): (readonly [Field, Sql])[] =>
  updatedAt ? [[updatedAt, sql`clock_timestamp()`]] : []
