/** From what is meant to SQL, for reads and writes alike: predicates, and the columns of a record. Every value is bound, and has its type. */
import { identifier, join, literal, nothing, type Sql, sql } from '../../db/sql.ts'
import type { Field, Table } from '../datatables/table.ts'
import type { Populate } from './populate.ts'
import { holdsForNobody, not, type Operand, type Predicate, visible } from './predicate.ts'
import type { Relationship } from './relationships.ts'
import { between, fieldSql, inside, type Row, row } from './row.ts'

/** `of` is the row that it is about; without one it can be of the fields of a statement's only table. */
export function renderPredicate(predicate: Predicate, of?: Row): Sql {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.length === 0 ? sql`true` : joined(renderAll(predicate.of, of), sql` and `)
    case 'or':
      return predicate.of.length === 0 ? sql`false` : joined(renderAll(predicate.of, of), sql` or `)
    case 'not':
      return sql`(${renderPredicate(predicate.of, of)}) is not true`
    case 'compare': {
      const values = predicate.values.map(({ value, type }) => sql`${value}::${type}`)
      return predicate.sql(renderOperand(predicate.operand, of), ...values)
    }
    case 'hasValue':
      return sql`${renderOperand(predicate.operand, of)} ${predicate.is ? sql`is not null` : sql`is null`}`
    case 'isTrue':
      return sql`${fieldSql(predicate.field, of)} ${predicate.is ? sql`is true` : sql`is not true`}`
    case 'related':
      return renderRelated(predicate.relationship, predicate.where, of)
    case 'search':
      return sql`${searchSql(predicate, of)} @@ ${searchQuery(predicate)}`
  }
}

const renderAll = (predicates: readonly Predicate[], of?: Row) => predicates.map((predicate) => renderPredicate(predicate, of))

const joined = (fragments: readonly Sql[], by: Sql) => (fragments.length === 1 ? (fragments[0] as Sql) : sql`(${join(fragments, by)})`)

const views = { string: sql`'string'`, number: sql`'number'`, boolean: sql`'boolean'` }
const types = { string: sql`text`, number: sql`numeric`, boolean: sql`boolean` }

function renderOperand({ field, property }: Operand, of?: Row): Sql {
  const column = fieldSql(field, of)
  if (!property) return column
  const { path, as } = property
  if (as === 'json') return sql`(${column} #> ${path}::text[])`
  if (as === 'any') return sql`(${column} #>> ${path}::text[])`
  return sql`(case jsonb_typeof(${column} #> ${path}::text[]) when ${views[as]} then (${column} #>> ${path}::text[])::${types[as]} end)`
}

function renderRelated({ to, target, pairs, junction }: Relationship, where: Predicate, of?: Row): Sql {
  if (!of) throw new TypeError('a condition of a related record needs the row that it is related to')
  const record = inside(of)
  const via = between(record)
  const from = junction
    ? sql`from ${target.rows} ${record.alias}, ${junction.table.rows} ${via.alias}
           where ${equal(junction.pairs, via, record)} and ${equal(pairs, of, via)}${unlessDeleted(junction.table, via)}`
    : sql`from ${target.rows} ${record.alias} where ${equal(pairs, of, record)}`
  const found = sql`select ${from}${unlessDeleted(target, record)}`
  // Nobody there, or somebody who passes: nobody there who does not.
  return to === 'one' && holdsForNobody(where)
    ? sql`not exists (${found} and ${renderPredicate(not(where), record)})`
    : sql`exists (${found} and ${renderPredicate(where, record)})`
}

/** `near` is the row that the first fields of the pairs are of. */
export const equal = (pairs: Relationship['pairs'], near: Row, far: Row): Sql =>
  join(
    pairs.map((pair) => sql`${fieldSql(pair.far, far)} = ${fieldSql(pair.near, near)}`),
    sql` and `,
  )

export function unlessDeleted(table: Relationship['target'], of: Row): Sql {
  const predicate = visible(table)
  return predicate.kind === 'isTrue' ? sql` and ${renderPredicate(predicate, of)}` : nothing
}

const searchSql = ({ column }: { column: Sql }, of?: Row): Sql => (of ? sql`${of.alias}.${column}` : column)

const searchQuery = ({ language, text }: { language: string; text: string }): Sql => sql`websearch_to_tsquery(${language}::regconfig, ${text})`

/** How well a row fits what is searched: the more, the better. */
export const searchRank = (search: Predicate & { kind: 'search' }, of: Row): Sql => sql`ts_rank(${searchSql(search, of)}, ${searchQuery(search)})`

/** How many records stand in one array. */
const manyMax = 100

/** The record as JSON, where one row of its table is at hand: `of`, when anything is populated. */
export const recordJson = (table: Table, populate: readonly Populate[] = [], of: Row = row): Sql =>
  asJson(recordColumns(table, populate, of), populate, of) ??
  sql`(select row_to_json(_whole) from (select ${recordColumns(table, populate, of)}) _whole)`

/** A selection of records that JSON is made of. */
export interface Shown {
  /** What is selected of each, where the row it is about is at hand. The selection is named `_record`. */
  columns: Sql
  /** What is aggregated of it. */
  item: Sql
  /** One record as JSON. */
  json: Sql
}

