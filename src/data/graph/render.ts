/**
 * From the plan of a walk to its statement. A walk is breadth first, one row a level: its nodes, and all that were seen
 * before them, as arrays. So each node is come to once, and each of its edges looked at once, however many paths there are.
 */
import { identifier, join, nothing, type Sql, sql } from '../../db/sql.ts'
import { graphEdgeJson } from '../edges/store.ts'
import { joins } from '../query/joins.ts'
import { all, isAlways } from '../query/predicate.ts'
import { recordColumns, recordJson, renderPredicate, shown } from '../query/render.ts'
import { answerBytesMax, type Beside, renderOrder, unlessTooLong } from '../query/render-list.ts'
import { fieldSql, row } from '../query/row.ts'
import type { Direction } from './parse.ts'
import { labelsOf, type WalkPlan } from './plan.ts'

/**
 * What a walk answers, as texts of JSON, null where they are too long: a row, or none where there is no start. Here `start` is the
 * record that it begins at, and `list_0` and so on are the arrays of its `labelsOf`.
 */
export type IncludeRow = Record<string, string | null>

export function renderInclude(plan: WalkPlan): Sql {
  const { table, populate, start: which } = plan
  if (typeof which === 'string') throw new TypeError('the nodes of one record are listed beside it')
  const list = labelsOf(plan).names.map((_, index) => identifier(`list_${index}`))
  const lists = listsOf(plan).map((nodes, index) => sql`(${nodes})::text as ${list[index] as Sql}`)
  const bytes = join(
    list.map((name) => sql`octet_length(${name})`),
    sql` + `,
  )
  const start = sql`(select ${recordJson(table, populate)} from ${table.rows} ${row.alias} where ${fieldSql(table.graph.key, row)} = _start._node)`
  return sql`
    with recursive ${walk(plan)}
    select start, ${join(list.map((name) => sql`case when _bytes <= ${answerBytesMax} then ${name} end as ${name}`))}
      from (select *, ${bytes} as _bytes from (select ${start}::text as start, ${join(lists)} from _start offset 0) _lists offset 0) _answer`
}

/** The same for each record of a list, in the statement that reads it: columns by the names of their labels, and where they come from. G5. */
export function includeBeside(plan: WalkPlan): Beside {
  const names = labelsOf(plan).names.map(identifier)
  const lists = listsOf(plan).map((nodes, index) => sql`(${nodes}) as ${names[index] as Sql}`)
  return {
    columns: join(
      names.map((name) => sql`, _nodes.${name}`),
      nothing,
    ),
    from: sql` cross join lateral (with recursive ${walk(plan)} select ${join(lists)}) _nodes`,
  }
}

/** Of each label a query for its array of nodes. */
function listsOf(plan: WalkPlan): Sql[] {
  const { table, populate } = plan
  const { names, ofWays } = labelsOf(plan)
  const type = table.graph.types.length > 1 ? sql`, ${typeOf(plan)} as _relationship_type` : nothing
  const { columns, item } = shown(sql`${recordColumns(table, populate)}, _depth${type}`, populate)
  return names.map((_, index) => {
    const nodes = sql`select ${columns} from _listed _row
                       where (${ofWays}::integer[])[_way + 1] = ${index}::integer order by _n`
    return sql`select coalesce(json_agg(${item}), '[]') from (${nodes}) _record`
  })
}

export interface GraphRow {
  /** Arrays. */
  data: string | null
  edges: string | null
  /** How many nodes there are. */
  total: number
}

export function renderGraph(plan: WalkPlan): Sql {
  const { table, populate } = plan
  const { columns, item } = shown(sql`${recordColumns(table, populate)}, _depth`, populate)
  const nodes = sql`select coalesce(json_agg(${item}), '[]') from (select ${columns} from _listed _row order by _n) _record`
  const edges = sql`
    select coalesce(json_agg(${graphEdgeJson(table)} order by _near._n, _far._n, _edge.type), '[]')
      from ${table.graph.edges} _edge join _listed _near on _near._node = _edge.from_id join _listed _far on _far._node = _edge.to_id
     where ${ofTypes(plan)}`
  return sql`
    with recursive ${walk(plan)}
    select ${unlessTooLong(sql`_nodes`)}, case when octet_length(_nodes) + octet_length(_edges) <= ${answerBytesMax} then _edges end as edges, total
      from (select (${nodes})::text as _nodes, (${edges})::text as _edges, (select count(*) from _listed) as total
             where exists (select from _start) or ${plan.start === 'roots'} offset 0) _answer`
}

/** A tree is put together here, of more copies than what Postgres makes whole: it may be half as long. */
export const treeBytesMax = 8 * 1024 * 1024

