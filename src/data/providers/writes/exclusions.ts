/**
 * The locks of exclusions. Of two writers whose records exclude each other, Postgres lets each wait for the
 * other. So each writer first locks the values that its records have and will have, all in the same order.
 * Where a record changes while a writer waits for the locks of its values, Postgres may still find a
 * deadlock; the transaction is then repeated.
 */
import { join, literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import { comparedBy } from '../../model/exclusions.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { isComputed, withValues } from '../../query/plan/expression/row-expression.ts'
import { all, visible } from '../../query/predicate.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import type { RecordUpdate, RecordUpsert } from '../provider.ts'
import { defaultOf, type InputRows, inputColumn, inputCte } from './input.ts'
import { allEqual, rowColumns } from './rows.ts'
import { finalValue, keysOf } from './update.ts'

/**
 * How many locks an exclusion has. Different values may share one; with one for each value, a write of many
 * records would fill the table of locks that all of Postgres shares.
 */
const locksMax = 128

/** Returns the statement that takes locks; undefined if there are none. */
export const holdExclusions = (keys: readonly Sql[]): Sql | undefined =>
  keys.length === 0 ? undefined : sql`select ${heldBy(keys)}`

/** Returns an expression that takes locks in the order of their numbers, each once. */
export const heldBy = (keys: readonly Sql[]): Sql => sql`
  (select count(pg_advisory_xact_lock(_key))
     from (select _key from (${join(keys, sql` union `)}) _keys order by _key offset 0) _sorted)`

/** Rows, and the values that their fields have or will have. */
interface Valued {
  from: Sql
  where: readonly Sql[]
  value(field: Field): Sql
}

/**
 * Returns the queries of the locks of rows: one for each exclusion. A record without one of the values that
 * must be equal excludes none.
 */
export const lockKeys = (table: Table, { from, where, value }: Valued): Sql[] =>
  (table.schema.exclusions ?? []).map((exclusion) => {
    const values = equalFields(withValues(table, value), [exclusion]).map(
      ({ column, type }) => sql`(${column})::${type.column}`,
    )
    const slot =
      values.length === 0
        ? sql`0`
        : sql`hash_record_extended(row(${join(values)}), 0) & ${literal(locksMax - 1)}::bigint`
    const conditions = [...where, ...values.map((value) => sql`${value} is not null`), sql`true`]
    const name = literal(`${renderText(table.relation)} ${exclusion.name}`)
    const all = join(conditions, sql` and `)
    return sql`select hashtextextended(${name}, ${slot}) as _key from ${from} where ${all}`
  })

/** Returns the fields that must be equal in records that exclude each other. */
const equalFields = (
  { schema, fields }: Table,
  exclusions: Table['schema']['exclusions'] = schema.exclusions,
): Field[] =>
  [...new Set((exclusions ?? []).flatMap((one) => comparedBy(schema, one).equal))].flatMap(
    (name) => fields.get(name) ?? [],
  )

/** Returns the fields from which those follow: all that are not computed, if any of them is. */
function comparedFields(table: Table): Field[] {
  const equal = equalFields(table)
  return equal.some(isComputed) ? [...table.fields.values()].filter((field) => !isComputed(field)) : equal
}

/**
 * Returns those of them that get a value if a record omits them. A default that generates a new value for
 * each record excludes none.
 */
export const defaultedFields = (table: Table): Field[] =>
  comparedFields(table).filter((field) => field.default !== undefined && !field.generated)

/** Returns the records of a body with some of their fields, as rows named `_input`. */
function inputRows(
  table: Table,
  input: InputRows,
  needed: readonly Field[],
  filled: readonly Field[] = [],
): Sql {
  const counts = new Map([...input.counts].filter(([name]) => needed.some((field) => field.name === name)))
  const [, rows] = inputCte(table, { ...input, counts }, filled)
  return sql`(${rows}) _input`
}

/** Returns the queries of the locks of records that are created. */
export function keysOfCreation(table: Table, input: InputRows): Sql[] {
  const fields = comparedFields(table)
  const filled = defaultedFields(table)
  return lockKeys(table, {
    from: inputRows(table, input, fields, filled),
    where: [],
    value: (field) =>
      input.counts.has(field.name) || filled.includes(field)
        ? inputColumn(table, field)
        : sql`null::${field.type.column}`,
  })
}

/**
 * Returns the queries of the locks of records that are changed, with the values that they have and will have.
 * Any change can make Postgres compare a record again.
 */
export function keysOfChange(
  table: Table,
  {
    input,
    which,
    includeDeleted,
    whole = false,
  }: Pick<RecordUpdate, 'input' | 'which' | 'includeDeleted' | 'whole'>,
): Sql[] {
  const isFilter = typeof which === 'object' && 'filter' in which
  const found = isFilter
    ? [renderPredicate(includeDeleted ? which.filter : all([which.filter, visible(table)]), row)]
    : [allEqual(rowColumns(table.primaryKey), keysOf(table, which))]
  return keysOfExisting(table, { input, found, key: table.primaryKey, whole })
}

/** Returns the queries of the locks of records that are changed or created. */
export const keysOfUpsert = (
  table: Table,
  { input, unique }: Pick<RecordUpsert, 'input' | 'unique'>,
): Sql[] => [
  ...keysOfCreation(table, input),
  ...keysOfExisting(table, {
    input,
    found: [
      allEqual(
        rowColumns(unique),
        unique.map((field) => sql`_input.${inputColumn(table, field)}`),
      ),
    ],
    key: unique,
    filled: unique,
  }),
]

/** Records that exist, and the records of a body that change them. */
interface Existing {
  input: InputRows
  found: readonly Sql[]
  /** The fields by which they are found. */
  key: readonly Field[]
  filled?: readonly Field[]
  whole?: boolean
}

function keysOfExisting(table: Table, { input, found, key, filled, whole = false }: Existing): Sql[] {
  const rows = inputRows(table, input, [...comparedFields(table), ...key], filled)
  const of = { from: sql`${table.rows} _row, ${rows}`, where: found }
  const stored = (field: Field) => sql`_row.${field.column}`
  const future = (field: Field) =>
    whole && !input.counts.has(field.name)
      ? (defaultOf(table, field) ?? sql`null::${field.type.column}`)
      : finalValue(table, input, field, sql`_input`, stored(field))
  return [...lockKeys(table, { ...of, value: stored }), ...lockKeys(table, { ...of, value: future })]
}
