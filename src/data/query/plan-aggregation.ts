/** From what was said of groups to what it means: keys and aggregates with names and types, conditions and an order of them. R11, R15. */
import { shown } from '../../lib/shown.ts'
import type { Table } from '../datatables/table.ts'
import type { Aggregation, RecordQuery, ResultCondition, SortTerm } from './ast.ts'
import { integer, number, type Type } from './expression/types.ts'
import { type Comparison, equality, positiveOf } from './operators.ts'
import { termsMax } from './order.ts'
import { type Planning, planRange, planWhere } from './plan.ts'
import { type Populate, planPopulate } from './populate.ts'
import type { Predicate } from './predicate.ts'
import type { Relationship } from './relationships.ts'
import { planResults, type Result, resultsByName, unknownResult } from './results.ts'

export interface AggregationPlan {
  table: Table
  where: Predicate
  /** What the records of a group have in common. Undefined: all records are one group, which has no page. */
  keys: readonly Result[] | undefined
  aggregates: readonly Result[]
  having: readonly Having[]
  order: readonly { result: Result; descending: boolean }[]
  limit: number
  offset: number
  populate: readonly Populate[]
  countOnly: boolean
}

export interface Having {
  result: Result
  sql: Comparison['forms'][number]['sql']
  value: string
  /** As what the value is read. */
  type: Type
  /** It holds where the comparison does not, so for groups without a value, too. */
  isNegated: boolean
}

const keysMax = 10
const aggregatesMax = 50
const conditionsMax = 20

/** What is wrong is added to the problems; where anything was, the plan is not to be run. */
export function planAggregation(state: Planning, query: RecordQuery, said: Aggregation): AggregationPlan {
  const { table } = state
  const where = planWhere(state, query)
  if (!said.groupBy) refuseOfGroups(state, query, said)
  const keys = said.groupBy && planResults(state, said.groupBy, keysMax)
  const computed = planResults(state, said.aggregates, aggregatesMax)
  const results = resultsByName(state, [...(keys ?? []), ...computed])
  const populate = keys ? planPopulateOf(state, query.populate, keys, results) : []
  return {
    ...{ table, where, keys, aggregates: computed, populate },
    having: keys ? planHaving(state, said.having, results) : [],
    order: keys ? planOrder(state, query.sort, keys, results) : [],
    ...planPage(query),
  }
}

/** Groups are all computed, so that their number is known whatever is asked of it. */
function planPage(query: RecordQuery): Pick<AggregationPlan, 'limit' | 'offset' | 'countOnly'> {
  const { limit, offset, countOnly } = planRange({ ...query, total: 'exact' })
  return { limit, offset, countOnly }
}

/** What all records together have, there is one of: nothing to choose from, to sort, to count or to stand beside. */
function refuseOfGroups({ problems }: Planning, { sort, populate, countOnly, total }: RecordQuery, { having }: Aggregation): void {
  const ofGroups: [parameter: string, isSaid: boolean][] = [
    ['_having', having.length > 0],
    [sort[0]?.parameter ?? '', sort.length > 0],
    ['populate', populate.length > 0],
    ['_count', countOnly],
    ['_total', total !== undefined],
  ]
  for (const [parameter, isSaid] of ofGroups) {
    if (isSaid) problems.add(parameter, 'Is about groups: _group_by is missing.')
  }
}

const comparisons = new Map([...['gt', 'gte', 'lt', 'lte', 'ne'].map((name) => [name, name] as const), ['eq', equality]])

function planHaving({ problems }: Planning, said: readonly ResultCondition[], results: ReadonlyMap<string, Result>): Having[] {
  if (said.length > conditionsMax) problems.add('_having', `There may be ${conditionsMax} conditions at most.`)
  return said.slice(0, conditionsMax).flatMap((condition) => {
    const having = planCondition(condition, results)
    if ('sql' in having) return having
    problems.add('_having', having.problem)
    return []
  })
}

function planCondition({ name, operator, value }: ResultCondition, results: ReadonlyMap<string, Result>): Having | { problem: string } {
  const result = results.get(name)
  if (!result) return { problem: unknownResult(name, results) }
  const meant = comparisons.get(operator)
  if (!meant) return { problem: `There is no operator ${shown(operator)}. Operators: ${[...comparisons.keys()].join(', ')}.` }
  const { type } = result.expression
  if (!type.ordered) return { problem: `${shown(name)} is of type ${type.name}, which is not compared.` }
  // A count can be less than one and a half.
  const as = type === integer ? number : type
  const text = as.parse(value)
  if (text === undefined) return { problem: `${shown(value)} is not a value of ${shown(name)}, which is of type ${type.name}.` }
  const { forms } = positiveOf(meant) as Comparison
  return { result, sql: (forms[0] as Comparison['forms'][number]).sql, value: text, type: as, isNegated: meant === 'ne' }
}

/** After what was asked for come the keys, so that the order of any two groups is fixed. */
function planOrder(
  { problems }: Planning,
  terms: readonly SortTerm[],
  keys: readonly Result[],
  results: ReadonlyMap<string, Result>,
): AggregationPlan['order'] {
  if (terms.length > termsMax) problems.add((terms[0] as SortTerm).parameter, `There may be ${termsMax} results to sort by at most.`)
  const order = terms.slice(0, termsMax).flatMap(({ parameter, name, descending }) => {
    const result = results.get(name)
    if (result?.expression.type.ordered) return [{ result, descending }]
    problems.add(parameter, result ? `"${name}" is of type ${result.expression.type.name}, which has no order.` : unknownResult(name, results))
    return []
  })
  const rest = keys.filter((key) => order.every(({ result }) => result !== key))
  return [...order, ...rest.map((result) => ({ result, descending: false }))]
}

/** A key that is this field of the records themselves. */
export const keyOf = (keys: readonly Result[], near: Relationship['pairs'][number]['near']): Result | undefined =>
  keys.find(({ expression }) => expression.kind === 'column' && expression.relationships.length === 0 && expression.field === near)

/** Related records stand beside the keys by which they are found. R5, R14. */
function planPopulateOf(state: Planning, paths: readonly string[], keys: readonly Result[], results: ReadonlyMap<string, Result>): Populate[] {
  const populate = planPopulate(state, paths, ({ name, pairs }) => {
    const missing = pairs.filter(({ near }) => !keyOf(keys, near)).map(({ near }) => near.name)
    return missing.length > 0 ? `"${name}" is found by ${missing.join(', ')}, which _group_by does not have.` : undefined
  })
  for (const { relationship } of populate) {
    const { name, pairs } = relationship
    const result = results.get(name)
    if (result && !pairs.some(({ near }) => near.name === name && keyOf(keys, near) === result)) {
      state.problems.add('populate', `There is a result named ${shown(name)} already: " as <alias>" after it gives it another name.`)
    }
  }
  return populate
}
