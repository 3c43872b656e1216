/** Runs a function, whatever its mode: a failure of it is an outcome, never an exception. E2. */
import { runInIsolate } from './app.ts'
import { callProxy } from './proxy.ts'
import { failure, type Outcome, type Run, type Runner } from './runner.ts'
import { runSystemFunction } from './system.ts'

export type { Outcome, Run, RunContext, RunnableFunction, RunUser } from './runner.ts'
export { failure, skipped } from './runner.ts'

/** By mode: one row each. */
const runners: Readonly<Record<string, Runner>> = { app: runInIsolate, proxy: callProxy, system: runSystemFunction }

export async function runFunction(run: Run): Promise<Outcome> {
  const runner = runners[run.function.execution_mode]
  if (!runner) return failure(`Functions in "${run.function.execution_mode}" mode cannot be run.`, [], true)
  return runner(run)
}
