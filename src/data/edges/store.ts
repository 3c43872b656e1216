/** The statements that read and write edges. */
import { moment } from '../../db/moment.ts'
import { join, large, type Sql, sql } from '../../db/sql.ts'
import type { Field, Table, TableGraph } from '../datatables/table.ts'
import { places, refusedAnswer, refusedStep, type Step, unlessRefused, writeStatement } from '../providers/steps.ts'
import type { Range } from '../query/ast.ts'
import { visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render.ts'
import { fieldSql, row } from '../query/row.ts'
import { ends } from './body.ts'

type GraphTable = Table & { graph: TableGraph }

/** A key as it stands in a record. */
const shown = ({ type }: Pick<Field, 'type'>, column: Sql): Sql => type.output?.(column) ?? column

/** One of `_edge` as JSON. */
const edgeJson = ({ graph: { key } }: GraphTable): Sql => sql`json_build_object(
  'id', _edge.id, 'from_id', ${shown(key, sql`_edge.from_id`)}, 'to_id', ${shown(key, sql`_edge.to_id`)}, 'type', _edge.type,
  'metadata', _edge.metadata, 'created_at', ${moment(sql`_edge.created_at`)})`

/** The same in a graph's answer. */
export const graphEdgeJson = ({ graph: { key } }: GraphTable): Sql => sql`json_build_object(
  'id', _edge.id, 'from', ${shown(key, sql`_edge.from_id`)}, 'to', ${shown(key, sql`_edge.to_id`)}, 'type', _edge.type, 'metadata', _edge.metadata)`

/** What of edges is asked for; undefined: any. */
export interface EdgeFilter {
  from: readonly string[] | undefined
  to: readonly string[] | undefined
  types: readonly string[] | undefined
}

/** One row: `data`, the page as the text of a JSON array, and `total`. In the order of the unique index: what leaves a node stands together. */
export function selectEdges(table: GraphTable, { from, to, types }: EdgeFilter, { limit, offset }: Range): Sql {
  const { edges, key } = table.graph
  const among = (column: Sql, values: readonly string[] | undefined, type: Sql) => (values ? [sql`${column} = any (${values}::${type}[])`] : [])
  const conditions = [
    isThere(table),
    ...among(sql`_edge.from_id`, from, key.type.column),
    ...among(sql`_edge.to_id`, to, key.type.column),
    ...among(sql`_edge.type`, types, sql`text`),
  ]
  const matching = sql`from ${edges} _edge where ${join(conditions, sql` and `)}`
  return sql`
    select (select count(*) ${matching}) as total, coalesce(json_agg(${edgeJson(table)} order by from_id, type, to_id), '[]')::text as data
      from (select _edge.* ${matching} order by from_id, type, to_id limit ${limit} offset ${offset}) _edge`
}

/** That neither end of `_edge` is soft-deleted. G6. */
function isThere({ graph: { key }, rows, softDelete }: GraphTable): Sql {
  if (!softDelete) return sql`true`
  const hidden = (end: Sql) =>
    sql`exists (select from ${rows} ${row.alias} where ${fieldSql(key, row)} = ${end} and ${fieldSql(softDelete, row)} is true)`
  return sql`not ${hidden(sql`_edge.from_id`)} and not ${hidden(sql`_edge.to_id`)}`
}

/** What a write of edges answers. */
export interface WrittenEdges {
  /** As the text of a JSON array, in the order of the body. */
  data: string
  total: number
  /** The places in the body of edges with an end that is no record, by the end. */
  refused: Partial<Record<(typeof ends)[number]['name'], number[] | null>>
}

/** `text` is that of an array of `count` checked edges. All of them, or none. */
export function insertEdges(table: GraphTable, text: string, count: number): Sql {
  const written = sql`
    insert into ${table.graph.edges} as _edge (id, from_id, to_id, type, metadata)
    select _id, from_id, to_id, _type, _metadata from _given where ${unlessRefused(objections)} order by from_id, _type, to_id
    returning _edge.*`
  const answer = sql`
    (select count(*) from _written) as total,
    coalesce((select json_agg(${edgeJson(table)} order by _given._n) from _written _edge join _given on _given._id = _edge.id), '[]')::text as data,
    ${refusedAnswer}`
  return writeStatement([givenStep(table, text, count), nodesStep(table), refusedStep(objections), ['_written', written]], answer)
}

/** Of the one edge in an array. Answers `found`, too: whether there is such an edge. */
export function updateEdge(table: GraphTable, id: string, text: string): Sql {
  const { edges } = table.graph
  const written = sql`
    update ${edges} _edge set from_id = _given.from_id, to_id = _given.to_id, type = _given._type, metadata = _given._metadata
      from _given where _edge.id = ${id}::uuid and ${unlessRefused(objections)}
    returning _edge.*`
  const answer = sql`
    (select count(*) from _written) as total, (select ${edgeJson(table)} from _written _edge)::text as data,
    exists (select from ${edges} where id = ${id}::uuid) as found, ${refusedAnswer}`
  return writeStatement([givenStep(table, text, 1), nodesStep(table), refusedStep(objections), ['_written', written]], answer)
}

/** Answers `deleted`: how many of them there were. */
export function deleteEdgesById({ graph: { edges } }: GraphTable, ids: readonly string[]): Sql {
  const before: Step = ['_before', sql`select id from ${edges} where id = any (${ids}::uuid[]) order by id for update`]
  const written: Step = ['_written', sql`delete from ${edges} using _before where ${edges}.id = _before.id returning 1`]
  return writeStatement([before, written], sql`(select count(*) from _written) as deleted`)
}

function givenStep({ graph: { key } }: GraphTable, text: string, count: number): Step {
  const { column, input, read } = key.type
  const value = ({ name, alias }: (typeof ends)[number]) => {
    const said = sql`coalesce(_said ->> ${name}, _said ->> ${alias})::${input ?? column}`
    return read?.(said) ?? said
  }
  const [from, to] = ends.map(value) as [Sql, Sql]
  // The limit cuts nothing: it tells the planner how many there are.
  return [
    '_given',
    sql`select _n - 1 as _n, gen_random_uuid() as _id, ${from} as from_id, ${to} as to_id, _said ->> 'type' as _type,
               coalesce(nullif(_said -> 'metadata', 'null'), '{}') as _metadata
          from jsonb_array_elements(${large(text)}::jsonb) with ordinality _body (_said, _n) limit ${count}`,
  ]
}

/** The records at their ends, locked in the order of their keys, so that no two writers wait for each other. Soft-deleted ones are none. */
function nodesStep(table: GraphTable): Step {
  const { key, types } = table.graph
  const column = fieldSql(key, row)
  const isLimited = types.some(({ maxOutgoing, maxIncoming }) => maxOutgoing !== undefined || maxIncoming !== undefined)
  return [
    '_nodes',
    sql`select ${column} as _node from ${table.rows} ${row.alias}
         where ${column} in (select from_id from _given union select to_id from _given) and ${renderPredicate(visible(table), row)}
         order by ${column} ${isLimited ? sql`for no key update` : sql`for key share`} of ${row.alias}`,
  ]
}

const missing = (end: Sql): Sql => places(sql`_given where not exists (select from _nodes where _node = ${end})`)
const objections = { from_id: missing(sql`from_id`), to_id: missing(sql`to_id`) }
