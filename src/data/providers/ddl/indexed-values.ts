/** The values that an index of a schema contains: fields, and properties inside them. */
import { emptySql, join, renderText, type Sql, sql, withInlineValues } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { readingOf } from '../../model/index-problems.ts'
import { type NamedValue, namedValue, namesOf, propertySql } from '../../model/property.ts'
import type { IndexSchema } from '../../model/schema-form.ts'
import type { Table } from '../../model/table.ts'
import type { DdlStep } from '../provider.ts'
import { columnOf } from './fields.ts'

/** Returns the fields that an index is made on, each once. */
export const indexedFields = (table: Table, { fields }: IndexSchema): string[] => [
  ...new Set(fields.map((name) => valueNamed(table, name).field)),
]

/** Renders what an index is made on, separated by commas. */
export const indexedValues = (table: Table, index: IndexSchema): Sql =>
  join(
    index.fields.map((name, position) => {
      const direction = index.descending?.includes(name) ? descending(table, name, position) : emptySql
      return sql`${valueSql(table, name)}${operatorClass(index)}${direction}`
    }),
  )

/**
 * Returns the direction of a value, as orders have it: records without a value come last, except by the first
 * field, by which records without a value are read apart (query/render/render-zones.ts).
 */
function descending(table: Table, name: string, position: number): Sql {
  const { field, inside } = valueNamed(table, name)
  const isNullable = inside.length > 0 || !table.fields.get(field)?.required
  return position > 0 && isNullable ? sql` desc nulls last` : sql` desc`
}

/** Returns the value with a name, which was checked with the schema. */
const valueNamed = ({ fields }: Table, name: string): NamedValue => namedValue(name, fields) as NamedValue

function valueSql(table: Table, name: string): Sql {
  const value = valueNamed(table, name)
  const column = columnOf(table, value.field)
  const as = readingOf(value)
  return as ? withInlineValues(sql`(${propertySql(column, { path: namesOf(value.inside), as })})`) : column
}

/** A trigram index finds parts of texts. The extension pg_trgm has its operators. */
const operatorClass = ({ method }: IndexSchema): Sql => (method === 'trigram' ? sql` ${trigrams}` : emptySql)

const trigrams = sql`tessera.gin_trgm_ops`

export const needsTrigrams = ({ statements, onlinePhase = [] }: DdlStep): boolean =>
  [...statements, ...onlinePhase.map(({ statement }) => statement)].some((statement) =>
    renderText(statement).includes(renderText(trigrams)),
  )

/** How many values an index of Postgres has at most. */
const valuesMax = 32

/**
 * Returns the field of soft deletion if it becomes the last value of an index, so that Postgres counts in the
 * index alone. It can do that only if all values of the index are columns.
 */
export function deletionMark(
  { softDelete, storage, fields }: Table,
  index: IndexSchema,
  filtered: readonly Field[],
): Field | undefined {
  const isOfColumns = storage.hasColumns && index.fields.every((name) => fields.has(name))
  if (!softDelete || !isOfColumns || index.method !== 'btree' || index.unique) return undefined
  if (index.fields.length >= valuesMax) return undefined
  const isThere = index.fields.includes(softDelete.name) || filtered.includes(softDelete)
  return isThere ? undefined : softDelete
}
