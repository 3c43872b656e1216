/** Renders records as JSON: their fields, and the records related to them. */
import { emptySql, identifier, join, literal, type Sql, sql } from '../../../db/sql.ts'
import type { Relationship } from '../../model/relationships.ts'
import type { Field, Table } from '../../model/table.ts'
import { relatedMax } from '../parse/view.ts'
import type { Populate, Shown } from '../plan/shown.ts'
import { isAlways } from '../predicate.ts'
import { fieldSql, innerRow, type Row, row } from '../row.ts'
import { joins } from './joins.ts'
import { andNotDeleted, isRelated, renderPredicate } from './render.ts'
import { renderOrder, termsOf } from './render-order.ts'

/** Renders a record as JSON. `of` is its row, to which populated relationships refer. */
export function recordJson(table: Table, shown: Shown = everything, of: Row = row): Sql {
  const columns = recordColumns(table, shown, of)
  return (
    asJson(columns, shown.populate, of) ?? sql`(select row_to_json(_whole) from (select ${columns}) _whole)`
  )
}

/** All fields, without related records. */
const everything: Shown = { fields: undefined, populate: [] }

/** How to select records and turn them into JSON. The selection of `columns` must be named `_record`. */
export interface RecordSelection {
  columns: Sql
  /** The argument of json_agg. */
  item: Sql
  /** One record as JSON. */
  json: Sql
  /** Returns the record from the JSON object of a row with these columns. */
  unwrap(row: string): string
}

const plain: Omit<RecordSelection, 'columns'> = {
  item: sql`_record`,
  json: sql`row_to_json(_record)`,
  unwrap: (row) => row,
}
const whole: Omit<RecordSelection, 'columns'> = {
  item: sql`_record._json`,
  json: sql`_record._json`,
  unwrap: (row) => row.slice('{"_json":'.length, -'}'.length),
}

/**
 * Returns how to select records with columns of the row `of`. The columns may include populated
 * relationships.
 */
export function recordSelection(columns: Sql, populate: readonly Populate[], of: Row = row): RecordSelection {
  const json = asJson(columns, populate, of)
  return json ? { columns: sql`${json} as _json`, ...whole } : { columns, ...plain }
}

/**
 * Renders columns as JSON. If an array was cut, the member `_more` has the numbers of related records by
 * relationship. Returns undefined if no relationship is to many. `offset 0` keeps Postgres from computing an
 * array twice. R5.
 */
function asJson(columns: Sql, populate: readonly Populate[], of: Row): Sql | undefined {
  const counts = populate.flatMap((populated) => {
    const { name, to } = populated.relationship
    if (to === 'one' || populated.question?.limit !== undefined) return []
    const last = relatedMax + (populated.question?.offset ?? 0)
    const all = sql`select nullif(count(*), ${last}) ${relatedRecords(populated, of)}`
    const isFull = sql`json_array_length(_whole.${identifier(name)}) = ${relatedMax}`
    return [sql`${literal(name)}, case when ${isFull} then (${all}) end`]
  })
  if (counts.length === 0) return undefined
  const withMore = sql`(left(row_to_json(_whole)::text, -1) || ',"_more":' || _more.counts || '}')::json`
  const more = sql`select json_strip_nulls(json_build_object(${join(counts)}))::text as counts offset 0`
  return sql`(select case _more.counts when '{}' then row_to_json(_whole) else ${withMore} end
    from (select ${columns} offset 0) _whole, lateral (${more}) _more)`
}

const plainColumns = new WeakMap<Table, Sql>()

/**
 * Renders the columns of a record as they appear in JSON: the fields in the order of the schema, then the
 * populated relationships. `of` must be the only row of its statement.
 */
export function recordColumns(table: Table, { fields, populate }: Shown = everything, of: Row = row): Sql {
  if (!fields && populate.length === 0) return allColumns(table)
  const populated = new Map(populate.map((one) => [one.relationship.name, populatedColumn(one, of)]))
  const isColumnReplaced = [...populated.keys()].some((name) => table.fields.has(name))
  const counts = countColumn(populate, of)
  if (!fields && !isColumnReplaced) return join([allColumns(table), ...populated.values(), ...counts])
  // A related record takes the place of the column that has its name.
  const columns = [...(fields ?? table.fields.values())].map((field) => {
    const instead = populated.get(field.name)
    populated.delete(field.name)
    return instead ?? recordColumn(field)
  })
  return join([...columns, ...populated.values(), ...counts])
}

