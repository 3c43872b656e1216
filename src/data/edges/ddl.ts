/** The physical table of a datatable's edges: made with the graph, dropped with it, and what its triggers hold. G1, G2, D9. */
import { identifier, join, literal, nothing, renderText, type Sql, sql } from '../../db/sql.ts'
import type { RelationshipType } from '../datatables/graph-schema.ts'
import { edgesConstraintNames, edgesTableName } from '../datatables/names.ts'
import type { Table, TableGraph } from '../datatables/table.ts'
import type { DdlStep } from '../providers/provider.ts'

type GraphTable = Table & { graph: TableGraph }

/** After the table itself, and before its foreign keys. */
export const createEdges = (table: Table): DdlStep[] => (isGraph(table) ? [edgesMade(table)] : [])

/** Before the table itself. What undoes it makes them anew, without edges. */
export const dropEdges = (table: Table): DdlStep[] => (isGraph(table) ? [edgesDropped(table)] : [])

/** What of a schema change comes before and after the steps of the table. A key that edges lead to stays what it is (migrations/plan.ts). */
export function alterEdges(before: Table, after: Table): { first: DdlStep[]; last: DdlStep[] } {
  if (!isGraph(before) || !isGraph(after)) return { first: after.graph ? [] : dropEdges(before), last: before.graph ? [] : createEdges(after) }
  if (textOf(triggersOf(before).map(creating)) === textOf(triggersOf(after).map(creating))) return { first: [], last: [] }
  const lost = removedTypes(before, after)
  const step: DdlStep = {
    table: after.name,
    operation: 'alter_table',
    description: `Change the relationship types of ${after.name}${lost.length > 0 ? `; the edges of ${lost.join(', ')} go` : ''}`,
    statements: transition(before, after),
    rollback: transition(after, before),
    destructive: lost.length > 0,
  }
  return { first: [], last: [step] }
}

/**
 * What comes before and after the renaming of a table (Provider.renameTable): its edges are named after it, and their
 * triggers know it by its name.
 */
export function renameEdges(before: Table, after: Table): { first: Sql[]; last: Sql[] } {
  if (!isGraph(before) || !isGraph(after)) return { first: [], last: [] }
  const [from, to] = [edgesConstraintNames(before.physicalName), edgesConstraintNames(after.physicalName)]
  const { edges } = before.graph
  const constraints = ['primaryKey', 'unique', ...(before.storage.hasColumns ? (['from', 'to'] as const) : [])] as const
  return {
    first: [
      ...triggersOf(before).map(dropping),
      ...constraints.map((name) => sql`alter table ${edges} rename constraint ${identifier(from[name])} to ${identifier(to[name])}`),
      sql`alter index ${before.namespace}.${identifier(from.incomingIndex)} rename to ${identifier(to.incomingIndex)}`,
      sql`alter table ${edges} rename to ${identifier(edgesTableName(after.physicalName))}`,
    ],
    last: triggersOf(after).map(creating),
  }
}

const textOf = (statements: readonly Sql[]): string => statements.map(renderText).join()

const isGraph = (table: Table): table is GraphTable => table.graph !== undefined

function edgesMade(table: GraphTable): DdlStep {
  return {
    table: table.name,
    operation: 'create_table',
    description: `Create the edges of ${table.name}`,
    statements: statementsOf(table),
    rollback: dropStatements(table),
  }
}

function edgesDropped(table: GraphTable): DdlStep {
  return {
    table: table.name,
    operation: 'drop_table',
    description: `Drop the edges of ${table.name}`,
    statements: dropStatements(table),
    rollback: statementsOf(table),
    destructive: true,
  }
}

function statementsOf(table: GraphTable): Sql[] {
  const { key, edges } = table.graph
  const names = edgesConstraintNames(table.physicalName)
  // Where the key has no column of its own, a trigger does what the foreign key would.
  const end = (name: string) =>
    table.storage.hasColumns ? sql` constraint ${identifier(name)} references ${table.relation} (${key.column}) on delete cascade` : nothing
  return [
    sql`create table ${edges} (
      id uuid constraint ${identifier(names.primaryKey)} primary key default gen_random_uuid(),
      from_id ${key.type.column} not null${end(names.from)},
      to_id ${key.type.column} not null${end(names.to)},
      type text not null,
      metadata jsonb not null default '{}',
      created_at timestamptz not null default now(),
      constraint ${identifier(names.unique)} unique (from_id, type, to_id))`,
    // What leaves a node is found by the index of the constraint above.
    sql`create index ${identifier(names.incomingIndex)} on ${edges} (to_id, type, from_id)`,
    ...triggersOf(table).map(creating),
  ]
}

