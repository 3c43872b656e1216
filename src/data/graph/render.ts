/** Renders the plan of a walk as a statement whose answer is one row of JSON texts and numbers. */

import { answerBytesMax } from '../../kernel/db/answer-bytes.ts'
import { aggregateWithin, madeMeasure, within } from '../../kernel/db/answer-size.ts'
import { withData } from '../../kernel/db/data-sql.ts'
import { emptySql, identifier, join, type Sql, sql } from '../../kernel/db/sql.ts'
import { edgesWithin, graphEdgeJson } from '../edges/store.ts'
import { isAlways } from '../query/predicate.ts'
import { renderPredicate } from '../query/render/render.ts'
import { dataWithin, type ExtraColumns } from '../query/render/render-list.ts'
import { recordJson, recordSelection, selectedRecords } from '../query/render/render-record.ts'
import { fieldSql, row } from '../query/row.ts'
import type { Direction } from './parse.ts'
import { labelsOf, type WalkPlan } from './plan.ts'
import {
  endsOf,
  existsNode,
  isOfTypes,
  joinEdges,
  nodesByLevels,
  renderWalk,
  typeOfWay,
  wayOf,
} from './render-walk.ts'

/*
 * Example: the record 7 of a hierarchy "staff", whose texts are short, with its descendants, two levels deep
 * (`?descendants=true&depth=2`). test/dev/statement-examples.test.ts compares it with what is rendered.
 *
 *   with recursive
 *   _start as materialized (select _row.id as _node from site_7.shop_staff _row where _row.id = '7'::bigint),
 *   _down (_node, _depth) as (
 *     select _node, 0 from _start
 *     union all
 *     select _edge.from_id, _before._depth + 1
 *       from _down _before join site_7.shop_staff_edges _edge on _edge.to_id = _before._node
 *      where true and _before._depth < '2'::integer),
 *   _listed as materialized (
 *     select _row.*, _row.id as _node, _found._depth, _found._way,
 *            row_number() over (order by _found._depth, _row.id) as _n
 *       from (select _node, _depth, '0'::integer as _way from _down where _depth >= '1'::integer) _found
 *       join site_7.shop_staff _row on _row.id = _found._node where true)
 *   select start, case when octet_length(lists) <= '12582912' then lists
 *                 else tessera.refuse_answer(12582912) end as data
 *     from (select (select (select row_to_json(_whole) from (select … name) _whole)
 *                     from site_7.shop_staff _row where _row.id = _start._node)::text as start,
 *                  ',"children":'::text || (select coalesce(json_agg(_record), '[]')
 *                     from (select … name, _depth from _listed _row
 *                            where ('{0}'::integer[])[_way + 1] = '0'::integer order by _n
 *                           offset 0) _record)::text as lists
 *             from _start offset 0) _answer
 */

/** The answer of `include`. There is no row if the record does not exist. */
export interface IncludeRow {
  /** The record, as JSON text. */
  start: string | null
  /** The arrays of nodes as members of JSON text, under their `labelsOf`, each with a comma before it. */
  data: string
}

/** The number of nodes of a large walk. */
const usualNodes = 1_000

/**
 * Renders the nodes of one record. The CTEs are those of render-walk.ts. In a hierarchy, the rest is:
 *
 *     select start, case when octet_length(lists) <= 12582912 then lists else … end as data
 *       from (select (select … from pages _row where _row.id = _start._node)::text as start,
 *                    ',"children":'::text || (select coalesce(json_agg(_record), '[]')
 *                       from (select id, title, _depth from _listed _row
 *                              where ('{0}'::integer[])[_way + 1] = 0 order by _n offset 0) _record
 *                    )::text as lists
 *               from _start offset 0) _answer
 */
