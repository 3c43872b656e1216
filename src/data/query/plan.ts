/** From what was said to what it means for a table: names become fields, strings become typed values, ceilings hold. */
import { storageProblem } from '../../lib/storable.ts'
import { searchColumn, searchedFields } from '../datatables/search-vector.ts'
import type { Field, Table } from '../datatables/table.ts'
import type { Condition, Deleted, Filter, OneQuery, Range, RecordQuery, Selection, TotalMode } from './ast.ts'
import { comparisonsOf, isEqual } from './comparison.ts'
import { keyValues } from './keys.ts'
import { type Order, planOrder } from './order.ts'
import { follow, targetOf, unknownField } from './path.ts'
import { type Populate, planPopulate } from './populate.ts'
import { all, always, any, never, not, type Predicate, visible } from './predicate.ts'
import type { Problems } from './problems.ts'
import type { RelationshipGraph } from './relationships.ts'

/** The planning of one query: where names are looked up, what was found wrong, how much there is of everything so far. */
export interface Planning {
  table: Table
  problems: Problems
  graph: RelationshipGraph
  conditions: number
  /** The paths to related records, each once. */
  paths: Set<string>
}

/** Without a graph, filters are of the table's own fields alone. */
export const planning = (table: Table, problems: Problems, graph: RelationshipGraph = new Map()): Planning => ({
  table,
  problems,
  graph,
  conditions: 0,
  paths: new Set(),
})

export interface ReadPlan {
  table: Table
  where: Predicate
  order: readonly Order[]
  limit: number
  offset: number
  populate: readonly Populate[]
  /** The total alone. */
  countOnly: boolean
  total: TotalMode
}

const conditionsMax = 100
const searchLengthMax = 1000
/** Postgres walks past all that comes before a page. */
const offsetMax = 1_000_000

/** A page that begins so far on is only counted: where nothing is there, it is empty; where something is, it is refused. */
export const isOutOfReach = ({ offset }: Range, total: number): boolean => offset > offsetMax && total > offset
export const outOfReach = `Pages reach the first ${offsetMax} records: those after them are found by a filter.`

/** What is wrong is added to the problems; where anything was, the plan is not to be run. */
export function planRead(state: Planning, query: RecordQuery): ReadPlan {
  const where = planWhere(state, query)
  const order = planOrder(state, query.sort, where)
  const populate = planPopulate(state, query.populate)
  return { table: state.table, where, order, populate, ...planRange(query) }
}

/** Which records a list is of: what the filters, the search and the soft-deleted leave. */
export const planWhere = (state: Planning, query: Selection): Predicate => all([planMatches(state, query), planDeleted(state.table, query.deleted)])

/** What the filters and the search leave. */
export function planMatches(state: Planning, { filters, search }: Selection): Predicate {
  return all([all(filters.map((filter) => planFilter(state, filter))), planSearch(state, search)])
}

/** An empty page is only counted. Whether anything is where no page reaches, only counting says. */
export function planRange({
  range: { offset, limit },
  countOnly,
  total = 'exact',
}: RecordQuery): Pick<ReadPlan, 'limit' | 'offset' | 'countOnly' | 'total'> {
  if (offset > offsetMax) return { limit, offset, countOnly: true, total: 'exact' }
  return { limit, offset, countOnly: countOnly || (limit === 0 && total !== 'none'), total }
}

export function planFilter(state: Planning, filter: Filter): Predicate {
  if ('and' in filter) return all(filter.and.map((member) => planFilter(state, member)))
  if ('or' in filter) return any(filter.or.map((member) => planFilter(state, member)))
  if ('not' in filter) return not(planFilter(state, filter.not))
  return planCondition(state, filter)
}

function planCondition(state: Planning, condition: Condition): Predicate {
  const refuse = ({ problem }: { problem: string }): Predicate => {
    state.problems.add(condition.parameter, problem)
    return always
  }
  const end = follow(state, condition.name)
  if ('problem' in end) return refuse(end)
  const target = targetOf(end.table, end.rest) ?? unknownField(state, end)
  if ('problem' in target) return refuse(target)

  const comparisons = comparisonsOf(target, condition)
  if ('problem' in comparisons) return refuse(comparisons)
  const before = state.conditions
  state.conditions += comparisons.count
  if (before > conditionsMax) return always
  if (state.conditions > conditionsMax) return refuse({ problem: `There may be ${conditionsMax} conditions at most.` })
  return end.relationships.reduceRight((where, relationship): Predicate => ({ kind: 'related', relationship, where }), comparisons.where)
}

function planSearch({ table, problems }: Planning, text: string | undefined): Predicate {
  if (text === undefined) return always
  const problem =
    searchedFields(table.schema).length > 0
      ? text.length > searchLengthMax
        ? `A search may have ${searchLengthMax} characters at most.`
        : storageProblem(text)
      : `"${table.name}" cannot be searched: its schema has no search_fields.`
  if (problem) problems.add('search', problem)
  return { kind: 'search', column: searchColumn(table.schema), language: table.schema.search_language ?? 'english', text }
}

export function planDeleted(table: Table, deleted: Deleted): Predicate {
  if (deleted === 'included') return always
  if (deleted === 'excluded') return visible(table)
  return table.softDelete ? not(visible(table)) : never
}

export interface OnePlan {
  table: Table
  where: Predicate
  populate: readonly Populate[]
}

/** The record of an id in a path, with what it is related to. Undefined when the id can be none of the table's. */
export function planReadOne(state: Planning, id: string, { deleted, populate }: OneQuery): OnePlan | undefined {
  const where = planOne(state.table, id, deleted)
  const related = planPopulate(state, populate)
  return where && { table: state.table, where, populate: related }
}

/** The record of an id in a path; undefined when it can be none. */
function planOne(table: Table, id: string, deleted: Deleted = 'excluded'): Predicate | undefined {
  const values = keyValues(table, id)
  const key = values?.map((value, position) => isEqual(table.primaryKey[position] as Field, value))
  return key && all([...key, planDeleted(table, deleted)])
}
