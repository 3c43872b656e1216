/** Plans a walk for a table. G3–G5. */
import { identifierBytesMax, utf8Length } from '../../kernel/db/sql.ts'
import { readTypes } from '../edges/parameters.ts'
import { childrenMember, type RelationshipType } from '../model/graph-schema.ts'
import type { Table, TableGraph } from '../model/table.ts'
import type { Deleted } from '../query/parse/ast.ts'
import { type Order, planOrder } from '../query/plan/order.ts'
import { planDeleted, planMatches, planReadOne } from '../query/plan/plan.ts'
import type { Planning } from '../query/plan/planning.ts'
import { planShown, type Shown } from '../query/plan/shown.ts'
import { all, always, type Predicate } from '../query/predicate.ts'
import type { GraphQuery, IncludeQuery } from './parse.ts'

export interface WalkPlan extends Pick<GraphQuery, 'form' | 'directions' | 'depth'>, Shown {
  table: Table & { graph: TableGraph }
  /** The start: the record that a predicate finds, the row of the statement around the walk, or all roots. */
  start: Predicate | 'outer' | 'roots'
  /** Whether to include nodes that no root leads to. */
  isWhole: boolean
  /** The types to follow, in the order of the schema. */
  types: readonly RelationshipType[]
  /** The records that a traversal can reach and continue from. */
  passes: Predicate
  /** Whether these may be soft-deleted, whose edges the rules of the types do not count. G6. */
  passesDeleted: boolean
  /** The reached nodes that are listed. */
  listed: Predicate
  order: readonly Order[]
}

/**
 * Plans a walk from a record, or from all roots if it is undefined. A walk does not pass through soft-deleted
 * records. It passes through records that do not match the filters, and does not list them; but a tree
 * consists of matching records only. Returns undefined if no record can have the id. Adds each problem to
 * `state.problems`.
 */
export function planWalk(
  state: Planning,
  table: Table & { graph: TableGraph },
  query: GraphQuery,
  record: string | undefined,
): WalkPlan | undefined {
  const isThere = planDeleted(table, query.deleted)
  const matches = planMatches(state, query)
  const isTree = query.form === 'tree'
  const one =
    record === undefined
      ? undefined
      : planReadOne(state, record, { deleted: query.deleted, populate: [], fields: [], annotations: [] })
  const types = readTypes(query.types, table.graph.types, 'relationship_type', state.problems)
  const order = planOrder(state, query.sort, matches)
  const shown = planShown(state, query, ({ name }) =>
    isTree && name === childrenMember
      ? `"${childrenMember}" has the child nodes of a tree, so it cannot be populated.`
      : undefined,
  )
  if (record !== undefined && !one) return undefined
  return {
    table,
    form: query.form,
    directions: query.directions,
    depth: query.depth,
    start: one?.where ?? 'roots',
    isWhole: query.form === 'graph' && record === undefined && !query.hasDepth,
    types: typesOf(table, types),
    passes: isTree ? all([isThere, matches]) : isThere,
    passesDeleted: mayPassDeleted(table, query.deleted),
    listed: isTree ? always : matches,
    order,
    ...shown,
  }
}

const mayPassDeleted = ({ softDelete }: Table, deleted: Deleted): boolean =>
  softDelete !== undefined && deleted !== 'excluded'

const typesOf = ({ graph }: WalkPlan['table'], names: readonly string[] | undefined): RelationshipType[] =>
  graph.types.filter(({ name }) => names?.includes(name) ?? true)

/**
 * Plans the walk from each record of a list. Filters and the order apply to the list; populated relationships
 * appear in its records and in the nodes. Adds each problem to `state.problems`. G5.
 */
export function planInclude(
  state: Planning,
  table: WalkPlan['table'],
  query: IncludeQuery,
  list: Shown,
  deleted: Deleted,
): WalkPlan {
  const types = typesOf(table, readTypes(query.types, table.graph.types, 'relationship_type', state.problems))
  const plan: WalkPlan = {
    table,
    form: 'include',
    directions: query.directions,
    depth: query.depth,
    start: 'outer',
    isWhole: false,
    types,
    passes: planDeleted(table, deleted === 'excluded' ? 'excluded' : 'included'),
    passesDeleted: mayPassDeleted(table, deleted),
    listed: always,
    order: planOrder(state, [], always),
    fields: list.fields,
    populate: list.populate,
  }
  for (const name of labelsOf(plan).names) {
    if (utf8Length(name) > identifierBytesMax) state.problems.add('include', nameTooLong(name))
    else if (table.fields.has(name)) state.problems.add('include', nameTaken(name, 'a field'))
    else if (list.populate.some(({ relationship }) => relationship.name === name))
      state.problems.add('include', nameTaken(name, 'a populated relationship'))
  }
  return plan
}

const nameTooLong = (name: string): string =>
  `The nodes would be listed in the records under "${name}", which has more than 63 bytes. ` +
  'Request a single record instead: its nodes are returned next to it.'

const nameTaken = (name: string, by: string): string =>
  `The nodes would be listed under "${name}", which is also the name of ${by}. ` +
  'Request a single record instead: its nodes are returned next to it.'

/**
 * Returns the labels that nodes are listed under: inverse names for descendants, names of types for
 * ancestors. `ofWays` contains the index of the label for each `_way`. G5.
 */
export function labelsOf({ types, directions }: Pick<WalkPlan, 'types' | 'directions'>): {
  names: string[]
  ofWays: number[]
} {
  const ofWays = directions.flatMap((direction) =>
    types.map(({ name, inverse }) => (direction === 'descendants' ? inverse : name)),
  )
  const names = [...new Set(ofWays)]
  return { names, ofWays: ofWays.map((name) => names.indexOf(name)) }
}
