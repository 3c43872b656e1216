/** Runs a function, whatever its mode, unless its conditions keep it from running: a failure of it is an outcome, never an exception. E2, E4. */
import { passes, reasonOf } from '../filter.ts'
import { runInIsolate } from './app.ts'
import { callProxy } from './proxy.ts'
import { failure, type Outcome, type Run, type Runner, skipped } from './runner.ts'
import { runSystemFunction } from './system.ts'

export type { Outcome, Run, RunContext, RunnableFunction, RunUser } from './runner.ts'
export { failure, skipped } from './runner.ts'

/** By mode: one row each. */
const runners: Readonly<Record<string, Runner>> = { app: runInIsolate, proxy: callProxy, system: runSystemFunction }

export async function runFunction(run: Run): Promise<Outcome> {
  const runner = runners[run.function.execution_mode]
  if (!runner) return failure(`Functions in "${run.function.execution_mode}" mode cannot be run.`, [], true)
  return (run.context.event !== null && heldBack(run)) || runner(run)
}

/** For an event: whether the function's conditions say that it is not to run, or cannot be asked. */
function heldBack({ function: fn, params, context }: Run): Outcome | undefined {
  try {
    return passes(fn.filter_conditions, params, context.user, new Date()) ? undefined : skipped(null)
  } catch (error) {
    return failure(`The filter conditions cannot be evaluated: ${reasonOf(error)}`, [], true)
  }
}
