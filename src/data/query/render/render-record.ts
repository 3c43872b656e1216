/** Renders records as JSON: their fields, and the records related to them. */

import { relatedBytesMax } from '../../../kernel/db/answer-bytes.ts'
import { aggregateWithin, type Measure, madeMeasure, recordWithin } from '../../../kernel/db/answer-size.ts'
import { emptySql, identifier, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Relationship } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import { relatedMax } from '../parse/view.ts'
import type { Populate, Shown } from '../plan/shown.ts'
import { isAlways } from '../predicate.ts'
import { fieldSql, innerRow, type Row, row } from '../row.ts'
import { measureRecords, type Place } from './answer-size.ts'
import { joins } from './joins.ts'
import { andNotDeleted, isRelated, renderPredicate } from './render.ts'
import { renderOrder, termsOf } from './render-order.ts'
import { rangeSql, selectInOrder } from './render-zones.ts'

/** Renders a record as JSON. `of` is its row, to which populated relationships refer. */
export const recordJson = (table: Table, shown: Shown = everything, of: Row = row): Sql =>
  asJson(selectedRecords(table, shown, { of }), of)

/** All fields, without related records. */
const everything: Shown = { fields: undefined, populate: [] }

/** How to select records and turn them into JSON. The selection of `columns` must be named `_record`. */
export interface RecordSelection {
  columns: Sql
  /** One record as JSON. */
  json: Sql
  /** Returns the array of records as JSON. There are usually at most `rows`. */
  array(rows: number, bytesMax?: number): Sql
  /** Returns another aggregate of the records. */
  aggregate(aggregate: Sql, rows: number, bytesMax?: number): Sql
  /** Returns the record from the JSON object of a row with these columns. */
  unwrap(row: string): string
}

/** What a selection selects. */
export interface Selected {
  /** Returns how long a row of the columns becomes. */
  measure: (place: Place & { json: readonly string[] }) => Measure | undefined
  columns: Sql
  populate: readonly Populate[]
  /** The names of further columns, which are JSON. */
  more?: readonly string[]
}

/**
 * Returns how to select rows of columns. The columns may include populated relationships of the row `of`:
 * then the JSON of each row is made first, because only then its length is known.
 */
export function recordSelection(selected: Selected, of: Row = row): RecordSelection {
  const { columns, populate, more = [] } = selected
  const isWhole = populate.length > 0 || more.length > 0
  const item = isWhole ? sql`_record._json` : sql`_record`
  const aggregate = (one: Sql, rows: number, bytesMax?: number) =>
    aggregateWithin(one, {
      rows,
      ...(isWhole
        ? { measure: madeMeasure(item) }
        : { measure: selected.measure({ of: item, rows, json: [] }), item }),
      ...(bytesMax === undefined ? {} : { bytesMax }),
    })
  return {
    columns: isWhole ? sql`${asJson(selected, of)} as _json` : columns,
    json: isWhole
      ? item
      : recordWithin(sql`row_to_json(_record)`, selected.measure({ of: item, rows: 1, json: [] })),
    array: (rows, bytesMax) => sql`coalesce(${aggregate(sql`json_agg(${item})`, rows, bytesMax)}, '[]')`,
    aggregate,
    unwrap: isWhole ? (text) => text.slice('{"_json":'.length, -'}'.length) : (text) => text,
  }
}

/** Returns what a selection of records selects. `more`: columns other than those of the records. */
export const selectedRecords = (
  table: Table,
  shown: Shown,
  { of = row, beside = emptySql, more = [] }: { of?: Row; beside?: Sql; more?: readonly string[] } = {},
): Selected => ({
  measure: (place) => measureRecords(table, shown, place),
  columns: sql`${recordColumns(table, shown, of)}${beside}`,
  populate: shown.populate,
  more,
})

/**
 * Renders columns as JSON. If an array was cut, the member `_more` has the numbers of related records by
 * relationship. `offset 0` keeps Postgres from computing an array twice. R5.
 */
