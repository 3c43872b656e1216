/**
 * Drops orphans: objects that a change of a large table created before a commit that never happened. A change
 * that fails drops its own orphans. If it is interrupted, the job that it queued at the start drops them, or
 * the next change of the table does.
 */
import { inSessionOfSite, type Session } from '../../kernel/db/session.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import { type Place, placeOf } from '../model/table.ts'
import { retryOnLock } from './retry-on-lock.ts'
import {
  dropOrphan,
  insertClaim,
  type Orphan,
  selectExists,
  selectOrphans,
  shortLockTimeout,
} from './store.ts'

/**
 * Reserves a table for the changes of this session until the session ends. Returns false if another change
 * has the claim.
 */
export async function claimTable(session: Session, place: Place): Promise<boolean> {
  return (await session.run(insertClaim(place))).length > 0
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

/** The queue message that drops the orphans of a table. */
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

/** Drops the orphans of a table. Queues itself again while a change is in progress. */
export async function cleanUpTable(env: Env, { siteId, table: name }: CleanUpTable): Promise<void> {
  const isDone = await inSessionOfSite(configOf(env), siteId, async (session) => {
    const place = placeOf(siteId, name)
    const [table] = await session.run<{ exists: boolean }>(selectExists(place))
    if (!table?.exists) return true
    if (!(await claimTable(session, place))) return false
    await dropOrphans(session, place)
    return true
  })
  if (!isDone) await queueCleanup(env, siteId, name)
}
