/**
 * Renders the CTEs of a walk, which is breadth first. Where each node can be reached by one way only, or the
 * walk is short, it has a row for each node and depth. Otherwise it has one row for each level: its nodes,
 * and all nodes seen before, as arrays. So each node is reached once and each of its edges is read once,
 * however many paths there are.
 */
import { emptySql, join, type Sql, sql } from '../../kernel/db/sql.ts'
import { all, isAlways, type Predicate } from '../query/predicate.ts'
import { joins } from '../query/render/joins.ts'
import { renderPredicate } from '../query/render/render.ts'
import { renderOrder, termsOf } from '../query/render/render-order.ts'
import { fieldSql, row } from '../query/row.ts'
import type { Direction } from './parse.ts'
import { labelsOf, type WalkPlan } from './plan.ts'

/**
 * Renders the CTEs up to `_listed`: the listed rows of the table, with their key `_node`, their `_depth`, the
 * number of the type by which they were reached, `_way`, and their position from 1, `_n`. For the descendants
 * of one record of a hierarchy `pages` they are:
 *
 *     _start as materialized (
 *       select _row.id as _node from site_7.shop_pages _row where _row.id = $1::bigint),
 *     _down (_node, _depth) as (
 *       select _node, 0 from _start
 *       union all
 *       select _edge.from_id, _before._depth + 1
 *         from _down _before join site_7.shop_pages_edges _edge on _edge.to_id = _before._node
 *        where true and _before._depth < 10),
 *     _listed as materialized (
 *       select _row.*, _row.id as _node, _found._depth, _found._way,
 *              row_number() over (order by _found._depth, _row.id) as _n
 *         from (select _node, _depth, 0::integer as _way from _down where _depth >= 0) _found
 *         join site_7.shop_pages _row on _row.id = _found._node
 *        where true)
 */
export function renderWalk(plan: WalkPlan): Sql {
  const { table, directions, listed, order, isWhole, passes } = plan
  const key = fieldSql(table.graph.key, row)
  const joined = joins()
  const terms = renderOrder(termsOf(order, joined))
  return sql`
    ${startCte(plan)},
    ${join(directions.map((direction) => levelsCte(plan, direction)))},
    _listed as materialized (
      select ${row.alias}.*, ${key} as _node, _found._depth, _found._way,
             row_number() over (order by _found._depth, ${terms}) as _n
        from (${foundNodes(plan)}) _found ${joinNodes(plan)}${joined.sql()}
       where ${renderPredicate(isWhole ? all([passes, listed]) : listed, row)})`
}

/** Returns the join of the records of the found nodes, or of all records. */
function joinNodes({ table, isWhole }: WalkPlan): Sql {
  const isFound = sql`${fieldSql(table.graph.key, row)} = _found._node`
  if (table.isView && !isWhole)
    return sql`
      cross join lateral (select * from ${table.rows} ${row.alias} where ${isFound} offset 0) ${row.alias}`
  return sql`${isWhole ? sql`right join` : sql`join`} ${table.rows} ${row.alias} on ${isFound}`
}

/**
 * Returns the join of the edges, as `_edge`, that a condition on the preceding row finds. In a view for
 * guests, Postgres uses the index of the edges only if they are in a subquery of their own.
 */
export const joinEdges = ({ table: { graph, isView } }: WalkPlan, condition: Sql): Sql =>
  isView
    ? sql`cross join lateral (select * from ${graph.edges} _edge where ${condition} offset 0) _edge`
    : sql`join ${graph.edges} _edge on ${condition}`

/**
 * Selects the nodes of all levels, with `_node`, `_depth` and `_way`. Each appears once, but with `include`
 * once under each of its labels. G3.
 */
