/** The history of runs, and runs that requests ask for. E2, E3, E5. */
import type { RequestContext } from '../../context.ts'
import { asService, inTenant } from '../../db/tenant.ts'
import { found } from '../../errors.ts'
import { type Page, pageOf } from '../../http/lists/envelopes.ts'
import { functionInactive } from '../errors.ts'
import { type Outcome, type RunContext, type RunnableFunction, type RunUser, runFunction } from '../runners/service.ts'
import type { Execution, ExecutionInput, Queued } from '../schema.ts'
import { notFailed } from './errors.ts'
import type { Invocation, InvocationsQuery } from './schema.ts'
import * as store from './store.ts'
import { asInvocation, type InvocationRow } from './views.ts'

export type { Ended } from './store.ts'
export { endRuns } from './store.ts'

export async function listInvocations(ctx: RequestContext, url: string, query: InvocationsQuery): Promise<Page<Invocation>> {
  const { results } = await inTenant(ctx, 'read', store.selectInvocations(query))
  return pageOf(results, url, store.list, query, asInvocation)
}

export async function readInvocation(ctx: RequestContext, id: number): Promise<Invocation> {
  const { invocation } = await inTenant(ctx, 'read', { invocation: store.selectInvocation(id) })
  return asInvocation(found(invocation.first))
}

/** Runs one that is dead anew, as if it had never been tried. E5. */
export async function replayInvocation(ctx: RequestContext, id: number): Promise<Queued> {
  const statements = { invocation: store.selectInvocation(id), restarted: store.restartInvocation(id) }
  const { invocation, restarted } = await inTenant(ctx, 'write', statements)
  found(invocation.first)
  if (!restarted.first) throw notFailed()
  return { invocation: asInvocation(restarted.first), queued: true }
}

/** Runs a function while the client waits. The run is noted before it begins, so that none goes by unseen. */
export async function execute(ctx: RequestContext, app: string, slug: string, { params }: ExecutionInput): Promise<Execution> {
  const { run, user, keys } = await noteRun(ctx, app, slug, params, false)
  const startedAt = new Date().toISOString()
  const outcome = await runFunction({
    env: ctx.env,
    config: ctx.config,
    keys,
    function: run.runnable,
    params: JSON.stringify(params),
    context: contextOf(run, run.runnable, user),
    timeoutMs: run.runnable.timeout_seconds * 1000,
  })
  // The run is noted even if the caller has lost the permission in the meantime.
  const { invocation } = await asService(ctx.database, keys.siteId, {
    ended: store.endRuns([endOf({ id: run.id, attempt: 1, startedAt }, outcome)]),
    delivered: store.deleteDelivery(run.delivery_id),
    invocation: store.selectInvocation(run.id),
  })
  return { data: outcome.result, invocation: asInvocation(invocation.one) }
}

export async function queueExecution(ctx: RequestContext, app: string, slug: string, { params }: ExecutionInput): Promise<Queued> {
  return { invocation: asInvocation((await noteRun(ctx, app, slug, params, true)).run), queued: true }
}

async function noteRun(ctx: RequestContext, app: string, slug: string, params: unknown, queued: boolean) {
  const asService = { user: store.selectUser(ctx.caller?.userId ?? null, ctx.apiKeyHash), keys: store.selectKeysOf(ctx.tenant) }
  const answers = await inTenant(ctx, 'write', { run: store.insertRun(app, slug, JSON.stringify(params), queued) }, { asService })
  const run = found(answers.run.first)
  if (!run.runnable.is_active) throw functionInactive()
  return { run, user: answers.user.first ?? null, keys: answers.keys.one }
}

/** What a function is told of its run. */
export const contextOf = (
  { id, attempts, trigger_type, event }: Pick<InvocationRow, 'id' | 'attempts' | 'trigger_type' | 'event'>,
  fn: RunnableFunction,
  user: RunUser | null,
): RunContext => ({
  invocation_id: id,
  attempt: attempts,
  trigger_type,
  event,
  function: { id: fn.id, name: fn.name, slug: fn.slug },
  app: fn.app,
  user,
})

/** The outcome of a run that is not repeated. */
export const endOf = ({ id, attempt, startedAt }: { id: number; attempt: number; startedAt: string }, outcome: Outcome): store.Ended => ({
  id,
  attempt,
  status: outcome.status,
  result: outcome.result,
  error: outcome.error,
  logs: outcome.logs,
  started_at: startedAt,
  finished_at: new Date().toISOString(),
})
