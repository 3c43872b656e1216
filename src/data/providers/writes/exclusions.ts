/**
 * The locks of exclusions. Of two writers whose records exclude each other, Postgres lets each wait for the
 * other. So each writer first locks the values that its records have and will have, all in the same order.
 * Where a record changes while a writer waits for the locks of its values, Postgres may still find a
 * deadlock; the transaction is then repeated.
 */
import { join, literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import { comparedBy } from '../../model/exclusions.ts'
import { type Field, nullOf } from '../../model/field.ts'
import { type Table, withColumns } from '../../model/table.ts'
import { isComputed, withValues } from '../../query/plan/expression/row-expression.ts'
import { all, visible } from '../../query/predicate.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import type { RecordUpdate, RecordUpsert } from '../provider.ts'
import { defaultOf, type InputRows, inputColumn, inputCte } from './input.ts'
import { allEqual, rowColumns } from './rows.ts'
import { finalValue, keysOf } from './update.ts'

/**
 * How many locks the exclusions of a site have. Different values may share one: all sites share the table of
 * locks of Postgres, so a transaction may only take few, whatever it writes.
 */
const locksMax = 128

/** The locks of rows. */
export interface LockQuery {
  /** Selects their numbers, in one pass over the rows. */
  query: Sql
  /** The size of its expressions. */
  parts: number
}

/** Returns the statement that takes locks; undefined if there are none. */
export const holdExclusions = (queries: readonly LockQuery[]): Sql | undefined =>
  queries.length === 0 ? undefined : sql`select ${heldBy(queries)}`

/** Returns an expression that takes locks in the order of their numbers, each once. */
export const heldBy = (queries: readonly LockQuery[]): Sql => sql`
  (select count(pg_advisory_xact_lock(_key))
     from (select distinct _key
             from (values ${join(queries.map(({ query }) => sql`(array(${query}))`))}) _all (_keys),
                  unnest(_keys) _key
            where _key is not null order by _key offset 0) _sorted)`

/** Rows, and the values that their fields have or will have: each of `values` for one of these times. */
interface Valued {
  from: Sql
  where: readonly Sql[]
  values: readonly ((field: Field) => Sql)[]
}

/** Characters of a formula that count as one part. */
const charactersPerPart = 10

/**
 * Returns the query of the locks of rows, for all exclusions of the table. A record without one of the values
 * that must be equal excludes none.
 */
export function lockKeys(table: Table, { from, where, values }: Valued): LockQuery[] {
  const { exclusions = [] } = table.schema
  if (exclusions.length === 0) return []
  const site = literal(renderText(table.namespace))
  const isSimple = !equalFields(table).some(isComputed)
  const keys = values.flatMap((value) => {
    const valued = (isSimple ? withColumns : withValues)(table, value)
    return exclusions.map((exclusion) => {
      const equal = equalFields(valued, [exclusion])
      const columns = equal.map(({ column, type }) => sql`(${column})::${type.column}`)
      const seed = sql`hashtextextended(${literal(`${table.physicalName} ${exclusion.name}`)}, 0)`
      const hash = columns.length === 0 ? seed : sql`hash_record_extended(row(${join(columns)}), ${seed})`
      const areThere = [...columns.map((column) => sql`${column} is not null`), sql`true`]
      const sizes = equal.map(({ formula = '' }) => 1 + formula.length / charactersPerPart)
      const parts = Math.max(
        1,
        sizes.reduce((sum, size) => sum + size, 0),
      )
      const number = sql`${hash} & ${literal(locksMax - 1)}::bigint`
      const slot = sql`case when ${join(areThere, sql` and `)} then ${number} end`
      return { key: sql`hashtextextended(${site}, ${slot})`, parts }
    })
  })
  const query = sql`
    select unnest(array[${join(keys.map(({ key }) => key))}]) from ${from}
     where ${join([...where, sql`true`], sql` and `)}`
  return [{ query, parts: keys.reduce((sum, { parts }) => sum + parts, 0) }]
}

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
export function keysOfCreation(table: Table, input: InputRows): LockQuery[] {
  const fields = comparedFields(table)
  const filled = defaultedFields(table)
  return lockKeys(table, {
    from: inputRows(table, input, fields, filled),
    where: [],
    values: [
      (field) =>
        input.counts.has(field.name) || filled.includes(field) ? inputColumn(table, field) : nullOf(field),
    ],
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
): LockQuery[] {
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
): LockQuery[] => [
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

function keysOfExisting(table: Table, { input, found, key, filled, whole = false }: Existing): LockQuery[] {
  const rows = inputRows(table, input, [...comparedFields(table), ...key], filled)
  const stored = (field: Field) => sql`_row.${field.column}`
  const future = (field: Field) =>
    whole && !input.counts.has(field.name)
      ? (defaultOf(table, field) ?? nullOf(field))
      : finalValue(table, input, field, sql`_input`, stored(field))
  return lockKeys(table, { from: sql`${table.rows} _row, ${rows}`, where: found, values: [stored, future] })
}
