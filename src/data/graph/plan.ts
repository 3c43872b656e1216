/** From what was said of a walk to what it means for a table. G3–G5. */
import { childrenMember, type RelationshipType } from '../datatables/graph-schema.ts'
import type { Table, TableGraph } from '../datatables/table.ts'
import { readTypes } from '../edges/parameters.ts'
import type { Deleted } from '../query/ast.ts'
import { type Order, planOrder } from '../query/order.ts'
import { type Planning, planDeleted, planMatches, planReadOne, type ReadPlan } from '../query/plan.ts'
import { type Populate, planPopulate } from '../query/populate.ts'
import { all, always, type Predicate } from '../query/predicate.ts'
import type { GraphQuery, IncludeQuery } from './parse.ts'

export interface WalkPlan extends Pick<GraphQuery, 'form' | 'directions' | 'depth'> {
  table: Table & { graph: TableGraph }
  /** Which record it begins at: one that a predicate finds, the one that the statement around it is about, or all roots. */
  start: Predicate | 'outer' | 'roots'
  /** Whether what no root leads to is listed, too. */
  isWhole: boolean
  /** In the order of the schema. */
  types: readonly RelationshipType[]
  /** What a record has to be for a walk to come to it, and go on from it. */
  passes: Predicate
  /** Which of the nodes that it came to are listed. */
  listed: Predicate
  order: readonly Order[]
  populate: readonly Populate[]
}

/**
 * Soft-deleted records are not walked through. What does not match the filters is, and is not listed; but in a tree, where
 * a node stands under its parent, the tree is that of the records that match. Undefined: `record` can be no id.
 */
export function planWalk(state: Planning, table: Table & { graph: TableGraph }, query: GraphQuery, record: string | undefined): WalkPlan | undefined {
  const isThere = planDeleted(table, query.deleted)
  const matches = planMatches(state, query)
  const isTree = query.form === 'tree'
  const one = record === undefined ? undefined : planReadOne(state, record, { deleted: query.deleted, populate: [] })
  const said = readTypes(query.types, table.graph.types, 'relationship_type', state.problems)
  const order = planOrder(state, query.sort, matches)
  const populate = planPopulate(state, query.populate, ({ name }) =>
    isTree && name === childrenMember ? `A tree's nodes have their children under "${childrenMember}".` : undefined,
  )
  if (record !== undefined && !one) return undefined
  return {
    table,
    form: query.form,
    directions: query.directions,
    depth: query.depth,
    start: one?.where ?? 'roots',
    isWhole: query.form === 'graph' && record === undefined && !query.isDepthSaid,
    types: typesOf(table, said),
    passes: isTree ? all([isThere, matches]) : isThere,
    listed: isTree ? always : matches,
    order,
    populate,
  }
}

const typesOf = ({ graph }: WalkPlan['table'], said: readonly string[] | undefined): RelationshipType[] =>
  graph.types.filter(({ name }) => said?.includes(name) ?? true)

/** The walk of each record of a list. Filters and the order are the list's; what is populated, is in records and nodes. G5. */
export function planInclude(
  state: Planning,
  table: WalkPlan['table'],
  query: IncludeQuery,
  list: Pick<ReadPlan, 'populate'>,
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
    listed: always,
    order: planOrder(state, [], always),
    populate: list.populate,
  }
  for (const name of labelsOf(plan).names) {
    if (table.fields.has(name)) state.problems.add('include', taken(name, 'a field'))
    else if (list.populate.some(({ relationship }) => relationship.name === name)) state.problems.add('include', taken(name, 'what is populated'))
  }
  return plan
}

const taken = (name: string, by: string): string =>
  `"${name}" is the name of ${by}, and of nodes to include: ask for it of one record, where they stand beside it.`

/** Descendants are listed under the inverse names, ancestors under the names of the types. `ofWays`: which of them, by `_way`. G5. */
export function labelsOf({ types, directions }: Pick<WalkPlan, 'types' | 'directions'>): { names: string[]; ofWays: number[] } {
  const ofWays = directions.flatMap((direction) => types.map(({ name, inverse }) => (direction === 'descendants' ? inverse : name)))
  const names = [...new Set(ofWays)]
  return { names, ofWays: ofWays.map((name) => names.indexOf(name)) }
}