/** What a type's edges keep to, as `tessera.hold_edges` reads it (migrations/tenant/functions). */
const rulesOf = ({ graph }: GraphTable) =>
  Object.fromEntries(
    graph.types.map(({ name, maxOutgoing, maxIncoming, acyclic }) => [
      name,
      { max_outgoing: maxOutgoing, max_incoming: maxIncoming, ...(acyclic ? { acyclic } : {}) },
    ]),
  )

interface Trigger {
  name: string
  on: Sql
  /** As `after insert`. */
  event: Sql
  /** As `new table as _new`. */
  rows: Sql
  /** A function of migrations/tenant, with its arguments. */
  calls: Sql
}

function triggersOf(table: GraphTable): Trigger[] {
  const { edges, key } = table.graph
  const names = edgesConstraintNames(table.physicalName)
  const call = (name: string, args: readonly string[]) => sql`tessera.${identifier(name)}(${constants(args)})`
  // A foreign key says by itself what it leads to; else that is said of a row `n` of the table.
  const { hasColumns } = table.storage
  const relation = renderText(table.relation)
  const nodeKey = renderText(table.storage.field(key, sql`n`))
  const isThere = table.softDelete ? renderText(sql`${table.storage.field(table.softDelete, sql`n`)} is not true`) : 'true'
  const nodes = hasColumns && !table.softDelete ? [] : [relation, nodeKey, isThere]
  const holding = { on: edges, rows: sql`new table as _new`, calls: call('hold_edges', [JSON.stringify(rulesOf(table)), ...nodes]) }
  const deleting = { on: table.relation, rows: sql`old table as _old`, calls: call('delete_edges', [renderText(edges), nodeKey]) }
  const held = `{${table.graph.types.filter(hasRules).map(({ name }) => name)}}`
  const restoring = {
    on: table.relation,
    rows: sql`old table as _old new table as _new`,
    calls: call('restore_edges', [renderText(edges), relation, nodeKey, isThere, held]),
  }
  return [
    { name: names.inserted, event: sql`after insert`, ...holding },
    { name: names.updated, event: sql`after update`, ...holding },
    ...(hasColumns ? [] : [{ name: names.nodeDeleted, event: sql`after delete`, ...deleting }]),
    ...(table.softDelete && held !== '{}' ? [{ name: names.nodeRestored, event: sql`after update`, ...restoring }] : []),
  ]
}

const hasRules = ({ maxOutgoing, maxIncoming, acyclic }: RelationshipType): boolean =>
  acyclic || maxOutgoing !== undefined || maxIncoming !== undefined

const creating = ({ name, on, event, rows, calls }: Trigger): Sql =>
  sql`create trigger ${identifier(name)} ${event} on ${on} referencing ${rows} for each statement execute function ${calls}`
const dropping = ({ name, on }: Trigger): Sql => sql`drop trigger ${identifier(name)} on ${on}`

/** With the edges' own, a trigger of their records goes. */
function dropStatements(table: GraphTable): Sql[] {
  const { edges } = table.graph
  return [
    ...triggersOf(table)
      .filter(({ on }) => on !== edges)
      .map(dropping),
    sql`drop table ${edges}`,
  ]
}

/** From the types of one to those of the other. Edges of types that get stricter are written anew, so that the triggers look at them. */
function transition(from: GraphTable, to: GraphTable): Sql[] {
  const { edges } = from.graph
  const removed = removedTypes(from, to)
  // Without the field, what it hid is there again.
  const isUnhidden = from.softDelete !== undefined && to.softDelete === undefined
  const stricter = to.graph.types
    .filter((type) => {
      const before = from.graph.types.find(({ name }) => name === type.name)
      return isStricter(before, type) || (isUnhidden && before !== undefined && hasRules(type))
    })
    .map(({ name }) => name)
  return [
    ...(removed.length > 0 ? [sql`delete from ${edges} where type in (${constants(removed)})`] : []),
    ...triggersOf(from).map(dropping),
    ...triggersOf(to).map(creating),
    ...(stricter.length > 0 ? [sql`update ${edges} set type = type where type in (${constants(stricter)})`] : []),
  ]
}

const constants = (names: readonly string[]): Sql => join(names.map(literal))

const removedTypes = (from: GraphTable, to: GraphTable): string[] =>
  from.graph.types.map(({ name }) => name).filter((name) => !to.graph.types.some((type) => type.name === name))

/** Of a type that was not there, there are no edges. */
function isStricter(before: RelationshipType | undefined, after: RelationshipType): boolean {
  if (!before) return false
  const less = (one: number | undefined, other: number | undefined) => (one ?? Infinity) < (other ?? Infinity)
  return (after.acyclic && !before.acyclic) || less(after.maxOutgoing, before.maxOutgoing) || less(after.maxIncoming, before.maxIncoming)
}