export function renderInclude(plan: WalkPlan): Sql<IncludeRow> {
  const { table, start: origin } = plan
  if (typeof origin === 'string') throw new TypeError('include needs one record to start from')
  const { names } = labelsOf(plan)
  const lists = nodeLists(plan).map(
    (nodes, index) => sql`${`,${JSON.stringify(names[index])}:`}::text || (${nodes})::text`,
  )
  const isStart = sql`${fieldSql(table.graph.key, row)} = _start._node`
  const start = sql`(select ${recordJson(table, plan)} from ${table.rows} ${row.alias} where ${isStart})`
  const include = sql<IncludeRow>`
    with recursive ${renderWalk(plan)}
    select start, ${within(sql`octet_length(lists)`, sql`lists`, answerBytesMax)} as data
      from (select ${start}::text as start, ${join(lists, sql` || `)} as lists
              from _start offset 0) _answer`
  return withData(include, ['start'])
}

/** Renders the nodes of each record of a list, as further columns of its statement. G5. */
export function includeColumns(plan: WalkPlan): ExtraColumns {
  const names = labelsOf(plan).names.map(identifier)
  const lists = nodeLists(plan).map((nodes, index) => sql`(${nodes}) as ${names[index] as Sql}`)
  return {
    names: labelsOf(plan).names,
    columns: join(
      names.map((name) => sql`, _nodes.${name}`),
      emptySql,
    ),
    from: sql` cross join lateral (with recursive ${renderWalk(plan)} select ${join(lists)}) _nodes`,
  }
}

/** Returns a query for the array of nodes under each label. */
function nodeLists(plan: WalkPlan): Sql[] {
  const { table } = plan
  const { names, ofWays } = labelsOf(plan)
  const type = table.graph.types.length > 1 ? sql`, ${typeOfWay(plan)} as _relationship_type` : emptySql
  const { columns, array } = recordSelection(selectedRecords(table, plan, { beside: sql`, _depth${type}` }))
  return names.map((_, index) => {
    const nodes = sql`select ${columns} from _listed _row
                       where (${ofWays}::integer[])[_way + 1] = ${index}::integer order by _n`
    return sql`select ${array(usualNodes)} from (${nodes} offset 0) _record`
  })
}

/** The answer of a graph. */
export interface GraphRow {
  /** The nodes as the text of a JSON array. */
  data: string
  /** The edges as the text of a JSON array. */
  edges: string
  /** The number of nodes. */
  total: number
}

/** Renders a graph: its nodes, and the edges between them. */
export function renderGraph(plan: WalkPlan): Sql<GraphRow> {
  const { table } = plan
  const { columns, array } = recordSelection(selectedRecords(table, plan, { beside: sql`, _depth` }))
  const listed = sql`(select ${columns} from _listed _row order by _n offset 0) _record`
  const nodes = sql`select ${array(usualNodes)} from ${listed}`
  const list = sql`json_agg(${graphEdgeJson(table)} order by _near._n, _far._n, _edge.type)`
  const edges = sql`
    select coalesce(${edgesWithin(list, usualNodes)}, '[]')
      from ${edgesBetweenListed(plan, sql`from_id`, sql`to_id`)} where ${isOfTypes(plan)}`
  const bytes = sql`octet_length(_nodes) + octet_length(_edges)`
  const graph = sql<GraphRow>`
    with recursive ${renderWalk(plan)}
    select _nodes as data, ${within(bytes, sql`_edges`, answerBytesMax)} as edges, total
      from (select (${nodes})::text as _nodes, (${edges})::text as _edges,
                   (select count(*) from _listed) as total
             where ${hasStart(plan)} offset 0) _answer`
  return withData(graph, ['edges', 'total'])
}

/** The most bytes of a tree. The Worker assembles it and needs more copies of it than Postgres would. */
export const treeBytesMax = 8 * 1024 * 1024

/** The answer of a tree. */
export interface TreeRow {
  /** The records as JSON texts, roots first. */
  data: string
  /** The number of roots. */
  starts: number
  /** The position, from 0, of each edge's parent, child and type. */
  edges: [above: number[], below: number[], types: number[]]
  /** The number of records that the tree does not reach. G3. */
  omitted: number
}

/**
 * The limit for counting the records that the tree of one record omits: the whole table may be below that
 * record.
 */
const omittedMax = 10_000