export interface TreeRow {
  /** The records as texts of JSON, those where it begins first; null where they are too long. */
  data: string | null
  /** How many of them it begins with. */
  starts: number
  /** Three lists: of each edge the places, from 0, of the node above it, of the one below, and of its type; null where they are too long. */
  edges: [above: number[], below: number[], types: number[]] | null
  /** How many records it does not come to. G3. */
  omitted: number
}

/** From one record so many at most are counted: what is below its tree may be all that there is. */
const omittedMax = 10_000

export function renderTree(plan: WalkPlan): Sql {
  const { table, populate, directions, depth } = plan
  const [above, below] = endsOf(directions[0] ?? 'descendants')
  // Of several edges between two nodes the first type counts.
  const edges = sql`
    select json_build_array(coalesce(array_agg(_above), '{}'), coalesce(array_agg(_below), '{}'), coalesce(array_agg(_way), '{}'))
      from (select _near._n - 1 as _above, _far._n - 1 as _below, min(${wayOf(plan)}) as _way
              from ${table.graph.edges} _edge join _listed _near on _near._node = _edge.${above} join _listed _far on _far._node = _edge.${below}
             where ${ofTypes(plan)} and _near._depth < ${depth}::integer group by 1, 2 order by 1, 2) _edges`
  const beyond = plan.start === 'roots' ? nothing : sql`, ${beyondStep(plan)}`
  const omitted =
    plan.start === 'roots'
      ? sql`select count(*) - (select count(*) from _listed) from ${table.rows} ${row.alias} where ${renderPredicate(plan.passes, row)}`
      : sql`select count(*) from (select from _beyond where not exists (select from _listed where _listed._node = _beyond._node) limit ${omittedMax}) _more`
  return sql`
    with recursive ${walk(plan)}${beyond}
    select ${unlessTooLong(sql`_nodes`, treeBytesMax)}, starts, (${omitted}) as omitted, case when octet_length(edges) <= ${treeBytesMax} then edges::json end as edges
      from (select (select coalesce(json_agg(${recordJson(table, populate)}::text order by _row._n), '[]') from _listed _row)::text as _nodes,
                   (select count(*) from _listed where _depth = 0) as starts, (${edges})::text as edges
             where exists (select from _start) or ${plan.start === 'roots'} offset 0) _answer`
}

/** The nodes that a tree of one record would go on to, were it deeper. */
function beyondStep(plan: WalkPlan): Sql {
  const { table, directions, depth, passes } = plan
  const [direction] = directions as [Direction]
  const { edges, key } = table.graph
  const [near, far] = endsOf(direction)
  const isThere = isAlways(passes)
    ? nothing
    : sql` and exists (select from ${table.rows} ${row.alias} where ${fieldSql(key, row)} = _edge.${far} and ${renderPredicate(passes, row)})`
  const next = (from: Sql) =>
    sql`select _edge.${far} from ${from} _near join ${edges} _edge on _edge.${near} = _near._node where ${ofTypes(plan)}${isThere}`
  const last = sql`(select unnest(_nodes) as _node from ${stepName[direction]} where _depth = ${depth}::integer)`
  return sql`_beyond (_node) as (${next(last)} union ${next(sql`_beyond`)})`
}

/** The steps up to `_listed`: the listed rows of the table, with `_node`, their key, `_depth`, `_way`, and `_n`, their place from 1. */
function walk(plan: WalkPlan): Sql {
  const { table, directions, listed, order, isWhole, passes } = plan
  const key = fieldSql(table.graph.key, row)
  const joined = joins()
  const terms = renderOrder(order, joined)
  return sql`
    ${startOf(plan)},
    ${join(directions.map((direction) => level(plan, direction)))},
    _listed as materialized (
      select ${row.alias}.*, ${key} as _node, _found._depth, _found._way, row_number() over (order by _found._depth, ${terms}) as _n
        from (${foundBy(plan)}) _found ${isWhole ? sql`right` : nothing} join ${table.rows} ${row.alias} on ${key} = _found._node${joined.sql()}
       where ${renderPredicate(isWhole ? all([passes, listed]) : listed, row)})`
}

/** The nodes that the levels came to, as `_node`, `_depth`, `_way`: each once; of `include` once under each of its labels. G3. */
function foundBy(plan: WalkPlan): Sql {
  const { form, directions } = plan
  const { names, ofWays } = labelsOf(plan)
  const isInclude = form === 'include'
  const found = directions.map((direction) =>
    isInclude && names.length > 1 ? foundByEdges(plan, direction) : foundByLevels(direction, isInclude ? 1 : 0),
  )
  const both = join(found, sql` union all `)
  if (!isInclude) return found.length === 1 ? both : sql`select distinct on (_node) * from (${both}) _found order by _node, _depth, _way`
  if (found.length === 1 && names.length === 1) return both
  const label = sql`(${ofWays}::integer[])[_way + 1]`
  return sql`select distinct on (_node, ${label}) * from (${both}) _found order by _node, ${label}, _depth, _way`
}

