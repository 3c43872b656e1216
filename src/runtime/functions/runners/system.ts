/** The system functions. E2. */
import { type Attempt, type AttemptResult, failure, type Runner, success } from './runner.ts'

const messageLengthMax = 65_536

/** The system functions by name. */
const systemFunctions = new Map<string, (attempt: Attempt) => AttemptResult>([
  ['log', logParams],
  ['noop', () => success(null)],
  ['fail', () => failure('The system function "fail" always fails.')],
])

function logParams({ params }: Attempt): AttemptResult {
  const message = params.slice(0, messageLengthMax).toWellFormed()
  return success(null, [{ at: new Date().toISOString(), level: 'info', message }])
}

/** Runs the system function that the function names. */
export const runSystemFunction: Runner = async (attempt) =>
  systemFunctions.get(attempt.function.system_function)?.(attempt) ??
  failure('There is no such system function.', { isFinal: true })
