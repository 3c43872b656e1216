/** From what Postgres refused of an aggregation to what the client reads: by SQLSTATE, with the parameters that compute. R11. */
import { DatabaseFailure, isBadValue, isMisfit, sqlstates } from '../../db/failures.ts'
import type { AppError } from '../../errors.ts'
import { isPlain } from '../query/expression/expression.ts'
import type { AggregationPlan } from '../query/plan-aggregation.ts'
import { answerBytesMax } from '../query/render-list.ts'
import { answerTooLarge, invalidRecords, queryTooComplex } from './errors.ts'

/** What is wrong with values that only Postgres has seen. */
const problems = new Map<string, string>([
  [sqlstates.divisionByZero, 'Some records divide by zero here: nullif(…, 0) makes such a divisor null.'],
  [sqlstates.outOfRange, 'A number of some records goes beyond its range here.'],
])
const otherProblem = 'Some records have a value here that cannot be cast or computed with in this way.'

/** Undefined when the failure is none of the client's making. */
export function aggregationRefusal(failure: unknown, { keys = [], aggregates }: AggregationPlan): AppError | undefined {
  if (!(failure instanceof DatabaseFailure)) return undefined
  const { sqlstate } = failure
  if (sqlstate === sqlstates.queryCanceled) return queryTooComplex(failure)
  if (sqlstate === sqlstates.limitExceeded || sqlstate === sqlstates.outOfMemory) return answerTooLarge(answerBytesMax)
  // The net under the types of expressions.
  if (!isBadValue(sqlstate) && !isMisfit(sqlstate)) return undefined
  const computing = [...keys, ...aggregates].filter(({ expression }) => !isPlain(expression)).map(({ parameter }) => parameter)
  if (computing.length === 0) return undefined
  return invalidRecords(Object.fromEntries(computing.map((parameter) => [parameter, [problems.get(sqlstate) ?? otherProblem]])))
}
