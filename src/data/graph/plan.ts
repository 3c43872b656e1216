/** From what was said of a walk to what it means for a table. G3–G5. */
import { childrenMember, type RelationshipType } from '../datatables/graph-schema.ts'
import type { Table, TableGraph } from '../datatables/table.ts'
import { readTypes } from '../edges/parameters.ts'
import { type Order, planOrder } from '../query/order.ts'
import { type Planning, planDeleted, planMatches, planReadOne } from '../query/plan.ts'
import { type Populate, planPopulate } from '../query/populate.ts'
import { all, always, type Predicate } from '../query/predicate.ts'
import type { GraphQuery } from './parse.ts'

export interface WalkPlan extends Pick<GraphQuery, 'form' | 'directions' | 'depth'> {
  table: Table & { graph: TableGraph }
  /** Which record it begins at; undefined: at all roots. */
  start: Predicate | undefined
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
    start: one?.where,
    types: table.graph.types.filter(({ name }) => said?.includes(name) ?? true),
    passes: isTree ? all([isThere, matches]) : isThere,
    listed: isTree ? always : matches,
    order,
    populate,
  }
}