const foundByLevels = (direction: Direction, from: number): Sql => {
  const name = stepName[direction]
  return sql`select _found._node, ${name}._depth, _found._way from ${name} cross join unnest(_nodes, _ways) _found (_node, _way) where ${name}._depth >= ${from}::integer`
}

/** By all edges that lead on from a level: a node can be reached again, under another label. */
function foundByEdges(plan: WalkPlan, direction: Direction): Sql {
  const name = stepName[direction]
  const [near, far] = endsOf(direction)
  return sql`
    select _edge.${far} as _node, _level._depth + 1 as _depth, ${wayOf(plan, direction)} as _way
      from ${name} _level cross join unnest(_level._nodes) _near (_node)
      join ${plan.table.graph.edges} _edge on _edge.${near} = _near._node
      join (select unnest(_nodes) as _node from ${name} where _depth > 0) _reached on _reached._node = _edge.${far}
     where _level._depth < ${plan.depth}::integer and ${ofTypes(plan)}`
}

/** The ends of an edge where one comes from, and where it leads. */
const endsOf = (direction: Direction): [near: Sql, far: Sql] =>
  direction === 'descendants' ? [sql`to_id`, sql`from_id`] : [sql`from_id`, sql`to_id`]

const stepName: Record<Direction, Sql> = { descendants: sql`_down`, ancestors: sql`_up` }

/** Roots are nodes that no edge of the types leads away from, to a node that is there. G3. */
function startOf(plan: WalkPlan): Sql {
  const { table, start, passes } = plan
  const { edges, key } = table.graph
  const node = sql`select ${fieldSql(key, row)} as _node from ${table.rows} ${row.alias}`
  if (start === 'outer') return sql`_start as materialized (select ${fieldSql(key, row)} as _node)`
  if (start !== 'roots') return sql`_start as materialized (${node} where ${renderPredicate(start, row)})`
  const leads = sql`select from ${edges} _edge`
  if (isAlways(passes)) {
    return sql`_start as materialized (${node} where not exists (${leads} where _edge.from_id = ${fieldSql(key, row)} and ${ofTypes(plan)}))`
  }
  return sql`_there as materialized (${node} where ${renderPredicate(passes, row)}), _start as materialized (
    select _node from _there _near
     where not exists (${leads} join _there _far on _far._node = _edge.to_id where _edge.from_id = _near._node and ${ofTypes(plan)}))`
}

/** One way: a row a level. `_ways` say of each node by which type it was first reached. */
function level(plan: WalkPlan, direction: Direction): Sql {
  const { table, depth, passes } = plan
  const { edges, key } = table.graph
  const [near, far] = endsOf(direction)
  const name = stepName[direction]
  const isThere = isAlways(passes)
    ? nothing
    : sql` where exists (select from ${table.rows} ${row.alias} where ${fieldSql(key, row)} = _new._node and ${renderPredicate(passes, row)})`
  // What was seen is grouped with what comes, and falls out of it: the cost is that of the rows, whatever the planner makes of it.
  return sql`${name} (_depth, _nodes, _ways, _seen) as (
    select 0, array_agg(_node), '{}'::integer[], array_agg(_node) from _start having count(*) > 0
    union all
    select _before._depth + 1, _level._nodes, _level._ways, _before._seen || _level._nodes
      from ${name} _before cross join lateral (
        select array_agg(_new._node) as _nodes, array_agg(_new._way) as _ways
          from (select _node, min(_way) as _way
                  from (select _edge.${far} as _node, ${wayOf(plan, direction)} as _way
                          from unnest(_before._nodes) _frontier (_node) join ${edges} _edge on _edge.${near} = _frontier._node where ${ofTypes(plan)}
                        union all
                        select _node, -1 from unnest(_before._seen) _seen (_node)) _all
                 group by _node having min(_way) >= 0) _new${isThere}) _level
     where _before._depth < ${depth}::integer and _level._nodes is not null)`
}

/** The place of an edge's type among those that are looked at; of the second direction after those of the first. */
function wayOf({ types, directions }: WalkPlan, direction?: Direction): Sql {
  const offset = direction ? directions.indexOf(direction) * types.length : 0
  return types.length === 1
    ? sql`${offset}::integer`
    : sql`array_position(${types.map(({ name }) => name)}::text[], _edge.type) - 1 + ${offset}::integer`
}

/** The name of the type that a node was reached by. */
const typeOf = ({ types }: WalkPlan): Sql => sql`(${types.map(({ name }) => name)}::text[])[_row._way % ${types.length}::integer + 1]`

/** There are no edges of other types than those of the schema. */
const ofTypes = ({ types, table }: WalkPlan): Sql =>
  types.length === table.graph.types.length ? sql`true` : sql`_edge.type = any (${types.map(({ name }) => name)}::text[])`
