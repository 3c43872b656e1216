/** What is computed of records instead of showing them: one object of all of them, or a page of groups. Spec: Aggregations. */
import { DatabaseFailure, isBadValue, isMisfit, sqlstates } from '../../db/failures.ts'
import type { AppError } from '../../errors.ts'
import type { Plan } from '../catalog.ts'
import type { Range } from '../query/ast.ts'
import { isPlain } from '../query/expression/expression.ts'
import type { AggregationPlan } from '../query/plan-aggregation.ts'
import { renderGroups, renderTotals } from '../query/render-aggregation.ts'
import { answerTooLarge, invalidRecords, queryTooComplex } from './errors.ts'
import { asList, asTotals, type RecordList } from './views.ts'

/** `data` is null where it would be too long. */
interface Computed {
  data: string | null
  total: number
}

/** The statement of an aggregation, and how its answer becomes the body. */
export function aggregate(plan: AggregationPlan, range: Range): Plan<RecordList> {
  const { keys } = plan
  return {
    statements: [keys ? renderGroups(plan, keys) : renderTotals(plan)],
    finish(results) {
      const { data, total } = results.one<Computed>()
      if (data === null) throw answerTooLarge()
      return keys ? asList({ data, total }, range) : asTotals(data)
    },
  }
}

/** What Postgres says of values that only it has seen, by SQLSTATE. */
const problems = new Map<string, string>([
  [sqlstates.divisionByZero, 'Some records divide by zero here: nullif(…, 0) makes such a divisor null.'],
  [sqlstates.outOfRange, 'A number of some records goes beyond its range here.'],
])
const otherProblem = 'Some records have a value here that cannot be cast or computed with in this way.'

/** The refusal for a failure of an aggregation; undefined when it is none of the client's making. */
export function refusalOfAggregation(failure: unknown, { keys = [], aggregates }: AggregationPlan): AppError | undefined {
  if (!(failure instanceof DatabaseFailure)) return undefined
  const { sqlstate } = failure
  if (sqlstate === sqlstates.timeout) return queryTooComplex(failure)
  if (sqlstate === sqlstates.limitExceeded || sqlstate === sqlstates.outOfMemory) return answerTooLarge(failure)
  // The net under the types of expressions.
  if (!isBadValue(sqlstate) && !isMisfit(sqlstate)) return undefined
  const computing = [...keys, ...aggregates].filter(({ expression }) => !isPlain(expression))
  const parameters = new Set(computing.map(({ parameter }) => parameter))
  if (parameters.size === 0) return undefined
  return invalidRecords(Object.fromEntries([...parameters].map((parameter) => [parameter, [problems.get(sqlstate) ?? otherProblem]])))
}
