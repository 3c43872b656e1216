/** From the plan to SQL. Text appears only here; every value is bound and has its column's type. */
import { identifier, join, type Sql, sql } from '../../db/sql.ts'
import type { Field, Table } from '../datatables/table.ts'
import type { Order, Predicate, ReadPlan } from './plan.ts'

export function renderPredicate(predicate: Predicate): Sql {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.length === 0 ? sql`true` : sql`(${join(predicate.of.map(renderPredicate), sql` and `)})`
    case 'or':
      return predicate.of.length === 0 ? sql`false` : sql`(${join(predicate.of.map(renderPredicate), sql` or `)})`
    case 'not':
      return sql`(${renderPredicate(predicate.of)}) is not true`
    case 'notTrue':
      return sql`${predicate.field.column} is not true`
    case 'one':
      return predicate.operator.sql(predicate.field.column, sql`${predicate.value}::${predicate.field.type.column}`)
    case 'list':
      return predicate.operator.sql(predicate.field.column, sql`${predicate.values}::${predicate.field.type.column}[]`)
  }
}

/** Records without a value come last, both ways. R13. A column that has no nulls says nothing of them, so that its index serves. */
function renderOrder({ field, descending }: Order): Sql {
  // Qualified: a bare name would be the output column, which of a date and time is its text.
  const column = sql`_row.${field.column}`
  if (!descending) return column
  return field.required ? sql`${column} desc` : sql`${column} desc nulls last`
}

/** Aliases begin with an underscore, as no field does. One row: `data`, the page's records as the text of a JSON array, and `total`. */
export function renderList({ table, where, order, limit, offset }: ReadPlan): Sql {
  const condition = renderPredicate(where)
  return sql`
    select (select count(*) from ${table.relation} where ${condition}) as total,
           coalesce((select json_agg(_record) from (
             select ${recordColumns(table)} from ${table.relation} _row where ${condition}
              order by ${join(order.map(renderOrder))} limit ${limit} offset ${offset}) _record), '[]')::text as data`
}

/** One row with `data`, the record as JSON text, and its `etag`; or none. */
export const renderOne = (table: Table, where: Predicate): Sql => sql`
  select _data::text as data, ${entityTag} as etag
    from (select ${recordJson(table)} as _data, xmin as _version from ${table.relation} where ${renderPredicate(where)}) _record`

const columnsOf = new WeakMap<Table, Sql>()

/** The columns of a record in the order of the schema, each as it stands in its JSON. */
function recordColumns(table: Table): Sql {
  let columns = columnsOf.get(table)
  if (!columns) {
    columns = join([...table.fields.values()].map(recordColumn))
    columnsOf.set(table, columns)
  }
  return columns
}

/** The record as JSON, where one row of its table is at hand. */
export const recordJson = (table: Table): Sql => sql`(select row_to_json(_whole) from (select ${recordColumns(table)}) _whole)`

/**
 * What tells one state of a record from another (R12), where `_data` is the record as JSON and `_version` the `xmin` of its row: what
 * is read changes it, be it by a change of the schema, and so does every write, be it of the same values.
 */
export const entityTag: Sql = sql`md5(_data::text || _version::text)`

const recordColumn = ({ name, type, column }: Field): Sql => (type.output ? sql`${type.output(column)} as ${identifier(name)}` : column)