/** Renders a tree: its nodes and edges, from which tree.ts writes it. */
export function renderTree(plan: WalkPlan): Sql<TreeRow> {
  const { table, directions, depth } = plan
  const [above, below] = endsOf(directions[0] ?? 'descendants')
  // If there are several edges between two nodes, the one with the first type is used.
  const pairs = sql`
    select _near._n - 1 as _above, _far._n - 1 as _below, min(${wayOf(plan)}) as _way
      from ${edgesBetweenListed(plan, above, below)}
     where ${isOfTypes(plan)} and _near._depth < ${depth}::integer group by 1, 2 order by 1, 2`
  const list = (column: Sql) => sql`coalesce(array_agg(${column}), '{}')`
  const edges = sql`
    select json_build_array(${list(sql`_above`)}, ${list(sql`_below`)}, ${list(sql`_way`)})
      from (${pairs}) _edges`
  const beyond = plan.start === 'roots' ? emptySql : sql`, ${beyondCte(plan)}`
  const nodes = aggregateWithin(sql`json_agg(_node._json::text order by _node._n)`, {
    measure: madeMeasure(sql`_node._json`),
    rows: usualNodes,
    bytesMax: treeBytesMax,
  })
  const listed = sql`(select ${recordJson(table, plan)} as _json, _row._n from _listed _row offset 0) _node`
  const tree = sql<TreeRow>`
    with recursive ${renderWalk(plan)}${beyond}
    select ${dataWithin(sql`_nodes`, treeBytesMax)}, starts, (${countOmitted(plan)}) as omitted,
           ${within(sql`octet_length(edges)`, sql`edges`, treeBytesMax)}::json as edges
      from (select (select coalesce(${nodes}, '[]') from ${listed})::text as _nodes,
                   (select count(*) from _listed where _depth = 0) as starts, (${edges})::text as edges
             where ${hasStart(plan)} offset 0) _answer`
  return withData(tree, ['starts', 'omitted', 'edges'])
}

/** Returns the edges between listed nodes, as `_edge` with the ends `_near` and `_far`. */
const edgesBetweenListed = (plan: WalkPlan, near: Sql, far: Sql): Sql =>
  plan.table.isView
    ? sql`_listed _near ${joinEdges(plan, sql`_edge.${near} = _near._node`)}
          join _listed _far on _far._node = _edge.${far}`
    : sql`${plan.table.graph.edges} _edge join _listed _near on _near._node = _edge.${near}
                                          join _listed _far on _far._node = _edge.${far}`

/** Returns the condition that there is an answer: the record exists, or the walk is from all roots. */
const hasStart = ({ start }: WalkPlan): Sql => sql`exists (select from _start) or ${start === 'roots'}`

/** Returns a query for the number of omitted records. */
function countOmitted({ table, start, passes }: WalkPlan): Sql {
  if (start === 'roots') {
    const listed = sql`(select count(*) from _listed)`
    return sql`
      select count(*) - ${listed} from ${table.rows} ${row.alias} where ${renderPredicate(passes, row)}`
  }
  const isListed = sql`exists (select from _listed where _listed._node = _beyond._node)`
  return sql`select count(*) from (select from _beyond where not ${isListed} limit ${omittedMax}) _more`
}

/** Returns the CTE of the nodes that the tree of one record would reach next if it were deeper. */
function beyondCte(plan: WalkPlan): Sql {
  const { directions, depth, passes } = plan
  const [direction] = directions as [Direction]
  const [near, far] = endsOf(direction)
  const reachable = isAlways(passes) ? emptySql : sql` and ${existsNode(plan, passes, sql`_edge.${far}`)}`
  const next = (from: Sql) => sql`
    select _edge.${far} from ${from} _near ${joinEdges(plan, sql`_edge.${near} = _near._node`)}
     where ${isOfTypes(plan)}${reachable}`
  const last = sql`(${nodesByLevels(plan, direction, depth)})`
  return sql`_beyond (_node) as (${next(last)} union ${next(sql`_beyond`)})`
}
