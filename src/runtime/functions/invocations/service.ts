/** The history of invocations, and the invocations that requests start. E2, E3, E5. */
import type { RequestContext } from '../../../kernel/context.ts'
import { asService, inTenant } from '../../../kernel/db/tenant.ts'
import { found } from '../../../kernel/errors.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import { functionInactive } from '../errors.ts'
import { queueMails } from '../mails/queue.ts'
import { insertMails } from '../mails/store.ts'
import { missingFunction } from '../missing-function.ts'
import {
  type Acting,
  type AttemptResult,
  type InvocationContext,
  type InvocationUser,
  type RunnableFunction,
  runFunction,
} from '../runners/service.ts'
import type { Execution, ExecutionInput, Queued } from '../schema.ts'
import { invocationNotFound, notFailed } from './errors.ts'
import type { Invocation, InvocationsQuery } from './schema.ts'
import * as store from './store.ts'
import { asInvocation, type InvocationRow } from './views.ts'

export { queueMails } from '../mails/queue.ts'
export { insertMails } from '../mails/store.ts'
export { countSkipped, oldSamples, pausedReason, trimSkipped } from '../skipped-runs/store.ts'
export type { CauseRow, FinishedAttempt } from './store.ts'
export { finishAttempts, withoutMails } from './store.ts'

/** Returns a page of the invocations of the site. */
export async function listInvocations(
  ctx: RequestContext,
  url: string,
  query: InvocationsQuery,
): Promise<Page<Invocation>> {
  const page = await inTenant(ctx, 'read', store.selectInvocations(query))
  return pageOf(page, url, store.list, query, asInvocation)
}

/** Returns an invocation. Throws 404 if the site has none with this id. */
export async function readInvocation(ctx: RequestContext, id: number): Promise<Invocation> {
  const { invocation } = await inTenant(ctx, 'read', { invocation: store.selectInvocation(id) })
  return asInvocation(found(invocation.first, () => invocationNotFound(id)))
}

/**
 * Queues a failed invocation again. Throws 404 if there is none with this id, 400 if it has not failed. E5.
 */
export async function replayInvocation(ctx: RequestContext, id: number): Promise<Queued> {
  const statements = { invocation: store.selectInvocation(id), restarted: store.restartInvocation(id) }
  const { invocation, restarted } = await inTenant(ctx, 'write', statements)
  found(invocation.first, () => invocationNotFound(id))
  if (!restarted.first) throw notFailed()
  return { invocation: asInvocation(restarted.first), queued: true }
}

/**
 * Runs a function while the client waits. The invocation is stored before the attempt starts, so that none is
 * missing from the history. Throws 404 for an unknown function, 400 for an inactive one. E2.
 */
export async function execute(
  ctx: RequestContext,
  app: string,
  slug: string,
  { params }: ExecutionInput,
): Promise<Execution> {
  const { row, cause, site: keys } = await createInvocation(ctx, app, slug, { params, isQueued: false })
  const startedAt = new Date().toISOString()
  const result = await runFunction({
    env: ctx.env,
    config: ctx.config,
    keys,
    function: row.runnable,
    params: JSON.stringify(params),
    context: invocationContext(row, row.runnable, asUser(cause)),
    acting: { site: keys.slug, isStored: true, depth: 1, caller: asCaller(cause) },
    timeoutMs: row.runnable.timeout_seconds * 1000,
    trace: ctx.trace,
  })
  // Runs as the service, because the caller may have lost the permission in the meantime.
  const finished = [finishedAttempt({ id: row.id, attempt: 1, startedAt }, result)]
  const { invocation, mails } = await asService(ctx.database, keys.siteId, {
    finished: store.finishAttempts(finished),
    mails: insertMails(finished),
    deleted: store.deleteOutboxRow(row.delivery_id),
    invocation: store.selectInvocation(row.id),
  })
  await queueMails(ctx.env, keys.siteId, mails.all)
  return { data: result.result, invocation: asInvocation(invocation.one) }
}

/** Queues an invocation of a function. Throws 404 for an unknown function, 400 for an inactive one. E2. */
export async function queueExecution(
  ctx: RequestContext,
  app: string,
  slug: string,
  { params }: ExecutionInput,
): Promise<Queued> {
  const { row } = await createInvocation(ctx, app, slug, { params, isQueued: true })
  return { invocation: asInvocation(row), queued: true }
}

interface CreatedInvocation {
  row: store.NewInvocationRow
  cause: store.CauseRow | null
  site: store.RunningSite
}

async function createInvocation(
  ctx: RequestContext,
  app: string,
  slug: string,
  { params, isQueued }: { params: unknown; isQueued: boolean },
): Promise<CreatedInvocation> {
  const asService = {
    cause: store.selectUser(ctx.caller?.userId ?? null, ctx.apiKeyHash),
    site: store.selectSite(ctx.tenant),
  }
  const invocation = store.insertInvocation(app, slug, JSON.stringify(params), isQueued)
  const answers = await inTenant(ctx, 'write', { invocation }, { asService })
  const row = answers.invocation.first
  if (!row) throw await missingFunction(ctx, app, slug)
  if (row.id === null) throw functionInactive()
  return { row, cause: answers.cause.first ?? null, site: answers.site.one }
}

/** Returns the data for the function about the account that caused a run. */
export const asUser = (cause: store.CauseRow | null): InvocationUser | null =>
  cause && { id: cause.id, username: cause.username, email: cause.email }

/** Returns the account whose rights a function has that runs as its caller. */
export const asCaller = (cause: store.CauseRow | null): Acting['caller'] =>
  cause && { userId: cause.id, generation: cause.generation }

/** Returns the second argument of the function. */
export const invocationContext = (
  { id, attempts, trigger_type, event }: Pick<InvocationRow, 'id' | 'attempts' | 'trigger_type' | 'event'>,
  fn: RunnableFunction,
  user: InvocationUser | null,
): InvocationContext => ({
  invocation_id: id,
  attempt: attempts,
  trigger_type,
  event,
  function: { id: fn.id, name: fn.name, slug: fn.slug },
  app: fn.app,
  user,
})

/** Returns the record of an attempt that ends now. */
export const finishedAttempt = (
  { id, attempt, startedAt }: { id: number; attempt: number; startedAt: string },
  { status, result, error, logs, mails = [], neverStarted }: AttemptResult,
): store.FinishedAttempt => ({
  id,
  attempt,
  status,
  result,
  error,
  logs,
  mails,
  started_at: neverStarted ? null : startedAt,
  finished_at: new Date().toISOString(),
})
