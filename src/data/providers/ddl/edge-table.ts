/**
 * The physical table of a datatable's edges: how it is created, changed and dropped, and its triggers. G1,
 * G2, D9.
 */
import { emptySql, identifier, join, literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { RelationshipType } from '../../model/graph-schema.ts'
import { edgesConstraintNames, edgesTableName } from '../../model/names.ts'
import type { Table, TableGraph } from '../../model/table.ts'
import type { DdlStep } from '../provider.ts'

type GraphTable = Table & { graph: TableGraph }

/**
 * Returns the step that creates the edges, if the table has a graph. It comes after the table, before foreign
 * keys.
 */
export const createEdges = (table: Table): DdlStep[] => (isGraph(table) ? [createEdgesStep(table)] : [])

/**
 * Returns the step that drops the edges, if there are any. It comes before the table. Its rollback restores
 * no edge.
 */
export const dropEdges = (table: Table): DdlStep[] => (isGraph(table) ? [dropEdgesStep(table)] : [])

/**
 * Returns the steps of a schema change that come before and after those of the table. The key of a table with
 * edges cannot change (schema-changes/plan-steps.ts).
 */
export function alterEdges(before: Table, after: Table): { first: DdlStep[]; last: DdlStep[] } {
  if (!isGraph(before) || !isGraph(after))
    return { first: after.graph ? [] : dropEdges(before), last: before.graph ? [] : createEdges(after) }
  if (textOf(triggersOf(before).map(createTrigger)) === textOf(triggersOf(after).map(createTrigger)))
    return { first: [], last: [] }
  const lost = removedTypes(before, after)
  const removal = lost.length > 0 ? `; delete the edges of ${lost.join(', ')}` : ''
  const step: DdlStep = {
    table: after.name,
    operation: 'alter_table',
    description: `Change the relationship types of ${after.name}${removal}`,
    statements: transition(before, after),
    rollback: transition(after, before),
    destructive: lost.length > 0,
  }
  return { first: [], last: [step] }
}

/**
 * Returns the statements before and after those that rename a table (Provider.renameTable): the names of its
 * edges depend on it, and their triggers refer to it by name.
 */
export function renameEdges(before: Table, after: Table): { first: Sql[]; last: Sql[] } {
  if (!isGraph(before) || !isGraph(after)) return { first: [], last: [] }
  const [from, to] = [edgesConstraintNames(before.physicalName), edgesConstraintNames(after.physicalName)]
  const { edges } = before.graph
  const index = sql`${before.namespace}.${identifier(from.incomingIndex)}`
  const constraints = [
    'primaryKey',
    'unique',
    ...(before.storage.hasColumns ? (['from', 'to'] as const) : []),
  ] as const
  return {
    first: [
      ...triggersOf(before).map(dropTrigger),
      ...constraints.map(
        (name) =>
          sql`alter table ${edges} rename constraint ${identifier(from[name])} to ${identifier(to[name])}`,
      ),
      sql`alter index ${index} rename to ${identifier(to.incomingIndex)}`,
      sql`alter table ${edges} rename to ${identifier(edgesTableName(after.physicalName))}`,
    ],
    last: triggersOf(after).map(createTrigger),
  }
}

const textOf = (statements: readonly Sql[]): string => statements.map(renderText).join()

const isGraph = (table: Table): table is GraphTable => table.graph !== undefined

function createEdgesStep(table: GraphTable): DdlStep {
  return {
    table: table.name,
    operation: 'create_table',
    description: `Create the edges of ${table.name}`,
    statements: statementsOf(table),
    rollback: dropStatements(table),
  }
}

function dropEdgesStep(table: GraphTable): DdlStep {
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
  // If the key has no separate column, triggers replace these foreign keys.
  const end = (name: string) =>
    table.storage.hasColumns
      ? sql` constraint ${identifier(name)} references ${table.relation} (${key.column}) on delete cascade`
      : emptySql
  return [
    sql`create table ${edges} (
      id uuid constraint ${identifier(names.primaryKey)} primary key default gen_random_uuid(),
      from_id ${key.type.column} not null${end(names.from)},
      to_id ${key.type.column} not null${end(names.to)},
      type text not null,
      metadata jsonb not null default '{}',
      created_at timestamptz not null default now(),
      constraint ${identifier(names.unique)} unique (from_id, type, to_id))`,
    // The index of the constraint above finds outgoing edges.
    sql`create index ${identifier(names.incomingIndex)} on ${edges} (to_id, type, from_id)`,
    ...triggersOf(table).map(createTrigger),
  ]
}

/** Returns the statements that create the triggers of edges, or replace them. */
export const edgeTriggers = (table: Table): Sql[] =>
  isGraph(table) ? triggersOf(table).map(createTrigger) : []

/** Returns the rules of each type, as the triggers of the edges read them (tessera.check_edge_limits). */
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
  /** For example `after insert`. */
  event: Sql
  /** For example `new table as _new`. */
  rows: Sql
  /** A call of a function in migrations/functions/tessera. */
  calls: Sql
}

