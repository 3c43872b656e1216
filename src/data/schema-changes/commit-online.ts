/**
 * Changes a large table. Slow work runs ahead of the transaction, step by step, so that readers and writers
 * wait only briefly. Its results become part of the schema when the transaction commits.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { inSession, type Session } from '../../kernel/db/session.ts'
import type { Table } from '../model/table.ts'
import type { DdlStep, OnlineStatement } from '../providers/provider.ts'
import { changeInProgress } from './errors.ts'
import { claimTable, dropOrphans, queueCleanup } from './orphans.ts'
import { retryOnLock } from './retry-on-lock.ts'
import { shortLockTimeout } from './store.ts'

/**
 * The order of the work. Indexes come before constraints, because constraints restrict writers from then on.
 */
const stages: readonly OnlineStatement['stage'][] = ['column', 'index', 'constraint', 'validation']

/** A change of a large table. */
export interface OnlineChange<Result> {
  siteId: number
  table: Table
  steps: readonly DdlStep[]
  /**
   * Commits the change. `aheadMs` contains, for each step, the duration of the work ahead of the transaction.
   */
  commit(aheadMs: readonly number[]): Promise<Result>
}

/**
 * Does the work before the steps, then commits. If this fails, drops everything that it created. Throws 409
 * if another change of the table is in progress.
 */
export function commitOnline<Result>(
  ctx: RequestContext,
  { siteId, table, steps, commit }: OnlineChange<Result>,
): Promise<Result> {
  const work = inSession(ctx, async (session) => {
    if (!(await claimTable(session, table))) throw changeInProgress(table.name)
    await dropOrphans(session, table)
    await queueCleanup(ctx.env, siteId, table.physicalName)
    try {
      return await commit(await runAhead(session, steps))
    } catch (error) {
      await dropOrphans(session, table)
        // The session itself may have failed. If a second one fails as well, the queued job cleans up.
        .catch(() => inSession(ctx, (another) => dropOrphans(another, table)))
        .catch(() => undefined)
      throw error
    }
  })
  // Lets the change finish if the client disconnects.
  ctx.waitUntil(work.catch(() => undefined))
  return work
}

/** Does the work ahead of the transaction. Returns the milliseconds that each step took. */
async function runAhead(session: Session, steps: readonly DdlStep[]): Promise<number[]> {
  const milliseconds = steps.map(() => 0)
  for (const stage of stages) {
    for (const [position, { onlinePhase = [] }] of steps.entries()) {
      for (const { statement } of onlinePhase.filter((work) => work.stage === stage)) {
        const start = performance.now()
        await retryOnLock<unknown>(() =>
          isLocking(stage) ? session.transaction([shortLockTimeout, statement]) : session.run(statement),
        )
        milliseconds[position] = (milliseconds[position] as number) + performance.now() - start
      }
    }
  }
  return milliseconds
}

/** Tells whether other statements queue behind a statement of this stage while it waits for its lock. */
const isLocking = (stage: OnlineStatement['stage']) => stage === 'column' || stage === 'constraint'
