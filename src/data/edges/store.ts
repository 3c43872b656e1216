/** The statements that read and write edges. */
import { isoTimestamp } from '../../db/iso-timestamp.ts'
import { join, type Sql, sql } from '../../db/sql.ts'
import type { Field, Table, TableGraph } from '../model/table.ts'
import {
  type Cte,
  conflictsAnswer,
  conflictsCte,
  ifNoConflicts,
  places,
  writeStatement,
} from '../providers/writes/ctes.ts'
import { bodyOf, type InputRows } from '../providers/writes/input.ts'
import type { Range } from '../query/parse/ast.ts'
import { visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render/render.ts'
import { fieldSql, row } from '../query/row.ts'
import { ends } from './body.ts'

type GraphTable = Table & { graph: TableGraph }

/** Returns a key as it appears in a record. */
const keyOutput = ({ type }: Pick<Field, 'type'>, column: Sql): Sql => type.output?.(column) ?? column

/** Renders `_edge` as JSON. */
const edgeJson = ({ graph: { key } }: GraphTable): Sql => sql`json_build_object(
  'id', _edge.id, 'from_id', ${keyOutput(key, sql`_edge.from_id`)},
  'to_id', ${keyOutput(key, sql`_edge.to_id`)}, 'type', _edge.type, 'metadata', _edge.metadata,
  'created_at', ${isoTimestamp(sql`_edge.created_at`)})`

/** Renders `_edge` as JSON with the members of `format=graph`. */
export const graphEdgeJson = ({ graph: { key } }: GraphTable): Sql => sql`json_build_object(
  'id', _edge.id, 'from', ${keyOutput(key, sql`_edge.from_id`)}, 'to', ${keyOutput(key, sql`_edge.to_id`)},
  'type', _edge.type, 'metadata', _edge.metadata)`

/** A filter for edges. An undefined member means any value. */
export interface EdgeFilter {
  from: readonly string[] | undefined
  to: readonly string[] | undefined
  types: readonly string[] | undefined
}

/**
 * Selects a page of edges, in the order of the unique index, which groups them by their first node. The row
 * has the text of a JSON array and the total, which is null if it is not counted.
 */
export function selectEdges(
  table: GraphTable,
  { from, to, types }: EdgeFilter,
  { limit, offset }: Range,
  isCounted: boolean,
): Sql<{ data: string; total: number | null }> {
  const { edges, edgePages, key } = table.graph
  const among = (column: Sql, values: readonly string[] | undefined, type: Sql) =>
    values ? [sql`${column} = any (${values}::${type}[])`] : []
  const conditions = [
    isThere(table),
    ...among(sql`_edge.from_id`, from, key.type.column),
    ...among(sql`_edge.to_id`, to, key.type.column),
    ...among(sql`_edge.type`, types, sql`text`),
  ]
  const matching = (relation: Sql, more = sql`true`) =>
    sql`from ${relation} _edge where ${join([...conditions, more], sql` and `)}`
  const pageOf = (relation: Sql, more?: Sql) => sql`
    (select _edge.* ${matching(relation, more)}
      order by from_id, type, to_id limit ${limit} offset ${offset})`
  const total = isCounted ? sql`(select count(*) ${matching(edges)})` : sql`null::bigint`
  const isFew = sql`(select total from _counted) <= ${fewEdges}`
  const page =
    isCounted && edgePages
      ? sql`${pageOf(edges, isFew)} union all ${pageOf(edgePages, sql`not ${isFew}`)}`
      : pageOf(edgePages ?? edges)
  return sql<{ data: string; total: number | null }>`
    with _counted as materialized (select ${total} as total)
    select (select total from _counted) as total,
           coalesce(json_agg(${edgeJson(table)} order by from_id, type, to_id), '[]')::text as data
      from (${page}) _edge`
}

/**
 * So many edges are read at once and sorted. To find a page of so few among many, in their order, takes
 * longer.
 */
const fewEdges = 1000

/** Returns the condition that neither end of `_edge` is soft-deleted. G6. */
function isThere({ graph: { key }, rows, softDelete }: GraphTable): Sql {
  if (!softDelete) return sql`true`
  const hidden = (end: Sql) =>
    sql`exists (select from ${rows} ${row.alias}
                 where ${fieldSql(key, row)} = ${end} and ${fieldSql(softDelete, row)} is true)`
  return sql`not ${hidden(sql`_edge.from_id`)} and not ${hidden(sql`_edge.to_id`)}`
}

/** The answer of a write of edges. */
export interface WrittenEdges {
  /** The edges as the text of a JSON array, in the order of the body. */
  data: string
  total: number
  /** Their ids in the same order, as the text of a JSON array. Omitted: not returned. */
  ids?: string
  /** The positions in the body of edges whose end is not a record, by the end. */
  conflicts: Partial<Record<(typeof ends)[number]['name'], number[] | null>>
}

/** The validated edges of a body. */
type InputEdges = Pick<InputRows, 'text' | 'count' | 'taken'>

/** Inserts all edges, or none. */
export function insertEdges(table: GraphTable, input: InputEdges): Sql<WrittenEdges> {
  const written = sql`
    insert into ${table.graph.edges} as _edge (id, from_id, to_id, type, metadata)
    select _id, from_id, to_id, _type, _metadata from _input
     where ${ifNoConflicts(conflicts)} order by from_id, _type, to_id
    returning _edge.*`
  const answer = sql`
    (select count(*) from _written) as total,
    coalesce((select json_agg(${edgeJson(table)} order by _input._n)
                from _written _edge join _input on _input._id = _edge.id), '[]')::text as data,
    (select json_agg(_input._id order by _input._n) from _input)::text as ids, ${conflictsAnswer}`
  return writeStatement(
    [inputCte(table, input), nodesCte(table), conflictsCte(conflicts), ['_written', written]],
    answer,
  )
}

/**
 * Replaces an edge. `text` is a JSON array of the one validated edge. `found` tells whether the id exists.
 */
export function updateEdge(
  table: GraphTable,
  id: string,
  text: string,
): Sql<WrittenEdges & { found: boolean }> {
  const { edges } = table.graph
  const written = sql`
    update ${edges} _edge
       set from_id = _input.from_id, to_id = _input.to_id, type = _input._type, metadata = _input._metadata
      from _input where _edge.id = ${id}::uuid and ${ifNoConflicts(conflicts)}
    returning _edge.*`
  const answer = sql`
    (select count(*) from _written) as total, (select ${edgeJson(table)} from _written _edge)::text as data,
    exists (select from ${edges} where id = ${id}::uuid) as found, ${conflictsAnswer}`
  return writeStatement(
    [inputCte(table, { text, count: 1 }), nodesCte(table), conflictsCte(conflicts), ['_written', written]],
    answer,
  )
}

/** Deletes an edge. That it does not exist is a conflict. */
export function deleteEdge({ graph: { edges } }: GraphTable, id: string): Sql<{ ids: string }> {
  const written: Cte = ['_written', sql`delete from ${edges} where id = ${id}::uuid returning id`]
  const missing = { missing: sql`select json_build_array(0) where not exists (select from _written)` }
  return writeStatement(
    [written, conflictsCte(missing)],
    sql`(select json_agg(id) from _written)::text as ids, ${conflictsAnswer}`,
  )
}

/** Deletes edges by their ids, and ignores unknown ids. */
export function deleteEdgesById(
  { graph: { edges } }: GraphTable,
  ids: readonly string[],
): Sql<{ deleted: number }> {
  const before: Cte = [
    '_before',
    sql`select id from ${edges} where id = any (${ids}::uuid[]) order by id for update`,
  ]
  const written: Cte = [
    '_written',
    sql`delete from ${edges} using _before where ${edges}.id = _before.id returning 1`,
  ]
  return writeStatement([before, written], sql`(select count(*) from _written) as deleted`)
}

function inputCte({ graph: { key } }: GraphTable, input: InputEdges): Cte {
  const { column, input: sentAs, read } = key.type
  const value = ({ name, alias }: (typeof ends)[number]) => {
    const sent = sql`coalesce(_sent ->> ${name}, _sent ->> ${alias})::${sentAs ?? column}`
    return read?.(sent) ?? sent
  }
  const [from, to] = ends.map(value) as [Sql, Sql]
  // The limit cuts nothing off. It tells the planner the number of rows.
  return [
    '_input',
    sql`select _body._n - 1 as _n, gen_random_uuid() as _id, ${from} as from_id, ${to} as to_id,
               _sent ->> 'type' as _type, coalesce(nullif(_sent -> 'metadata', 'null'), '{}') as _metadata
          from ${bodyOf(input)} limit ${input.count}`,
  ]
}

/**
 * The records at their ends, locked in the order of their keys, so that no two writers wait for each other.
 * Soft-deleted ones are none.
 */
function nodesCte(table: GraphTable): Cte {
  const { key, types } = table.graph
  const column = fieldSql(key, row)
  const isLimited = types.some(
    ({ maxOutgoing, maxIncoming }) => maxOutgoing !== undefined || maxIncoming !== undefined,
  )
  return [
    '_nodes',
    sql`select ${column} as _node from ${table.rows} ${row.alias}
         where ${column} in (select from_id from _input union select to_id from _input)
           and ${renderPredicate(visible(table), row)}
         order by ${column} ${isLimited ? sql`for no key update` : sql`for key share`} of ${row.alias}`,
  ]
}

const missing = (end: Sql): Sql =>
  places(sql`_input where not exists (select from _nodes where _node = ${end})`)
const conflicts = { from_id: missing(sql`from_id`), to_id: missing(sql`to_id`) }
