/**
 * The functions through which guests create, replace and delete edges. Both ends of an edge must match rules
 * with "edges" (perhaps different ones), and the guest must be able to read both records.
 */
import { join, literal, renderText, type Sql, sql, withInlineValues } from '../../../kernel/db/sql.ts'
import { guestFunction, requireHere } from '../../model/guest-table.ts'
import type { Table } from '../../model/table.ts'
import { type Cte, conflictsCte, ifNoConflicts, places, writeStatement } from '../../providers/writes/ctes.ts'
import {
  type EndRights,
  edgeInputCte,
  type GraphTable,
  insertedEdges,
  insertedIds,
  insertion,
  nodesCte,
  replacement,
  unknownEnds,
  updatedEdge,
} from '../../providers/writes/edges.ts'
import { visible } from '../../query/predicate.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { fieldSql, row } from '../../query/row.ts'
import { asSite, forGuestsOnly } from './definition.ts'
import type { WriteTarget } from './target.ts'

/** The types of the parameters of each function. */
const parameters = {
  create: sql`jsonb`,
  update: sql`uuid, jsonb`,
  delete: sql`uuid[]`,
} as const

export type EdgeAction = keyof typeof parameters

export const edgeFunction = (siteId: number, { physicalName }: Table, action: EdgeAction): Sql =>
  guestFunction(siteId, physicalName, `edges$${action}`)

/** Returns the statements that drop the functions of a table, if they exist. */
export const dropEdgeFunctions = (siteId: number, table: Table): Sql[] =>
  (Object.keys(parameters) as EdgeAction[]).map(
    (action) => sql`drop function if exists ${edgeFunction(siteId, table, action)}`,
  )

/** Returns the statements that create the functions; none if no rule allows writing edges. */
export function createEdgeFunctions(target: WriteTarget): Sql[] {
  const { table, rules, isReadable } = target
  const giving = rules.filter((rule) => rule.allows('edges'))
  if (!isGraph(table) || giving.length === 0) return []
  const passes = giving.map(({ isFor, where }) => sql`(${isFor} and ${renderPredicate(where, row)})`)
  const rights = { isFound: isReadable, mayConnect: sql`coalesce(${join(passes, sql` or `)}, false)` }
  return [
    ...createFunction(target, 'create', creation(table, rights)),
    ...createFunction(target, 'update', change(table, rights)),
    ...createFunction(target, 'delete', removal(table, rights)),
  ]
}

const isGraph = (table: Table): table is GraphTable => table.graph !== undefined

/** The positions of edges of `_input` with an end that the caller may not connect. */
const isRefused = sql`exists (select from _nodes where _node in (from_id, to_id) and not _allowed)`

function creation(table: GraphTable, rights: EndRights): Sql {
  const conflicts = { ...unknownEnds, refused: places(sql`_input where ${isRefused}`) }
  const ctes: Cte[] = [
    edgeInputCte(table, { text: '', count: 0, document: sql`$1` }),
    nodesCte(table, rights),
    conflictsCte(conflicts),
    ['_written', insertion(table, ifNoConflicts(conflicts))],
  ]
  return writeStatement(ctes, answer(insertedEdges(table), insertedIds))
}

function change(table: GraphTable, rights: EndRights): Sql {
  const conflicts = {
    missing: sql`select json_build_array(0) where not exists (select from _before)`,
    ...unknownEnds,
    refused: places(sql`_input where ${isRefused} or exists (select from _before where not _allowed)`),
  }
  const ctes: Cte[] = [
    beforeCte(table, rights, sql`(select $1 as _id, 0 as _n)`),
    edgeInputCte(table, { text: '', count: 0, document: sql`jsonb_build_array($2)` }),
    nodesCte(table, rights),
    conflictsCte(conflicts),
    ['_written', replacement(table, sql`_edge.id = $1 and ${ifNoConflicts(conflicts)}`)],
  ]
  return writeStatement(ctes, answer(updatedEdge(table), sql`null`))
}

function removal(table: GraphTable, rights: EndRights): Sql {
  const conflicts = { refused: places(sql`_before where not _allowed`) }
  const wanted = sql`
    (select _id, min(_place) - 1 as _n from unnest($1) with ordinality _all (_id, _place) group by _id)`
  const ctes: Cte[] = [
    beforeCte(table, rights, wanted),
    conflictsCte(conflicts),
    [
      '_written',
      sql`delete from ${table.graph.edges} _edge using _before
           where _edge.id = _before._id and ${ifNoConflicts(conflicts)} returning _edge.id`,
    ],
  ]
  return writeStatement(ctes, answer(sql`null`, sql`(select json_agg(id) from _written)::text`))
}

/**
 * Returns the CTE `_before`: the wanted edges that the caller sees, locked. It has their positions, and
 * whether the caller may write them.
 */
function beforeCte(table: GraphTable, { isFound, mayConnect }: EndRights, wanted: Sql): Cte {
  const { key, edges } = table.graph
  const isEnd = (end: Sql, condition: Sql) => sql`
    exists (select from ${table.rows} ${row.alias}
             where ${fieldSql(key, row)} = ${end} and ${renderPredicate(visible(table), row)}
               and ${condition})`
  const [from, to] = [sql`_edge.from_id`, sql`_edge.to_id`]
  return [
    '_before',
    sql`select _wanted._id, _wanted._n,
               ${isEnd(from, mayConnect)} and ${isEnd(to, mayConnect)} as _allowed
          from ${edges} _edge join ${wanted} _wanted on _wanted._id = _edge.id
         where ${isEnd(from, isFound)} and ${isEnd(to, isFound)}
         order by _edge.id for update of _edge`,
  ]
}

const answer = (data: Sql, ids: Sql): Sql => sql`
  ${data}, (select count(*) from _written), ${ids}, (select row_to_json(_conflicts) from _conflicts)
  into guest.data, guest.written, guest.ids, guest.conflicts`

/** Returns the statements that make a function, which runs with the rights of the site's role. */
function createFunction({ siteId, table }: WriteTarget, action: EdgeAction, statement: Sql): Sql[] {
  const name = edgeFunction(siteId, table, action)
  const signature = sql`${name}(${parameters[action]})`
  const text = `#variable_conflict use_column
<<guest>>
declare
  data text;
  written bigint;
  ids text;
  conflicts json;
  broken text;
begin
  ${renderText(requireHere(siteId))};
  ${renderText(withInlineValues(statement))};
  set constraints all immediate;
  return query select guest.data, guest.written, guest.ids, guest.conflicts;
exception when sqlstate 'TS422' then
  get stacked diagnostics broken = pg_exception_detail;
  -- The caller may not see the node of a cycle that is named.
  if guest.broken::jsonb ->> 'rule' = 'acyclic' then
    broken := guest.broken::jsonb - 'node';
  end if;
  raise sqlstate 'TS422' using message = 'edges break a rule of their type', detail = guest.broken;
end guest`
  return [
    sql`create function ${signature}
      returns table (data text, written bigint, ids text, conflicts json)
      language plpgsql ${asSite(siteId)} as ${literal(text)}`,
    ...forGuestsOnly(signature),
  ]
}