function foundNodes(plan: WalkPlan): Sql {
  const { form, directions } = plan
  const { names, ofWays } = labelsOf(plan)
  const isInclude = form === 'include'
  const found = directions.map((direction) =>
    isInclude && plan.types.length > 1 && names.length > 1
      ? nodesByEdges(plan, direction)
      : nodesByLevels(plan, direction, isInclude ? 1 : 0),
  )
  const both = join(found, sql` union all `)
  if (!isInclude && found.length === 1) return both
  if (!isInclude) return sql`select distinct on (_node) * from (${both}) _found order by _node, _depth, _way`
  if (found.length === 1 && names.length === 1) return both
  const label = sql`(${ofWays}::integer[])[_way + 1]`
  return sql`
    select distinct on (_node, ${label}) * from (${both}) _found order by _node, ${label}, _depth, _way`
}

/** Selects the nodes that one direction of a walk reaches, from a depth. */
export function nodesByLevels(plan: WalkPlan, direction: Direction, depthMin: number): Sql {
  const levels = levelsName[direction]
  if (isTree(plan))
    return sql`
    select _node, _depth, ${wayOf(plan, direction)} as _way
      from ${levels} where _depth >= ${depthMin}::integer`
  if (hasRows(plan))
    return sql`
    select _node, min(_depth) as _depth, ${wayOf(plan, direction)} as _way
      from ${levels} group by _node having min(_depth) >= ${depthMin}::integer`
  return sql`
    select _found._node, ${levels}._depth, _found._way
      from ${levels} cross join unnest(_nodes, _ways) _found (_node, _way)
     where ${levels}._depth >= ${depthMin}::integer`
}

/** A walk up to this depth reads an edge so many times at most, if it has a row for each node and depth. */
const depthShort = 2

/** Tells whether each node has one neighbor at most at one end, and no cycle: triggers see to it. */
const isLimited = ({ types: [type, ...others], passesDeleted }: WalkPlan, end: 'in' | 'out'): boolean =>
  others.length === 0 &&
  !passesDeleted &&
  type?.acyclic === true &&
  (end === 'out' ? type.maxOutgoing : type.maxIncoming) === 1

/** Tells whether a walk reaches each node once. */
const isTree = (plan: WalkPlan): boolean => isLimited(plan, 'out')

/** Tells whether a walk has a row for each node and depth, instead of one for each level. */
const hasRows = (plan: WalkPlan): boolean =>
  isTree(plan) || isLimited(plan, 'in') || (plan.types.length === 1 && plan.depth <= depthShort)

/**
 * Selects the nodes at the end of every edge from a level, so that a node appears under each of its labels.
 */
function nodesByEdges(plan: WalkPlan, direction: Direction): Sql {
  const levels = levelsName[direction]
  const [near, far] = endsOf(direction)
  const reached = sql`select unnest(_nodes) as _node from ${levels} where _depth > 0`
  return sql`
    select _edge.${far} as _node, _level._depth + 1 as _depth, ${wayOf(plan, direction)} as _way
      from ${levels} _level cross join unnest(_level._nodes) _near (_node)
      ${joinEdges(plan, sql`_edge.${near} = _near._node`)}
      join (${reached}) _reached on _reached._node = _edge.${far}
     where _level._depth < ${plan.depth}::integer and ${isOfTypes(plan)}`
}

/** Returns the ends of an edge in the direction of a walk: where it comes from, and where it leads. */
export const endsOf = (direction: Direction): [near: Sql, far: Sql] =>
  direction === 'descendants' ? [sql`to_id`, sql`from_id`] : [sql`from_id`, sql`to_id`]

/** The name of the CTE of levels in each direction. */
const levelsName: Record<Direction, Sql> = { descendants: sql`_down`, ancestors: sql`_up` }

/**
 * Returns the CTE `_start`. Roots have no outgoing edge of the types to a node that the walk can reach. G3.
 */
function startCte(plan: WalkPlan): Sql {
  const { table, start, passes } = plan
  const { edges, key } = table.graph
  const keySql = fieldSql(key, row)
  const node = sql`select ${keySql} as _node from ${table.rows} ${row.alias}`
  if (start === 'outer') return sql`_start as materialized (select ${keySql} as _node)`
  if (start !== 'roots') return sql`_start as materialized (${node} where ${renderPredicate(start, row)})`
  if (isAlways(passes)) {
    const outgoing = sql`select from ${edges} _edge where _edge.from_id = ${keySql} and ${isOfTypes(plan)}`
    return sql`_start as materialized (${node} where not exists (${outgoing}))`
  }
  return sql`_there as materialized (${node} where ${renderPredicate(passes, row)}), _start as materialized (
    select _node from _there _near
     where not exists (select from ${edges} _edge join _there _far on _far._node = _edge.to_id
                        where _edge.from_id = _near._node and ${isOfTypes(plan)}))`
}

