/** The physical table of a datatable's edges: made with the graph, dropped with it, and what its triggers hold. G1, G2, D9. */
import { identifier, join, literal, type Sql, sql } from '../../db/sql.ts'
import type { RelationshipType } from '../datatables/graph-schema.ts'
import { edgesConstraintNames } from '../datatables/names.ts'
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
  if (JSON.stringify(rulesOf(before)) === JSON.stringify(rulesOf(after))) return { first: [], last: [] }
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

const isGraph = (table: Table): table is GraphTable => table.graph !== undefined

function edgesMade(table: GraphTable): DdlStep {
  const { edges } = table.graph
  return {
    table: table.name,
    operation: 'create_table',
    description: `Create the edges of ${table.name}`,
    statements: statementsOf(table),
    rollback: [sql`drop table ${edges}`],
  }
}

function edgesDropped(table: GraphTable): DdlStep {
  return {
    table: table.name,
    operation: 'drop_table',
    description: `Drop the edges of ${table.name}`,
    statements: [sql`drop table ${table.graph.edges}`],
    rollback: statementsOf(table),
    destructive: true,
  }
}

function statementsOf(table: GraphTable): Sql[] {
  const { key, edges } = table.graph
  const names = edgesConstraintNames(table.physicalName)
  const end = (name: string) => sql`constraint ${identifier(name)} references ${table.relation} (${key.column}) on delete cascade`
  return [
    sql`create table ${edges} (
      id uuid constraint ${identifier(names.primaryKey)} primary key default gen_random_uuid(),
      from_id ${key.type.column} not null ${end(names.from)},
      to_id ${key.type.column} not null ${end(names.to)},
      type text not null,
      metadata jsonb not null default '{}',
      created_at timestamptz not null default now(),
      constraint ${identifier(names.unique)} unique (from_id, type, to_id))`,
    // What leaves a node is found by the index of the constraint above.
    sql`create index ${identifier(names.incomingIndex)} on ${edges} (to_id, type, from_id)`,
    ...triggersOf(table),
  ]
}

/** What a type's edges keep to, as `_hold_edges` of migrations/tenant reads it. */
const rulesOf = ({ graph }: GraphTable) =>
  Object.fromEntries(
    graph.types.map(({ name, maxOutgoing, maxIncoming, acyclic }) => [
      name,
      { max_outgoing: maxOutgoing, max_incoming: maxIncoming, ...(acyclic ? { acyclic } : {}) },
    ]),
  )

function triggersOf(table: GraphTable): Sql[] {
  const { edges } = table.graph
  const names = edgesConstraintNames(table.physicalName)
  const rules = literal(JSON.stringify(rulesOf(table)))
  const trigger = (name: string, event: Sql) => sql`create trigger ${identifier(name)} after ${event} on ${edges}
    referencing new table as _new for each statement execute function ${table.namespace}._hold_edges(${rules})`
  return [trigger(names.inserted, sql`insert`), trigger(names.updated, sql`update`)]
}

/** From the types of one to those of the other. Edges of types that get stricter are written anew, so that the triggers look at them. */
function transition(from: GraphTable, to: GraphTable): Sql[] {
  const { edges } = from.graph
  const names = edgesConstraintNames(from.physicalName)
  const removed = removedTypes(from, to)
  const stricter = to.graph.types
    .filter((type) =>
      isStricter(
        from.graph.types.find(({ name }) => name === type.name),
        type,
      ),
    )
    .map(({ name }) => name)
  return [
    ...(removed.length > 0 ? [sql`delete from ${edges} where type in (${constants(removed)})`] : []),
    ...[names.inserted, names.updated].map((name) => sql`drop trigger ${identifier(name)} on ${edges}`),
    ...triggersOf(to),
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
