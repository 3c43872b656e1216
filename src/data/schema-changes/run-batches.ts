/** Runs the work of a schema change on the rows of a large table, some rows at a time. */
import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { AppError } from '../../kernel/errors.ts'
import { pause, retry } from '../../kernel/lib/retry.ts'
import type { Table } from '../model/table.ts'
import type { Batches, BatchRow } from '../providers/online-statement.ts'
import type { DdlStep } from '../providers/provider.ts'
import { firstSize, nextSize, smallerSize } from './batch-size.ts'
import { ChangeCancelled } from './errors.ts'
import { type JobProgress, saveProgress } from './jobs/store.ts'
import { retryOnLock } from './retry-on-lock.ts'
import { selectTook, shortLockTimeout, showProgress } from './store.ts'

/** The batches of a step, and the job that saves how far they are. */
interface RowWork {
  jobId: number
  table: Table
  step: DdlStep
  batches: Batches
  /** How many values the conversion may lose. Null: any number. */
  accepted: number | null
}

/**
 * Runs the batches of a step one after the other from a point on, each in a transaction of the site's role as
 * the caller of the request, with a pause as long as each took. Throws DatabaseFailure if a value cannot be
 * converted, or if the conversion loses more values than are accepted, and 409 if the job is over or
 * cancelled.
 */
export async function runBatches(ctx: RequestContext, work: RowWork, from: JobProgress): Promise<void> {
  let progress = from
  for (let limit = firstSize; ; ) {
    const ran = await runBatch(ctx, work, progress, limit).catch((error: unknown) => {
      if (limit === 1 || !isOutOfTime(error)) throw error
    })
    if (!ran) {
      limit = smallerSize(limit)
      continue
    }
    const { batch, ms } = ran
    // What reports the failure finds the records (recording-failure.ts).
    if (batch.unfit > 0) throw new DatabaseFailure({ code: sqlstates.check })
    const { rows, lost } = progress
    const next = { ...progress, place: batch.last, rows: rows + batch.rows, lost: lost + batch.lost }
    if (work.accepted !== null && next.lost > work.accepted) await refuseLosses(ctx, work, progress, limit)
    progress = next
    if (batch.rows < limit) break
    limit = nextSize(limit, ms)
    await pause(ms)
  }
}

/**
 * Runs the batch after a point, which it saves: if it is interrupted, it is repeated. It waits for the locks
 * of writers, and for the place of the site, without giving up soon. Also returns the milliseconds that it
 * took Postgres.
 */
const runBatch = (
  ctx: RequestContext,
  { jobId, table, batches }: RowWork,
  progress: JobProgress,
  limit: number,
): Promise<{ batch: BatchRow; ms: number }> =>
  retry({ attempts: 60, isTransient: isBusy, pauseMs: () => 1_000 }, () =>
    retryOnLock(async () => {
      const answers = await inTenant(ctx, 'write', {
        wait: shortLockTimeout,
        saved: saveProgress(jobId, progress),
        shown: showProgress(table, progress.rows),
        batch: batches.next(progress.place, limit),
        took: selectTook,
      })
      if (!answers.saved.first || answers.saved.first.is_cancelled) throw new ChangeCancelled(table.name)
      return { batch: answers.batch.one, ms: Math.max(1, answers.took.one.ms) }
    }),
  )

const isBusy = (error: unknown) => error instanceof AppError && error.code === 'busy'
const isOutOfTime = (error: unknown) =>
  error instanceof DatabaseFailure && error.sqlstate === sqlstates.queryCanceled

/** Throws DatabaseFailure with the values that the batch after a point loses. */
async function refuseLosses(
  ctx: RequestContext,
  { step: { losing } }: RowWork,
  { place }: JobProgress,
  limit: number,
): Promise<void> {
  if (!losing) return
  const { lost } = await inTenant(ctx, 'read', { lost: losing.page(place, limit) })
  const { count, samples } = lost.one
  throw new DatabaseFailure({
    code: sqlstates.otherLosses,
    detail: JSON.stringify({ [losing.field]: { count, samples } }),
  })
}
