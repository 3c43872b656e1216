/**
 * The views of the parts of a table that guests may see. They belong to the role of the site, so that they
 * can read its tables. They are in their own schema, where the role of guests may only select from them.
 */
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import { readingRules } from '../model/access.ts'
import type { Field } from '../model/field.ts'
import { guestPlace, guestRole, isHere } from '../model/guest-table.ts'
import { searchColumn, searchedFields, searchVector } from '../model/search-vector.ts'
import type { Table, TableGraph } from '../model/table.ts'
import { visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render/render.ts'
import { fieldSql, row } from '../query/row.ts'
import { anyPasses, type Grant, givenFields, grantsOf, isPlain, shownValue } from './grants.ts'
import type { PlannedRule } from './planned-rules.ts'
import { selectVersionsShown } from './version-view.ts'

/**
 * Returns the statements that create the views: one for all rules; one for each rule, if there are several;
 * and one each for edges and versions, if the table has them.
 */
export function createViews(siteId: number, table: Table, planned: readonly PlannedRule[]): Sql[] {
  const grants = grantsOf(planned)
  if (grants.length === 0) return []
  const names = viewNames(siteId, table)
  const here = isHere(siteId)
  const made: [view: Sql, query: Sql | undefined][] = [
    [names.all, selectShown(here, table, grants)],
    ...names.rules.map((view, position): [Sql, Sql] => [
      view,
      selectShown(here, table, [grants[position] as Grant]),
    ]),
    [names.edges, selectEdgesShown(here, table, grants)],
    [names.edgePages, selectEdgePages(here, table, grants)],
    [names.history, selectVersionsShown(here, table, grants)],
  ]
  return made.flatMap(([view, query]) => (query ? createView(view, query) : []))
}

/** Returns the statement that drops the views of tables, if they exist. */
export function dropViews(siteId: number, tables: readonly Table[]): Sql[] {
  const views = tables.flatMap((table) => {
    const { all, rules, edges, edgePages, history } = viewNames(siteId, table)
    return readingRules(table.rules).length > 0 ? [all, ...rules, edges, edgePages, history] : []
  })
  return views.length === 0 ? [] : [sql`drop view if exists ${join(views)}`]
}

function viewNames(siteId: number, { rules: all, physicalName }: Table) {
  const rules = readingRules(all)
  const named = (part: Parameters<typeof guestPlace>[2]) => guestPlace(siteId, physicalName, part).relation
  return {
    all: named('all'),
    rules: rules.length > 1 ? rules.map(({ position }) => named(position)) : [],
    edges: named('edges'),
    edgePages: named('edgePages'),
    history: named('history'),
  }
}

const createView = (view: Sql, query: Sql): Sql[] => [
  sql`create view ${view} with (security_barrier) as ${query}`,
  sql`grant select on ${view} to ${guestRole}`,
]

/** Selects the records and the fields that rules show. */
function selectShown(here: Sql, table: Table, grants: readonly Grant[]): Sql {
  const columns = [
    ...givenFields(table, grants).map((field) => sql`${shownField(field, grants)} as ${field.column}`),
    ...searchColumns(table, grants),
    sql`${row.alias}.xmin as xmin`,
  ]
  return sql`
    select ${join(columns)} from ${table.rows} ${row.alias}
     where ${here} and ${renderPredicate(visible(table), row)} and (${anyPasses(grants, [row])})`
}

/**
 * Selects the edges of which rules show both ends. It looks up the ends in the table and not in the view of
 * records, because Postgres does not join views of this kind by an index.
 */
function selectEdgesShown(here: Sql, table: Table, grants: readonly Grant[]): Sql | undefined {
  const { graph } = table
  if (!graph) return undefined
  const isShown = (end: Sql) => sql`exists (${selectEnd(table, graph, grants, end)})`
  return sql`
    select ${edgeColumns}
      from ${graph.edges} _edge
     where ${here} and ${isShown(sql`_edge.from_id`)} and ${isShown(sql`_edge.to_id`)}`
}

/**
 * Selects the same edges for a page. With `exists`, Postgres would plan joins for all rows of the view, even
 * if the query has a limit. It evaluates scalar subqueries row by row, and so stops when the page is full. To
 * count all edges, joins are faster.
 */
function selectEdgePages(here: Sql, table: Table, grants: readonly Grant[]): Sql | undefined {
  const { graph } = table
  if (!graph) return undefined
  const isShown = (end: Sql) => sql`(${selectEnd(table, graph, grants, end)} limit 1)`
  return sql`
    select ${edgeColumns}
      from ${graph.edges} _edge
     where ${here} and ${isShown(sql`_edge.from_id`)} and ${isShown(sql`_edge.to_id`)}
     order by _edge.from_id, _edge.type, _edge.to_id`
}

const edgeColumns = sql`_edge.id, _edge.from_id, _edge.to_id, _edge.type, _edge.metadata, _edge.created_at`

/** Selects `true` if rules show the record at an end of an edge. */
const selectEnd = (table: Table, { key }: TableGraph, grants: readonly Grant[], end: Sql): Sql => sql`
    select true from ${table.rows} ${row.alias}
     where ${fieldSql(key, row)} = ${end} and ${renderPredicate(visible(table), row)}
       and (${anyPasses(grants, [row])})`

const shownField = (field: Field, grants: readonly Grant[]): Sql =>
  shownValue(field, fieldSql(field, row), grants, [row])

/** Returns the search vector of the fields that are shown; nothing if none of them is searched. */
function searchColumns(table: Table, grants: readonly Grant[]): Sql[] {
  const { schema, fields } = table
  const fieldOf = (name: string) => fields.get(name) as Field
  const searched = searchedFields(schema).map(({ field }) => fieldOf(field))
  if (!searched.some((field) => grants.some((grant) => grant.shown.has(field)))) return []
  const vector = searched.every((field) => isPlain(field, grants))
    ? sql`${row.alias}.${searchColumn(schema)}`
    : searchVector(schema, (name) => sql`${shownField(fieldOf(name), grants)}::text`)
  return vector ? [sql`${vector} as ${searchColumn(schema)}`] : []
}
