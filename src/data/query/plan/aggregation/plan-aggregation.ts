/** Plans an aggregation: its keys, its aggregates, the conditions on its groups and their order. R11, R15. */

import { quoteValue } from '../../../../kernel/lib/quote-value.ts'
import type { Relationship } from '../../../model/relationships.ts'
import type { Table } from '../../../model/table.ts'
import { type Comparison, equality, positiveOf } from '../../operators.ts'
import type { Aggregation, RecordQuery, ResultCondition, SortTerm, View } from '../../parse/ast.ts'
import { distinctParameter } from '../../parse/parse.ts'
import { annotationParameter } from '../../parse/parse-expressions.ts'
import type { Predicate } from '../../predicate.ts'
import { integer, number, type Type } from '../expression/types.ts'
import { type Direction, termsMax, withNulls } from '../order.ts'
import { planRange, planWhere } from '../plan.ts'
import type { Planning } from '../planning.ts'
import { type Populate, planShown } from '../shown.ts'
import { planResults, type Result, resultNamed, resultsByName, unknownResult } from './results.ts'

/** A planned aggregation. */
export interface AggregationPlan {
  table: Table
  where: Predicate
  /**
   * The common values of the records of a group. Undefined: all records are one group, and there are no
   * pages.
   */
  keys: readonly Result[] | undefined
  aggregates: readonly Result[]
  having: readonly Having[]
  order: readonly ({ result: Result } & Direction)[]
  limit: number
  offset: number
  populate: readonly Populate[]
  countOnly: boolean
}

/** A condition on a result. */
export interface Having {
  result: Result
  means: Comparison['forms'][number]['means']
  sql: Comparison['forms'][number]['sql']
  value: string
  /** The type of the value. */
  type: Type
  /** Whether to negate the comparison. Groups without a value then also match. */
  isNegated: boolean
}

const keysMax = 10
const aggregatesMax = 50
const conditionsMax = 20

/**
 * Plans an aggregation. Adds each problem to `state.problems`; if there are any, the plan must not be run.
 */
export function planAggregation(
  state: Planning,
  query: RecordQuery,
  aggregation: Aggregation,
): AggregationPlan {
  const { table } = state
  const where = planWhere(state, query)
  rejectRecordParameters(state, query)
  if (query.showsRank) state.problems.add('_rank', ofRecords)
  if (query.highlights.length > 0) state.problems.add('_highlight', ofRecords)
  if (!aggregation.groupBy) rejectGroupParameters(state, query, aggregation)
  const keys = aggregation.groupBy && planResults(state, aggregation.groupBy, keysMax)
  const computed = planResults(state, aggregation.aggregates, aggregatesMax)
  const results = resultsByName(state, [...(keys ?? []), ...computed])
  const populate = keys ? planGroupPopulate(state, query, keys, results) : []
  return {
    ...{ table, where, keys, aggregates: computed, populate },
    having: keys ? planHaving(state, aggregation.having, results) : [],
    order: keys ? planOrder(state, query.sort, keys, results) : [],
    ...planPage(query),
  }
}

const ofRecords = 'Only applies to records: omit _aggregate and _group_by.'

/** Plans the page. All groups are computed anyway, so their total is always exact. */
function planPage(query: RecordQuery): Pick<AggregationPlan, 'limit' | 'offset' | 'countOnly'> {
  const { limit, offset, countOnly } = planRange({ ...query, total: 'exact' })
  return { limit, offset, countOnly }
}

/** Rejects the parameters that make sense only for a list of records. */
function rejectRecordParameters({ problems }: Planning, { annotations, distinct }: RecordQuery): void {
  const parameters: [parameter: string, isGiven: boolean][] = [
    [annotationParameter, annotations.length > 0],
    [distinctParameter, distinct.length > 0],
  ]
  for (const [parameter, isGiven] of parameters)
    if (isGiven) problems.add(parameter, 'Only applies to a list of records, not to an aggregation.')
}

/** Rejects the parameters that make no sense if all records are one group. */
function rejectGroupParameters(
  { problems }: Planning,
  { sort, populate, fields, countOnly, total }: RecordQuery,
  { having }: Aggregation,
): void {
  const groupParameters: [parameter: string, isGiven: boolean][] = [
    ['_having', having.length > 0],
    [sort[0]?.parameter ?? '', sort.length > 0],
    ['populate', populate.length > 0],
    ['fields', fields.length > 0],
    ['_count', countOnly],
    ['_total', total !== undefined],
  ]
  for (const [parameter, isGiven] of groupParameters) {
    if (isGiven)
      problems.add(parameter, 'Only applies to groups: add _group_by, for example _group_by=status.')
  }
}