/** Returns the CTE of one direction with a row for each node and depth. */
function rowsCte(plan: WalkPlan, direction: Direction): Sql {
  const { depth, passes } = plan
  const [near, far] = endsOf(direction)
  const levels = levelsName[direction]
  const reachable = isAlways(passes) ? emptySql : sql` and ${existsNode(plan, passes, sql`_edge.${far}`)}`
  return sql`${levels} (_node, _depth) as (
    select _node, 0 from _start
    union${isTree(plan) ? sql` all` : emptySql}
    select _edge.${far}, _before._depth + 1
      from ${levels} _before ${joinEdges(plan, sql`_edge.${near} = _before._node`)}
     where ${isOfTypes(plan)}${reachable} and _before._depth < ${depth}::integer)`
}

/**
 * Returns the CTE of one direction. With a row for each level, `_ways` has the first type by which each node
 * was reached.
 */
function levelsCte(plan: WalkPlan, direction: Direction): Sql {
  if (hasRows(plan)) return rowsCte(plan, direction)
  const { depth, passes } = plan
  const [near, far] = endsOf(direction)
  const levels = levelsName[direction]
  const reachable = isAlways(passes) ? emptySql : sql` where ${existsNode(plan, passes, sql`_new._node`)}`
  // Nodes that were seen before are grouped with the new ones, and removed by their way of -1. The cost is
  // proportional to the number of rows with any plan of Postgres.
  return sql`${levels} (_depth, _nodes, _ways, _seen) as (
    select 0, array_agg(_node), '{}'::integer[], array_agg(_node) from _start having count(*) > 0
    union all
    select _before._depth + 1, _level._nodes, _level._ways, _before._seen || _level._nodes
      from ${levels} _before cross join lateral (
        select array_agg(_new._node) as _nodes, array_agg(_new._way) as _ways
          from (select _node, min(_way) as _way
                  from (select _edge.${far} as _node, ${wayOf(plan, direction)} as _way
                          from unnest(_before._nodes) _frontier (_node)
                          ${joinEdges(plan, sql`_edge.${near} = _frontier._node`)} where ${isOfTypes(plan)}
                        union all
                        select _node, -1 from unnest(_before._seen) _seen (_node)) _all
                 group by _node having min(_way) >= 0) _new${reachable}) _level
     where _before._depth < ${depth}::integer and _level._nodes is not null)`
}

/** Returns the condition that a record with this key exists and passes a predicate. */
export const existsNode = ({ table }: WalkPlan, passes: Predicate, key: Sql): Sql =>
  sql`exists (select from ${table.rows} ${row.alias}
               where ${fieldSql(table.graph.key, row)} = ${key} and ${renderPredicate(passes, row)})`

/**
 * Returns the number of an edge's type among those of the traversal. Those of the second direction follow
 * those of the first.
 */
export function wayOf({ types, directions }: WalkPlan, direction?: Direction): Sql {
  const offset = direction ? directions.indexOf(direction) * types.length : 0
  if (types.length === 1) return sql`${offset}::integer`
  return sql`array_position(${types.map(({ name }) => name)}::text[], _edge.type) - 1 + ${offset}::integer`
}

/** Returns the name of the type by which a node was reached. */
export const typeOfWay = ({ types }: WalkPlan): Sql =>
  sql`(${types.map(({ name }) => name)}::text[])[_row._way % ${types.length}::integer + 1]`

/**
 * Returns the condition that an edge has a type of the traversal. The table contains only types of the
 * schema.
 */
export const isOfTypes = ({ types, table }: WalkPlan): Sql =>
  types.length === table.graph.types.length
    ? sql`true`
    : sql`_edge.type = any (${types.map(({ name }) => name)}::text[])`