const plain: Omit<Shown, 'columns'> = { item: sql`_record`, json: sql`row_to_json(_record)` }
const whole: Omit<Shown, 'columns'> = { item: sql`_record._json`, json: sql`_record._json` }

/** Records with these columns, among them what is populated in them. `of` is the row that the columns are about. */
export function shown(columns: Sql, populate: readonly Populate[], of: Row = row): Shown {
  const json = asJson(columns, populate, of)
  return json ? { columns: sql`${json} as _json`, ...whole } : { columns, ...plain }
}

/**
 * Columns as JSON, with `_more` where an array among them was cut: how many there are, by the name of the relationship. R5.
 * Undefined: none of them is an array of related records. `offset 0` keeps Postgres from making an array twice.
 */
function asJson(columns: Sql, populate: readonly Populate[], of: Row): Sql | undefined {
  const counts = populate.flatMap(({ relationship }) => {
    const { name, to } = relationship
    if (to === 'one') return []
    const all = sql`select nullif(count(*), ${manyMax}) ${relatedRecords(relationship, of)}`
    return [sql`${literal(name)}, case when json_array_length(_whole.${identifier(name)}) = ${manyMax} then (${all}) end`]
  })
  if (counts.length === 0) return undefined
  return sql`(select case _more.counts when '{}' then row_to_json(_whole) else (left(row_to_json(_whole)::text, -1) || ',"_more":' || _more.counts || '}')::json end
    from (select ${columns} offset 0) _whole, lateral (select json_strip_nulls(json_build_object(${join(counts)}))::text as counts offset 0) _more)`
}

/**
 * What tells one state of a record from another (R12), where `_data` is the record as JSON and `_version` the `xmin` of its row: what
 * is read changes it, be it by a change of the schema, and so does every write, be it of the same values.
 */
export const entityTag: Sql = sql`md5(_data::text || _version::text)`

const plainColumns = new WeakMap<Table, Sql>()

/** The fields in the order of the schema, each as it stands in JSON, then what is populated; as columns of `of`, the only row of its statement. */
export function recordColumns(table: Table, populate: readonly Populate[] = [], of: Row = row): Sql {
  let columns = plainColumns.get(table)
  if (!columns) {
    columns = join([...table.fields.values()].map(recordColumn))
    plainColumns.set(table, columns)
  }
  if (populate.length === 0) return columns
  const populated = new Map(populate.map((one) => [one.relationship.name, populatedColumn(one, of)]))
  const taken = [...populated.keys()].some((name) => table.fields.has(name))
  if (!taken) return join([columns, ...populated.values()])
  // An object stands in the place of the column that has its name.
  const fields = [...table.fields.values()].map((field) => {
    const instead = populated.get(field.name)
    populated.delete(field.name)
    return instead ?? recordColumn(field)
  })
  return join([...fields, ...populated.values()])
}

function recordColumn(field: Field): Sql {
  const column = fieldSql(field)
  return field.type.output ? sql`${field.type.output(column)} as ${identifier(field.name)}` : column
}

/** Of what is populated in the records themselves, and has nothing populated in it. */
const plainPopulated = new WeakMap<Relationship, Sql>()

/** What is related to `of`, by the name of the relationship. */
export function populatedColumn(populate: Populate, of: Row): Sql {
  if (of !== row || populate.populate.length > 0) return populatedBy(populate, of)
  let column = plainPopulated.get(populate.relationship)
  if (!column) {
    column = populatedBy(populate, of)
    plainPopulated.set(populate.relationship, column)
  }
  return column
}

/** A subquery a row: it costs what the rows of a page need, however large the tables are. */
function populatedBy({ relationship, populate }: Populate, of: Row): Sql {
  const { name, to, target } = relationship
  const record = inside(of)
  const { columns, item, json } = shown(recordColumns(target, populate, record), populate, record)
  const records = sql`select ${columns} ${relatedRecords(relationship, of)}`
  if (to === 'one') return sql`(select ${json} from (${records}) _record) as ${identifier(name)}`
  const order = join(target.primaryKey.map((field) => fieldSql(field, record)))
  return sql`(select coalesce(json_agg(${item}), '[]') from (${records} order by ${order} limit ${manyMax}) _record) as ${identifier(name)}`
}

/** The rows that are related to `of`, as rows inside of it. */
function relatedRecords(relationship: Relationship, of: Row): Sql {
  const { target } = relationship
  const record = inside(of)
  return sql`from ${target.rows} ${record.alias} where ${isRelated(relationship, of, record)}${unlessDeleted(target, record)}`
}

/** However often a junction joins the two, a record is related once. */
function isRelated({ pairs, junction }: Relationship, of: Row, record: Row): Sql {
  if (!junction) return equal(pairs, of, record)
  const via = between(record)
  const far = join(junction.pairs.map((pair) => fieldSql(pair.far, record)))
  const linked = join(junction.pairs.map((pair) => fieldSql(pair.near, via)))
  return sql`(${far}) in (select ${linked} from ${junction.table.rows} ${via.alias}
    where ${equal(pairs, of, via)}${unlessDeleted(junction.table, via)})`
}