function allColumns(table: Table): Sql {
  let columns = plainColumns.get(table)
  if (!columns) {
    columns = join([...table.fields.values()].map(recordColumn))
    plainColumns.set(table, columns)
  }
  return columns
}

function recordColumn(field: Field): Sql {
  const column = fieldSql(field)
  return field.type.output ? sql`${field.type.output(column)} as ${identifier(field.name)}` : column
}

/** The columns of relationships of the records themselves, without further relationships in them. */
const plainPopulated = new WeakMap<Relationship, Sql>()

/** Renders the records related to the row `of` as a column with the name of the relationship. */
export function populatedColumn(populate: Populate, of: Row): Sql {
  const { fields, question } = populate
  if (of !== row || fields || question || populate.populate.length > 0) return populatedBy(populate, of)
  let column = plainPopulated.get(populate.relationship)
  if (!column) {
    column = populatedBy(populate, of)
    plainPopulated.set(populate.relationship, column)
  }
  return column
}

/**
 * Renders the column `_count`: the number of related records by relationship. Returns nothing if no count is
 * requested.
 */
export function countColumn(populate: readonly Populate[], of: Row): Sql[] {
  const counts = populate.flatMap((populated) =>
    populated.question?.count
      ? [sql`${literal(populated.relationship.name)}, (select count(*) ${relatedRecords(populated, of)})`]
      : [],
  )
  return counts.length > 0 ? [sql`json_build_object(${join(counts)}) as _count`] : []
}

/**
 * Renders a subquery for each row: its cost depends on the rows of the page, not on the size of the tables.
 */
function populatedBy(populated: Populate, of: Row): Sql {
  const { populate } = populated
  const { name, to, target } = populated.relationship
  const record = innerRow(of)
  const { columns, item, json } = recordSelection(recordColumns(target, populated, record), populate, record)
  if (to === 'one')
    return sql`(select ${json} from (select ${columns} ${relatedRecords(populated, of)}) _record)
      as ${identifier(name)}`
  return sql`(select coalesce(json_agg(${item}), '[]')
    from (select ${columns} ${firstRecords(populated, of)}) _record) as ${identifier(name)}`
}

/** Selects the first rows related to `of`, in their order. */
function firstRecords(populated: Populate, of: Row): Sql {
  const { question, relationship } = populated
  const { target } = relationship
  const record = innerRow(of)
  const skipped = question?.offset ? sql` offset ${question.offset}` : emptySql
  const limit = sql`${question?.limit ?? relatedMax}${skipped}`
  const joined = joins(record)
  const order = question
    ? renderOrder(termsOf(question.order, joined))
    : join(target.primaryKey.map((field) => fieldSql(field, record)))
  const joinsSql = joined.sql()
  if (joinsSql === emptySql) return sql`${relatedRecords(populated, of)} order by ${order} limit ${limit}`
  // The names of columns are not qualified, so they must belong to a single row.
  const source = sql`(select ${target.storage.sourceColumns(record.alias)}
    ${relatedRecords(populated, of, joinsSql)} order by ${order} limit ${limit})`
  return sql`from ${target.storage.rows(source)} ${record.alias}`
}

/** Selects the rows related to `of`. `joined` follows the table in the `from` clause. */
function relatedRecords({ relationship, question }: Populate, of: Row, joined = emptySql): Sql {
  const { target } = relationship
  const record = innerRow(of)
  const condition = sql`${isRelated(relationship, of, record)}${andNotDeleted(target, record)}`
  const asked =
    question && !isAlways(question.where) ? sql` and ${renderPredicate(question.where, record)}` : emptySql
  return sql`from ${target.rows} ${record.alias}${joined} where ${condition}${asked}`
}
