/**
 * Changes a large table. Slow work runs ahead of the transaction, step by step, so that readers and writers
 * wait only briefly. Its results become part of the schema when the transaction commits. How far it is stands
 * in the row of a job, so that another Worker can go on with it (jobs/continue.ts).
 */
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { DatabaseUnavailable } from '../../kernel/db/failures.ts'
import { inSession, type Session } from '../../kernel/db/session.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Table } from '../model/table.ts'
import type { DdlStep } from '../providers/provider.ts'
import { ChangeCancelled, changeInProgress } from './errors.ts'
import { endInterrupted, endJob, insertJob, type JobRequest, type JobRow } from './jobs/store.ts'
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
  /** The hash of the steps. A job with others begins anew. */
  plan: string
  /** Goes on with a job. Omitted: begins one. */
  job?: JobRow
  /** Called when a job has begun. */
  onBegun?(id: number): void
  /**
   * Commits the change, and ends the job. `aheadMs` contains, for each step, the duration of the work ahead
   * of the transaction.
   */
  commit(jobId: number, aheadMs: readonly number[]): Promise<Result>
  /** Tells whether the job goes on later after an interruption: nobody waits for its answer. */
  goesOn(): boolean
  /** For how long the job waits for one statement if it goes on later. */
  patienceMs: number
}

/**
 * Does the work before the steps, then commits. If this fails, drops everything that it created, unless it
 * was interrupted and goes on later. Throws 409 if another change of the table is in progress.
 */
export function commitOnline<Result>(ctx: RequestContext, change: OnlineChange<Result>): Promise<Result> {
  const { siteId, table, steps, beginsHistory, plan, job } = change
  const isResumed = job?.plan === plan
  const work = inSession(ctx, async (session) => {
    if (!(await claimTable(session, table, beginsHistory))) throw changeInProgress(table.name)
    const id = job?.id ?? (await beginJob(ctx, session, change))
    await (isResumed ? dropInvalid(session, table) : dropOrphans(session, table))
    change.onBegun?.(id)
    // What goes on with a job has its message already.
    if (!job) await queueCleanup(ctx.env, siteId, table.physicalName)
    try {
      const { accepts } = change.request
      const from = isResumed ? { ...job, plan } : { plan, done: 0, place: null, rows: 0, lost: 0 }
      const patienceMs = () => (change.goesOn() ? change.patienceMs : Number.POSITIVE_INFINITY)
      const ahead = { jobId: id, table, steps, accepts, from, isResumed, patienceMs }
      const aheadMs = await runAhead(ctx, session, ahead)
      return await change.commit(id, aheadMs)
    } catch (error) {
      if (change.goesOn() && isInterruption(error)) throw error
      const ending = error instanceof ChangeCancelled ? 'cancelled' : 'failed'
      const undo = async (own: Session) => {
        await dropOrphans(own, table)
        await own.run(endJob(id, ending))
      }
      await undo(session)
        // The session itself may have failed. If a second one fails as well, or cannot claim the table, the
        // queued job cleans up.
        .catch(() =>
          inSession(ctx, async (own) => {
            if (await claimTable(own, table)) await undo(own)
          }),
        )
        .catch(() => undefined)
      throw error
    }
  })
  // Lets the change finish if the client disconnects.
  ctx.waitUntil(work.catch(() => undefined))
  return work
}

/** Begins the job of a change. The session has claimed the table. Throws 409 if another one goes on. */
async function beginJob(
  ctx: RequestContext,
  session: Session,
  { siteId, table, request }: Pick<OnlineChange<unknown>, 'siteId' | 'table' | 'request'>,
): Promise<number> {
  const { userId, generation } = requireCaller(ctx)
  await session.run(endInterrupted(table))
  const asService = { begun: insertJob(siteId, table, { userId, generation, request }) }
  const { begun } = await inTenant(ctx, 'write', {}, { asService })
  if (!begun.first) throw changeInProgress(table.name)
  return begun.first.id
}

/** Tells whether the work may succeed if it is repeated. */
const isInterruption = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || (error instanceof AppError && error.status >= 500)