function triggersOf(table: GraphTable): Trigger[] {
  const { edges, key } = table.graph
  const names = edgesConstraintNames(table.physicalName)
  const call = (name: string, args: readonly string[]) => sql`tessera.${identifier(name)}(${constants(args)})`
  // Without foreign keys, or with soft deletion, the triggers look up the nodes: rows `n` of the table.
  const { hasColumns } = table.storage
  const relation = renderText(table.relation)
  const nodeKey = renderText(table.storage.field(key, sql`n`))
  const isThere = table.softDelete
    ? renderText(sql`${table.storage.field(table.softDelete, sql`n`)} is not true`)
    : 'true'
  const nodes = hasColumns && !table.softDelete ? [] : [relation, nodeKey, isThere]
  const rules = [JSON.stringify(rulesOf(table)), ...nodes]
  const written = (name: string, event: Sql, check: string) => ({
    name,
    on: edges,
    event,
    rows: sql`new table as _new`,
    calls: call(check, rules),
  })
  const isAcyclic = table.graph.types.some(({ acyclic }) => acyclic)
  const deleting = {
    on: table.relation,
    rows: sql`old table as _old`,
    calls: call('delete_edges', [renderText(edges), nodeKey]),
  }
  const typesWithRules = `{${table.graph.types.filter(hasRules).map(({ name }) => name)}}`
  const restoring = {
    on: table.relation,
    rows: sql`old table as _old new table as _new`,
    calls: call('restore_edges', [renderText(edges), relation, nodeKey, isThere, typesWithRules]),
  }
  return [
    written('check_1_limits_inserted', sql`after insert`, 'check_edge_limits'),
    written('check_1_limits_updated', sql`after update`, 'check_edge_limits'),
    // Triggers of one event fire in the order of their names: the limits come before the cycles.
    ...(isAcyclic
      ? [
          written('check_2_cycles_inserted', sql`after insert`, 'check_edge_cycles'),
          written('check_2_cycles_updated', sql`after update`, 'check_edge_cycles'),
        ]
      : []),
    ...(hasColumns ? [] : [{ name: names.nodeDeleted, event: sql`after delete`, ...deleting }]),
    ...(table.softDelete && typesWithRules !== '{}'
      ? [{ name: names.nodeRestored, event: sql`after update`, ...restoring }]
      : []),
  ]
}

const hasRules = ({ maxOutgoing, maxIncoming, acyclic }: RelationshipType): boolean =>
  acyclic || maxOutgoing !== undefined || maxIncoming !== undefined

function createTrigger({ name, on, event, rows, calls }: Trigger): Sql {
  const action = sql`for each statement execute function ${calls}`
  return sql`create or replace trigger ${identifier(name)} ${event} on ${on} referencing ${rows} ${action}`
}
const dropTrigger = ({ name, on }: Trigger): Sql => sql`drop trigger ${identifier(name)} on ${on}`

/** Returns the statements that drop the edges and the triggers on the table of their nodes. */
function dropStatements(table: GraphTable): Sql[] {
  const { edges } = table.graph
  return [
    ...triggersOf(table)
      .filter(({ on }) => on !== edges)
      .map(dropTrigger),
    sql`drop table ${edges}`,
  ]
}

/**
 * Returns the statements that change the types. If the rules of a type become stricter, its edges are updated
 * in place, so that the triggers check them.
 */
function transition(from: GraphTable, to: GraphTable): Sql[] {
  const { edges } = from.graph
  const removed = removedTypes(from, to)
  // If the field of soft deletion is dropped, the records that it hid become visible again.
  const isUnhidden = from.softDelete !== undefined && to.softDelete === undefined
  const stricter = to.graph.types
    .filter((type) => {
      const before = from.graph.types.find(({ name }) => name === type.name)
      return isStricter(before, type) || (isUnhidden && before !== undefined && hasRules(type))
    })
    .map(({ name }) => name)
  return [
    ...(removed.length > 0 ? [sql`delete from ${edges} where type in (${constants(removed)})`] : []),
    ...triggersOf(from).map(dropTrigger),
    ...triggersOf(to).map(createTrigger),
    ...(stricter.length > 0
      ? [sql`update ${edges} set type = type where type in (${constants(stricter)})`]
      : []),
  ]
}

const constants = (names: readonly string[]): Sql => join(names.map(literal))

const removedTypes = (from: GraphTable, to: GraphTable): string[] =>
  from.graph.types
    .map(({ name }) => name)
    .filter((name) => !to.graph.types.some((type) => type.name === name))

/** Tells whether existing edges can break the new rules. A new type has no edges. */
function isStricter(before: RelationshipType | undefined, after: RelationshipType): boolean {
  if (!before) return false
  const less = (one: number | undefined, other: number | undefined) => (one ?? Infinity) < (other ?? Infinity)
  return (
    (after.acyclic && !before.acyclic) ||
    less(after.maxOutgoing, before.maxOutgoing) ||
    less(after.maxIncoming, before.maxIncoming)
  )
}
