/** Runs a function in its mode, unless its filter conditions are false. E2, E4. */
import { runInIsolate } from './app.ts'
import { filteredOut } from './conditions.ts'
import { callProxy } from './proxy.ts'
import { type Attempt, type AttemptResult, failure, type Runner } from './runner.ts'
import { runSystemFunction } from './system.ts'

export type { Acting, AttemptResult, InvocationContext, InvocationUser, RunnableFunction } from './runner.ts'
export { failure, skipped } from './runner.ts'

/** The runners by execution mode. */
const runners: ReadonlyMap<string, Runner> = new Map([
  ['app', runInIsolate],
  ['proxy', callProxy],
  ['system', runSystemFunction],
])

/** Makes an attempt. A failure of the function is a result, never an exception. */
export async function runFunction(attempt: Attempt): Promise<AttemptResult> {
  const mode = attempt.function.execution_mode
  const runner = runners.get(mode)
  if (!runner) return failure(`Functions in "${mode}" mode cannot be run.`, { isFinal: true })
  return filteredOut(attempt) ?? runner(attempt)
}