function asJson({ measure, columns, populate, more = [] }: Selected, of: Row): Sql {
  const counts = populate.flatMap((populated) => {
    const { name, to } = populated.relationship
    if (to === 'one' || populated.question?.limit !== undefined) return []
    const last = relatedMax + (populated.question?.offset ?? 0)
    const all = sql`select nullif(count(*), ${last}) ${relatedRecords(populated, of)}`
    const isFull = sql`json_array_length(_whole.${identifier(name)}) = ${relatedMax}`
    return [sql`${literal(name)}, case when ${isFull} then (${all}) end`]
  })
  const json = [...populate.map(({ relationship }) => relationship.name), ...more]
  const within = (whole: Sql) => recordWithin(whole, measure({ of: sql`_whole`, rows: 1, json }))
  const fence = json.length > 0 ? sql` offset 0` : emptySql
  if (counts.length === 0)
    return sql`(select ${within(sql`row_to_json(_whole)`)} from (select ${columns}${fence}) _whole)`
  const withMore = sql`(left(row_to_json(_whole)::text, -1) || ',"_more":' || _more.counts || '}')::json`
  const cut = sql`select json_strip_nulls(json_build_object(${join(counts)}))::text as counts offset 0`
  const whole = sql`case _more.counts when '{}' then row_to_json(_whole) else ${withMore} end`
  return sql`(select ${within(whole)}
    from (select ${columns} offset 0) _whole, lateral (${cut}) _more)`
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
  const { name, to, target } = populated.relationship
  const record = innerRow(of)
  const { columns, array, json } = recordSelection(selectedRecords(target, populated, { of: record }), record)
  if (to === 'one')
    return sql`(select ${json} from (select ${columns} ${relatedRecords(populated, of)} offset 0) _record)
      as ${identifier(name)}`
  return sql`(select ${array(populated.question?.limit ?? relatedMax, relatedBytesMax)}
    from (select ${columns} ${firstRecords(populated, of)}) _record) as ${identifier(name)}`
}

/** Selects the first rows related to `of`, in their order. */
function firstRecords(populated: Populate, of: Row): Sql {
  const { question, relationship } = populated
  const { target } = relationship
  const record = innerRow(of)
  const range = { limit: question?.limit ?? relatedMax, offset: question?.offset ?? 0 }
  const joined = joins(record)
  const terms = question ? termsOf(question.order, joined) : []
  const joinsSql = joined.sql()
  if (joinsSql === emptySql && !terms[0]?.isZoned) {
    const keys = target.primaryKey.map((field) => fieldSql(field, record))
    const order = question ? renderOrder(terms) : join(keys)
    return sql`${relatedRecords(populated, of)} order by ${order} ${rangeSql(range)}`
  }
  // The names of columns are not qualified, so they must belong to a single row.
  const columns = target.storage.sourceColumns(record.alias)
  const source = sql`(${selectInOrder(terms, { columns, ...sourceOf(populated, of, joinsSql), ...range })})`
  return sql`from ${target.storage.rows(source)} ${record.alias}`
}

/** Selects the rows related to `of`. */
function relatedRecords(populated: Populate, of: Row): Sql {
  const { from, where } = sourceOf(populated, of)
  return sql`from ${from} where ${where}`
}

/** Returns the source of the rows related to `of`. `joined` follows the table in the `from` clause. */
function sourceOf({ relationship, question }: Populate, of: Row, joined = emptySql) {
  const { target } = relationship
  const record = innerRow(of)
  const condition = sql`${isRelated(relationship, of, record)}${andNotDeleted(target, record)}`
  const asked =
    question && !isAlways(question.where) ? sql` and ${renderPredicate(question.where, record)}` : emptySql
  return { from: sql`${target.rows} ${record.alias}${joined}`, where: sql`${condition}${asked}` }
}
