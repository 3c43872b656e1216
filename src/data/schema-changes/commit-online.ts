/**
 * Changes a large table. Slow work runs ahead of the transaction, step by step, so that readers and writers
 * wait only briefly. Its results become part of the schema when the transaction commits. How far it is stands
 * in the row of a job, so that another Worker can go on with it (jobs/continue.ts).
 */
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { DatabaseUnavailable } from '../../kernel/db/failures.ts'
import { inSession, type Session } from '../../kernel/db/session.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Table } from '../model/table.ts'
import type { DdlStep } from '../providers/provider.ts'
import { ChangeCancelled, changeInProgress } from './errors.ts'
import { endJob, insertJob, type JobProgress, type JobRequest } from './jobs/store.ts'
import { claimTable, dropInvalid, dropOrphans, queueCleanup } from './orphans.ts'
import { runAhead } from './run-ahead.ts'

/** A change of a large table. */
export interface OnlineChange<Result> {
  siteId: number
  table: Table
  steps: readonly DdlStep[]
  /** Whether it begins the history of the table. */
  beginsHistory: boolean
  request: JobRequest
  /** Goes on with a job. Omitted: begins one. */
  job?: JobProgress & { id: number }
  /** Called when a job has begun. */
  onBegun?(id: number): void
  /**
   * Commits the change, and ends the job. `aheadMs` contains, for each step, the duration of the work ahead
   * of the transaction.
   */
  commit(jobId: number, aheadMs: readonly number[]): Promise<Result>
  /** Tells whether the job goes on later after an interruption: nobody waits for its answer. */
  goesOn(): boolean
}

/**
 * Does the work before the steps, then commits. If this fails, drops everything that it created, unless it
 * was interrupted and goes on later. Throws 409 if another change of the table is in progress.
 */
export function commitOnline<Result>(ctx: RequestContext, change: OnlineChange<Result>): Promise<Result> {
  const { siteId, table, steps, beginsHistory, job } = change
  const work = inSession(ctx, async (session) => {
    if (!(await claimTable(session, table, beginsHistory))) throw changeInProgress(table.name)
    await (job ? dropInvalid(session, table) : dropOrphans(session, table))
    const id = job?.id ?? (await beginJob(ctx, session, change))
    change.onBegun?.(id)
    await queueCleanup(ctx.env, siteId, table.physicalName)
    try {
      const from = job ?? { done: 0, place: null, rows: 0, lost: 0 }
      const aheadMs = await runAhead(ctx, session, {
        jobId: id,
        table,
        steps,
        from,
        isResumed: job !== undefined,
      })
      return await change.commit(id, aheadMs)
    } catch (error) {
      if (change.goesOn() && isInterruption(error)) throw error
      const ending = error instanceof ChangeCancelled ? 'cancelled' : 'failed'
      const undo = async (own: Session) => {
        await dropOrphans(own, table)
        await own.run(endJob(id, ending))
      }
      await undo(session)
        // The session itself may have failed. If a second one fails as well, the queued job cleans up.
        .catch(() => inSession(ctx, undo))
        .catch(() => undefined)
      throw error
    }
  })
  // Lets the change finish if the client disconnects.
  ctx.waitUntil(work.catch(() => undefined))
  return work
}

async function beginJob(
  ctx: RequestContext,
  session: Session,
  { table, request }: Pick<OnlineChange<unknown>, 'table' | 'request'>,
): Promise<number> {
  const { userId, generation } = requireCaller(ctx)
  const [job] = await session.run<{ id: string }>(insertJob(table, { userId, generation, request }))
  return Number(job?.id)
}

/** Tells whether the work may succeed if it is repeated. */
const isInterruption = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || (error instanceof AppError && error.status >= 500)
