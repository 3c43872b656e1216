/** Turns a failure of an aggregation or an annotation in Postgres into the error for the client. R11. */

import { answerBytesMax } from '../../kernel/db/answer-bytes.ts'
import {
  type DatabaseFailure,
  isInvalidExpression,
  isInvalidValue,
  sqlstates,
} from '../../kernel/db/failures.ts'
import { type AppError, answerTooLarge } from '../../kernel/errors.ts'
import type { Result } from '../query/plan/aggregation/results.ts'
import { isPlain } from '../query/plan/expression/expression.ts'
import { invalidRecords, queryTooComplex } from './errors.ts'

/** The messages about values that only Postgres evaluates, by SQLSTATE. */
const problems = new Map<string, string>([
  [
    sqlstates.divisionByZero,
    'Division by zero in some records. Use nullif(…, 0) to turn such a divisor into null.',
  ],
  [sqlstates.outOfRange, 'A number is out of range for some records.'],
])
const otherProblem = 'Some records have a value that cannot be cast or computed with here.'

/** Returns the message about values for which Postgres cannot evaluate an expression. */
export const computationProblem = (sqlstate: string): string => problems.get(sqlstate) ?? otherProblem

/** Returns the error for a regular expression that only Postgres rejects; undefined for any other failure. */
export function patternError(
  { sqlstate }: DatabaseFailure,
  parameters: ReadonlySet<string>,
): AppError | undefined {
  if (parameters.size === 0 || sqlstate !== sqlstates.invalidRegularExpression) return undefined
  return invalidRecords(Object.fromEntries([...parameters].map((parameter) => [parameter, [wrongPattern]])))
}

const wrongPattern = 'Postgres does not support this pattern. Simplify it.'

/**
 * Returns the error for the parameters with expressions; undefined if the client did not cause the failure.
 */
export function computationError(failure: DatabaseFailure, results: readonly Result[]): AppError | undefined {
  if (results.length === 0) return undefined
  const { sqlstate } = failure
  if (sqlstate === sqlstates.queryCanceled) return queryTooComplex(failure)
  if (sqlstate === sqlstates.limitExceeded || sqlstate === sqlstates.outOfMemory)
    return answerTooLarge(answerBytesMax)
  // Handles errors that the type check of expressions could not detect.
  if (!isInvalidValue(sqlstate) && !isInvalidExpression(sqlstate)) return undefined
  const computing = results.filter(({ expression }) => !isPlain(expression)).map(({ parameter }) => parameter)
  if (computing.length === 0) return undefined
  return invalidRecords(
    Object.fromEntries(computing.map((parameter) => [parameter, [computationProblem(sqlstate)]])),
  )
}
