/** The rows that a write is about: found, locked, and then written by their key. */
import { identifier, join, nothing, type Sql, sql } from '../../../db/sql.ts'
import type { Field, Table } from '../../datatables/table.ts'
import { recordColumns, recordJson } from '../../query/render.ts'
import type { Given } from '../../records/validate.ts'
import { defaultOf, givenColumn, whereSaid } from '../given.ts'
import type { Step } from '../steps.ts'

interface Search {
  /** What the table's rows, `_row`, are joined with; which of them are meant; what is kept of them beside the row itself. */
  joined?: Sql
  where: readonly Sql[]
  kept: readonly Sql[]
  /** Whether soft-deleted rows are meant, too. R13. */
  hidden: boolean
  rowsMax?: number
  /** Whether the rows as they were are kept, too: as `_data` and `_version`. */
  state: boolean
  /** `update` where they are to be deleted: nobody may refer to them from then on. */
  lock: 'no key update' | 'update'
}

/** The row that a write is about, of the physical table or of what records are selected from. */
export const alias = sql`_row`

/**
 * The step `_before`: the rows, locked in the order of their key before anything is decided, so that nobody changes
 * them meanwhile, and no two writes wait for each other.
 */
export function beforeStep(table: Table, { joined = nothing, where, kept, hidden, rowsMax, state, lock }: Search): Step {
  const keys = rowColumns(table.primaryKey)
  const meant = table.softDelete && !hidden ? [...where, sql`_row.${table.softDelete.column} is not true`] : where
  const columns = [...kept, ...keys.map((key, position) => sql`${key} as ${keyName(position)}`), ...(state ? [recordState(table)] : [])]
  return [
    '_before',
    sql`select ${join(columns)} from ${table.rows} _row ${joined} where ${join(meant, sql` and `)}
         order by ${join(keys)} ${rowsMax === undefined ? nothing : sql`limit ${rowsMax}`} for ${locks[lock]} of _row`,
  ]
}

const locks = { 'no key update': sql`no key update`, update: sql`update` }

const keyName = (position: number): Sql => identifier(`_k${position}`)

/** What every step keeps of a record: it as JSON, and who wrote it last. */
const recordState = (table: Table): Sql => sql`${recordJson(table)} as _data, _row.xmin as _version`

/** The same of a row of the physical table that was just written. */
export const writtenState = (table: Table): Sql =>
  sql`(select row_to_json(_whole) from (select ${recordColumns(table)}${table.storage.written(alias)}) _whole) as _data, _row.xmin as _version`

/** The row of the physical table that one of `_before` was. */
export const isBefore = (table: Table): Sql =>
  equal(
    table.primaryKey.map((field) => table.storage.field(field, alias)),
    table.primaryKey.map((_, position) => sql`_before.${keyName(position)}`),
  )

export const rowColumns = (fields: readonly Field[]): Sql[] => fields.map(({ column }) => sql`_row.${column}`)

/** Each of the one equals its like of the other. */
export const equal = (some: readonly Sql[], others: readonly Sql[]): Sql =>
  join(
    some.map((one, position) => sql`${one} = ${others[position] as Sql}`),
    sql` and `,
  )

/** Whether a record gives its row another key, which no write may. */
export function movesKey(table: Table, { counts }: Given): Sql {
  const moves = table.primaryKey
    .filter((field) => counts.has(field.name))
    .map((field) => sql`(_given._said ? ${field.name} and _given.${givenColumn(table, field)} <> _row.${field.column})`)
  return moves.length > 0 ? join(moves, sql` or `) : sql`false`
}

/**
 * What a write sets of a row: the fields that its record gives, but for `kept` ones and those that fill themselves, and `updated_at`.
 * `said` is the record, `value` what it gives; `whole`: fields that it does not give are set, too, to their defaults.
 */
export function assignments(
  table: Table,
  { counts, count }: Given,
  kept: readonly Field[],
  said: Sql,
  value: (field: Field) => Sql,
  whole = false,
): Sql {
  const own = [...table.primaryKey, ...kept, table.createdAt, table.updatedAt]
  const set = [...table.fields.values()]
    .filter((field) => (whole || counts.has(field.name)) && !own.includes(field))
    .map((field) => {
      if (!counts.has(field.name)) return [field, defaultOf(table, field) ?? sql`null`] as const
      const everywhere = counts.get(field.name) === count
      return [field, everywhere ? value(field) : whereSaid(said, field, value(field), table.storage.field(field, alias))] as const
    })
  const touched = [...set, ...touch(table)]
  const [key] = table.primaryKey as [Field]
  // A write of nothing is a write, too: it has a new version.
  return table.storage.assignment(touched.length > 0 ? touched : [[key, table.storage.field(key, alias)]])
}

/** R12. By the clock, not by the beginning of the transaction: of two writes that wait for each other, the later has the later time. */
export const touch = ({ updatedAt }: Table): (readonly [Field, Sql])[] => (updatedAt ? [[updatedAt, sql`clock_timestamp()`]] : [])
