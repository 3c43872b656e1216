/** The statements that read edges. */

import { aggregateWithin, jsonMeasure } from '../../kernel/db/answer-size.ts'
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import { edgeJson, type GraphTable, keyOutput } from '../providers/writes/edges.ts'
import type { Range } from '../query/parse/ast.ts'
import { fieldSql, row } from '../query/row.ts'

/** Renders `_edge` as JSON with the members of `format=graph`. */
export const graphEdgeJson = ({ graph: { key } }: GraphTable): Sql => sql`json_build_object(
  'id', _edge.id, 'from', ${keyOutput(key, sql`_edge.from_id`)}, 'to', ${keyOutput(key, sql`_edge.to_id`)},
  'type', _edge.type, 'metadata', _edge.metadata)`

/** Returns an aggregate of `_edge`, whose metadata can be long. Fails as `aggregateWithin` does. */
export const edgesWithin = (aggregate: Sql, rows: number): Sql =>
  aggregateWithin(aggregate, {
    measure: jsonMeasure(sql`_edge.metadata`),
    rows,
  })

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
  if (!edgePages) {
    const total = isCounted ? sql`(select count(*) ${matching(edges)})` : sql`null::bigint`
    return answerOf(table, limit, sql`select ${total} as total`, pageOf(edges))
  }
  const few = fewFor({ limit, offset })
  const counted = isCounted
    ? sql`select count(*) as total, count(*) <= ${few} as is_few ${matching(edges)}`
    : sql`select null::bigint as total, count(*) <= ${few} as is_few
            from (select ${matching(edges)} limit ${few + 1}) _seen`
  const isFew = sql`(select is_few from _counted)`
  return answerOf(
    table,
    limit,
    counted,
    sql`${pageOf(edges, isFew)} union all ${pageOf(edgePages, sql`not ${isFew}`)}`,
  )
}

/**
 * Returns the maximum number of visible edges that a guest's page reads at once and sorts. For so few edges,
 * reading in the order of the index takes longer, because Postgres checks all hidden edges in between.
 */
const fewFor = ({ limit, offset }: Pick<Range, 'limit' | 'offset'>): number =>
  Math.max(500, 2 * (offset + limit))

function answerOf(
  table: GraphTable,
  limit: number,
  counted: Sql,
  page: Sql,
): Sql<{ data: string; total: number | null }> {
  const edges = edgesWithin(sql`json_agg(${edgeJson(table)} order by from_id, type, to_id)`, limit)
  return sql`
    with _counted as materialized (${counted})
    select (select total from _counted) as total,
           coalesce(${edges}, '[]')::text as data
      from (${page}) _edge`
}

/** Returns the condition that neither end of `_edge` is soft-deleted. G6. */
function isThere({ graph: { key }, rows, softDelete }: GraphTable): Sql {
  if (!softDelete) return sql`true`
  const hidden = (end: Sql) =>
    sql`exists (select from ${rows} ${row.alias}
                 where ${fieldSql(key, row)} = ${end} and ${fieldSql(softDelete, row)} is true)`
  return sql`not ${hidden(sql`_edge.from_id`)} and not ${hidden(sql`_edge.to_id`)}`
}
