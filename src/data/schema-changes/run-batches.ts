/** Runs the work of a schema change on the rows of a large table, some rows at a time. */
import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { AppError } from '../../kernel/errors.ts'
import { pause, retry } from '../../kernel/lib/retry.ts'
import type { Table } from '../model/table.ts'
import type { Batches, BatchRow } from '../providers/online-statement.ts'
import type { DdlStep } from '../providers/provider.ts'
import { ChangeCancelled } from './errors.ts'
import { type JobProgress, saveProgress } from './jobs/store.ts'
import { retryOnLock } from './retry-on-lock.ts'
import { shortLockTimeout, showProgress } from './store.ts'

/** The milliseconds that a batch is meant to take: half of what a writer may wait for it. */
const batchMs = 100
const [rowsFirst, rowsMin, rowsMax] = [200, 100, 5_000]

/** The batches of a step, and the job that saves how far they are. */
interface RowWork {
  jobId: number
  table: Table
  step: DdlStep
  batches: Batches
}

/**
 * Runs the batches of a step one after the other from a point on, each in a transaction of the site's role as
 * the caller of the request, with a pause as long as each took. Throws DatabaseFailure if a value cannot be
 * converted, or if the conversion loses other values than the step says, and 409 if the job is over or
 * cancelled.
 */
export async function runBatches(ctx: RequestContext, work: RowWork, from: JobProgress): Promise<void> {
  let progress = from
  for (let limit = rowsFirst; ; ) {
    const { batch, ms } = await runBatch(ctx, work, progress, limit)
    // What reports the failure finds the records (recording-failure.ts).
    if (batch.unfit > 0) throw new DatabaseFailure({ code: sqlstates.check })
    const { done, rows, lost } = progress
    progress = { done, place: batch.last, rows: rows + batch.rows, lost: lost + batch.lost }
    if (batch.rows < limit) break
    limit = Math.ceil(Math.min(rowsMax, limit * 2, Math.max(rowsMin, (limit * batchMs) / ms)))
    await pause(ms)
  }
  if (progress.lost > (work.step.lost?.count ?? 0)) await refuseLosses(ctx, work.step)
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

const selectTook = sql<{ ms: number }>`
  select extract(epoch from clock_timestamp() - statement_timestamp())::float8 * 1000 as ms`

const isBusy = (error: unknown) => error instanceof AppError && error.code === 'busy'

/** Throws DatabaseFailure with the values that a conversion loses now. */
async function refuseLosses(ctx: RequestContext, { losing }: DdlStep): Promise<void> {
  if (!losing) return
  const { lost } = await inTenant(ctx, 'write', { lost: losing.statement })
  const detail = JSON.stringify({ [losing.field]: lost.one })
  throw new DatabaseFailure({ code: sqlstates.otherLosses, detail })
}