const comparisons = new Map([
  ...['gt', 'gte', 'lt', 'lte', 'ne'].map((name) => [name, name] as const),
  ['eq', equality],
])

function planHaving(
  state: Planning,
  conditions: readonly ResultCondition[],
  results: ReadonlyMap<string, Result>,
): Having[] {
  if (conditions.length > conditionsMax)
    state.problems.add('_having', `At most ${conditionsMax} conditions are allowed.`)
  return conditions.slice(0, conditionsMax).flatMap((condition) => {
    const having = planCondition(state, condition, results)
    if ('sql' in having) return having
    state.problems.add('_having', having.problem)
    return []
  })
}

function planCondition(
  state: Planning,
  { name, operator, value }: ResultCondition,
  results: ReadonlyMap<string, Result>,
): Having | { problem: string } {
  const result = resultNamed(state, name, results)
  if (!result) return { problem: unknownResult(name, results) }
  const comparison = comparisons.get(operator)
  if (!comparison)
    return {
      problem: `Unknown operator ${quoteValue(operator)}. Operators: ${[...comparisons.keys()].join(', ')}.`,
    }
  const { type } = result.expression
  if (!type.ordered)
    return { problem: `${quoteValue(name)} is of type ${type.name}, which cannot be compared.` }
  // A fraction can bound an integer: a count can be less than 1.5.
  const valueType = type === integer ? number : type
  const text = valueType.parse(value)
  if (text === undefined)
    return {
      problem: `${quoteValue(value)} is not a value of ${quoteValue(name)}, which is of type ${type.name}.`,
    }
  const { forms } = positiveOf(comparison) as Comparison
  const { means, sql } = forms[0] as Comparison['forms'][number]
  return {
    ...{ result, means, sql },
    value: text,
    type: valueType,
    isNegated: comparison === 'ne',
  }
}

/** Plans the order. The keys come after the given terms, so that the order of any two groups is fixed. */
function planOrder(
  state: Planning,
  terms: readonly SortTerm[],
  keys: readonly Result[],
  results: ReadonlyMap<string, Result>,
): AggregationPlan['order'] {
  if (terms.length > termsMax)
    state.problems.add((terms[0] as SortTerm).parameter, `You can sort by at most ${termsMax} results.`)
  const order = terms.slice(0, termsMax).flatMap(({ parameter, name, descending }) => {
    const planned = withNulls(name, (one) => orderedResult(state, one, results))
    if (!('problem' in planned)) return [directed(planned.found, descending, planned.nullsFirst)]
    state.problems.add(parameter, planned.problem)
    return []
  })
  const rest = keys.filter((key) => order.every(({ result }) => result !== key))
  return [...order, ...rest.map((result) => directed(result, false, false))]
}

const directed = (
  result: Result,
  descending: boolean,
  nullsFirst: boolean,
): AggregationPlan['order'][number] => ({
  result,
  type: result.expression.type.column,
  descending,
  nullable: true,
  nullsFirst,
})

function orderedResult(
  state: Planning,
  name: string,
  results: ReadonlyMap<string, Result>,
): Result | { problem: string } {
  const result = resultNamed(state, name, results)
  if (!result) return { problem: unknownResult(name, results) }
  const { type } = result.expression
  return type.ordered ? result : { problem: `"${name}" is of type ${type.name}, which has no order.` }
}

/** Returns the key whose expression is this field of the grouped records; undefined if there is none. */
export const keyOf = (
  keys: readonly Result[],
  near: Relationship['pairs'][number]['near'],
): Result | undefined =>
  keys.find(
    ({ expression }) =>
      expression.kind === 'column' && expression.relationships.length === 0 && expression.field === near,
  )

/** Plans the records related to groups. The keys of a group identify them. R5, R14. */
function planGroupPopulate(
  state: Planning,
  view: View,
  keys: readonly Result[],
  results: ReadonlyMap<string, Result>,
): readonly Populate[] {
  const { fields, populate } = planShown(state, view, ({ name, pairs }) => {
    const missing = pairs.filter(({ near }) => !keyOf(keys, near)).map(({ near }) => near.name)
    return missing.length > 0 ? `"${name}" needs ${missing.join(', ')} in _group_by.` : undefined
  })
  if (fields?.length)
    state.problems.add(
      'fields',
      'With groups, only fields of populated records can be selected: a group shows all of its results.',
    )
  for (const { relationship } of populate) {
    const { name, pairs } = relationship
    const result = results.get(name)
    if (result && !pairs.some(({ near }) => near.name === name && keyOf(keys, near) === result)) {
      state.problems.add(
        'populate',
        `A result is named ${quoteValue(name)}, too. Rename the result: write " as <alias>" after it.`,
      )
    }
  }
  return populate
}
