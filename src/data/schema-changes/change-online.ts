/** Changes a large table: in the request if that is quick, or else as a job, which the history shows. D20. */
import type { RequestContext } from '../../kernel/context.ts'
import { settlesWithin } from '../../kernel/lib/deadline.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import type { Datatable } from '../datatables/schema.ts'
import { selectDatatablesByName } from '../datatables/store.ts'
import { asDatatable } from '../datatables/views.ts'
import { isVersioned } from '../model/history.ts'
import { sqlOf } from '../providers/provider.ts'
import { commitChange } from './commit-change.ts'
import { commitOnline } from './commit-online.ts'
import { dataLoss, SchemaChangedMeanwhile } from './errors.ts'
import { planChange, type SchemaChange } from './examine-change.ts'
import { insertRunning, type JobRequest, type JobRow } from './jobs/store.ts'
import { type ChangeAttempt, recordingFailure } from './recording-failure.ts'
import { retryOnLock } from './retry-on-lock.ts'
import type { RunningChange } from './schema.ts'
import { asChange } from './views.ts'

/**
 * Tells whether a change has work ahead of its transaction, or must first drop what an earlier one has left.
 */
export const needsSession = ({ hasOrphans, steps }: SchemaChange): boolean =>
  hasOrphans || steps.some(({ onlinePhase }) => onlinePhase)

/** Throws 422 if a change loses values and the request does not allow that. */
export function refuseLosses({ steps }: SchemaChange, isAllowed: boolean): void {
  const losses = steps.filter(({ destructive }) => destructive)
  if (losses.length > 0 && !isAllowed) throw dataLoss(losses.map(asChange))
}

/**
 * For how long a request waits for one statement after it was answered, and a message: the runtime ends them
 * after half a minute, and after a quarter of an hour.
 */
const [answeredMs, messageMs] = [10_000, 240_000]

/** Returns what the history shows of a change that fails. */
export const attemptOf = ({ path, before: table, steps }: SchemaChange): ChangeAttempt => ({
  app: path.app,
  table,
  operation: {
    operation: 'alter_table',
    description: `Change the schema of ${table.name}`,
    sql: steps.map(sqlOf).join('\n'),
  },
  steps,
})

/**
 * Makes an examined change of a large table. Returns the datatable; if it takes longer than
 * CHANGE_WAIT_MS, the datatable as it stands, and the operation that goes on.
 */
export async function changeOnline(
  ctx: RequestContext,
  change: SchemaChange,
  request: JobRequest,
): Promise<Datatable | RunningChange> {
  let isAnswered = false
  const goesOn = () => isAnswered
  let begin: (id: number) => void = () => undefined
  const begun = new Promise<number>((resolve) => {
    begin = resolve
  })
  const online = {
    ...onlineChangeOf(ctx, change, request),
    onBegun: (id: number) => begin(id),
    goesOn,
    patienceMs: answeredMs,
  }
  const work = recordingFailure(ctx, attemptOf(change), () => commitOnline(ctx, online), goesOn)
  const jobId = await Promise.race([begun, work.then(() => undefined)])
  if (jobId === undefined || (await settlesWithin(ctx.config.CHANGE_WAIT_MS, work))) return work
  const running = await showRunning(ctx, change, jobId)
  if (!running) return work
  isAnswered = true
  return running
}

/**
 * Goes on with the change of a job. Throws as the request would, and 409 if another session has the table.
 */
export async function goOnWith(ctx: RequestContext, job: JobRow): Promise<void> {
  const { request } = job
  const change = await planChange(ctx, request, () => request.json_schema)
  if (change.before.schemaHash !== request.schema_hash) throw new SchemaChangedMeanwhile(request.table)
  refuseLosses(change, request.allow_data_loss)
  const goesOn = () => true
  const online = { ...onlineChangeOf(ctx, change, request), job, goesOn, patienceMs: messageMs }
  const work = () => commitOnline(ctx, online)
  await recordingFailure(ctx, attemptOf(change), work, goesOn)
}

const onlineChangeOf = (ctx: RequestContext, change: SchemaChange, request: JobRequest) => ({
  siteId: change.siteId,
  table: change.before,
  steps: change.steps,
  beginsHistory: !isVersioned(change.before) && isVersioned(change.after),
  request,
  plan: sha256(attemptOf(change).operation.sql),
  commit: (jobId: number, aheadMs: readonly number[]) =>
    retryOnLock(() =>
      commitChange(ctx, change, request.description, { jobId, accepts: request.accepts, aheadMs }),
    ),
})

/** Shows a job in the history. Returns undefined if it is over. */
const showRunning = (
  ctx: RequestContext,
  change: SchemaChange,
  jobId: number,
): Promise<RunningChange | undefined> =>
  withCatalog(ctx, change.path.app, 'write', (catalog) => {
    const { name } = change.before
    const { sql: script } = attemptOf(change).operation
    return planOf({
      statements: {
        running: insertRunning(jobId, catalog.app.id, name, script),
        datatable: selectDatatablesByName(catalog.app.id, [name]),
      },
      finish: ({ running, datatable }) =>
        running.first && {
          ...asDatatable(datatable.one),
          operation: { id: running.first.operation_id, status: 'running' as const },
        },
    })
  })
