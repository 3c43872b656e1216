/** Runs a function in its mode, unless its filter conditions are false. E2, E4. */
import { countUse } from '../../../kernel/db/use.ts'
import { record } from '../../../kernel/telemetry/metrics.ts'
import { addSpan, newSpanId, traceparentOf } from '../../../kernel/telemetry/trace.ts'
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

/**
 * Runs an attempt. A failure of the function is a result, never an exception. The first attempt of an
 * invocation counts as use of the site.
 */
export async function runFunction(attempt: Attempt): Promise<AttemptResult> {
  const mode = attempt.function.execution_mode
  const runner = runners.get(mode)
  if (!runner) return failure(`Functions in "${mode}" mode cannot be run.`, { isFinal: true })
  const filtered = filteredOut(attempt)
  if (filtered) return filtered
  const result = await runTraced(attempt, runner)
  if (attempt.context.attempt === 1 && !result.notStarted)
    countUse(attempt.config, attempt.keys.siteId, 'invocations')
  return result
}

/**
 * Runs an attempt as a span of its trace. Names of functions belong to the tenant, so the span has only ids.
 */
async function runTraced(attempt: Attempt, runner: Runner): Promise<AttemptResult> {
  const { trace, function: fn, context, keys } = attempt
  const [id, from] = [newSpanId(), Date.now()]
  const result = await runner({ ...attempt, traceparent: traceparentOf(trace, id) })
  const [to, hasFailed] = [Date.now(), result.status === 'FAILURE']
  record(
    'tessera.function.attempt.duration',
    { mode: fn.execution_mode, status: result.status },
    (to - from) / 1000,
  )
  addSpan(trace, {
    id,
    name: `run ${fn.execution_mode}`,
    kind: fn.execution_mode === 'proxy' ? 'client' : 'internal',
    from,
    to,
    attributes: {
      'tessera.site': keys.siteId,
      'tessera.function': fn.id,
      'tessera.invocation': context.invocation_id,
      'tessera.attempt': context.attempt,
      'tessera.status': result.status,
    },
    hasFailed,
  })
  return result
}
