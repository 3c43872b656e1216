/** Runs the work of a change of a large table ahead of its transaction, and saves how far it is. */
import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import type { Session } from '../../kernel/db/session.ts'
import type { Table } from '../model/table.ts'
import { type OnlineStatement, onlineStages } from '../providers/online-statement.ts'
import type { DdlStep } from '../providers/provider.ts'
import { type AcceptedLosses, acceptedBy } from './accepted-losses.ts'
import { ChangeCancelled } from './errors.ts'
import { type JobProgress, saveProgress } from './jobs/store.ts'
import { retryOnLock } from './retry-on-lock.ts'
import { runBatches } from './run-batches.ts'
import { runLong } from './run-long.ts'
import { shortLockTimeout } from './store.ts'

/** The work of a change. */
interface Ahead {
  jobId: number
  table: Table
  steps: readonly DdlStep[]
  accepts: AcceptedLosses
  from: JobProgress
  /** Whether an earlier session did the work before `from`. It may also have done the next statement. */
  isResumed: boolean
  /** For how long to wait for one statement. */
  patienceMs(): number
}

/**
 * Does the work from a point on. Returns the milliseconds that each step took. Throws 409 if the job is over
 * or cancelled.
 */
export async function runAhead(ctx: RequestContext, session: Session, ahead: Ahead): Promise<number[]> {
  const { jobId, table, steps, accepts, from, isResumed } = ahead
  const milliseconds = steps.map(() => 0)
  let progress = from
  for (const { position, step, work } of worksOf(steps).slice(from.done)) {
    const [saved] = await session.run<{ is_cancelled: boolean }>(saveProgress(jobId, progress))
    if (!saved || saved.is_cancelled) throw new ChangeCancelled(table.name)
    const start = performance.now()
    const { batches } = work
    const accepted = acceptedBy(accepts, step.losing)
    if (batches) await runBatches(ctx, { jobId, table, step, batches, accepted }, progress)
    else
      await unlessDone(isResumed && progress === from, () =>
        isLocking(work.stage)
          ? retryOnLock(() => session.transaction([shortLockTimeout, work.statement]))
          : runLong(ctx, session, { ...ahead, statement: work.statement, progress }),
      )
    milliseconds[position] = (milliseconds[position] as number) + performance.now() - start
    progress = { plan: from.plan, done: progress.done + 1, place: null, rows: 0, lost: 0 }
  }
  return milliseconds
}

/** Returns the statements of the online phase in their order, each with its step. */
const worksOf = (steps: readonly DdlStep[]): { position: number; step: DdlStep; work: OnlineStatement }[] =>
  onlineStages.flatMap((stage) =>
    steps.flatMap((step, position) =>
      (step.onlinePhase ?? [])
        .filter((work) => work.stage === stage)
        .map((work) => ({ position, step, work })),
    ),
  )

/** Runs a statement as a whole. `mayBeDone`: an earlier session may have run it. */
async function unlessDone(mayBeDone: boolean, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!mayBeDone || !isDuplicate(error)) throw error
  }
}

/** Tells whether a statement failed because the object that it makes is there. */
const isDuplicate = (error: unknown): boolean =>
  error instanceof DatabaseFailure && duplicates.some((one) => one === error.sqlstate)
const duplicates = [sqlstates.duplicateColumn, sqlstates.duplicateObject, sqlstates.duplicateTable]

/** Tells whether other statements queue behind a statement of this stage while it waits for its lock. */
const isLocking = (stage: OnlineStatement['stage']) => stage === 'column' || stage === 'constraint'
