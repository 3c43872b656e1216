/**
 * Drops orphans: objects that a change of a large table created before a commit that never happened. A change
 * that fails drops its own orphans. If it is interrupted, the job that it queued at the start drops them, or
 * the next change of the table does.
 */
import type { Session } from '../../kernel/db/session.ts'
import type { Env } from '../../kernel/env.ts'
import type { Place } from '../model/table.ts'
import { dropOrphan, type Orphan, selectInvalid, selectOrphans } from './orphan-statements.ts'
import { retryOnLock } from './retry-on-lock.ts'
import { insertClaim, shortLockTimeout } from './store.ts'

/**
 * Reserves a table for the changes of this session until the session ends. Returns false if another change
 * has the claim.
 */
export async function claimTable(session: Session, place: Place, beginsHistory = false): Promise<boolean> {
  return (await session.run(insertClaim(place, beginsHistory))).length > 0
}

/** Drops the orphans of a table. The session must have claimed it. */
export async function dropOrphans(session: Session, place: Place): Promise<void> {
  for (const orphan of await session.run<Orphan>(selectOrphans(place))) {
    const drop = dropOrphan(place, orphan)
    await retryOnLock<unknown>(() =>
      orphan.kind === 'index' ? session.run(drop) : session.transaction([shortLockTimeout, drop]),
    )
  }
}

/**
 * Drops the indexes that an interrupted build of a change has left, so that it can build them again. The
 * session must have claimed the table.
 */
export async function dropInvalid(session: Session, place: Place): Promise<void> {
  for (const orphan of await session.run<Orphan>(selectInvalid(place)))
    await session.run(dropOrphan(place, orphan))
}

/** The queue message that goes on with a change of a table, or drops its orphans (jobs/continue.ts). */
export interface CleanUpTable {
  kind: 'clean-up-table'
  siteId: number
  /** The name of the physical table. */
  table: string
}

const delaySeconds = 60

/**
 * Queues a cleanup in case the change of the table is interrupted. `table` is the name of the physical table.
 */
export const queueCleanup = (env: Env, siteId: number, table: string): Promise<unknown> =>
  env.JOBS.send({ kind: 'clean-up-table', siteId, table } satisfies CleanUpTable, { delaySeconds })
