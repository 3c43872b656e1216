/**
 * Goes on with changes of large tables that were interrupted, and cleans up after those that are over. A
 * change queues a message at its start. The message comes back until the change has ended.
 */
import type { RequestContext } from '../../../kernel/context.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import { DatabaseFailure, DatabaseUnavailable, isRetryable } from '../../../kernel/db/failures.ts'
import { inSessionOfSite } from '../../../kernel/db/session.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { asService } from '../../../kernel/db/tenant.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createContext } from '../../../kernel/http/request-context.ts'
import { describeFailure, log } from '../../../kernel/lib/log.ts'
import { afterCommit } from '../../../runtime/outbox/service.ts'
import { type Place, placeOf } from '../../model/table.ts'
import { goOnWith } from '../change-online.ts'
import { type CleanUpTable, claimTable, dropOrphans, queueCleanup } from '../orphans.ts'
import { endSession, partOf } from '../run-long.ts'
import { selectExists, showPart } from '../store.ts'
import { claimStopped, endInterrupted, type JobRow, takeJobs } from './store.ts'

const deadlineMs = 60_000
/** The limit of `sendBatch`. */
const jobsMax = 100

/** Queues the changes that nobody cares for, because their message was lost. */
export async function queueStoppedChanges(env: Env): Promise<void> {
  const { stopped } = await openDatabase(configOf(env)).batch({ stopped: claimStopped(jobsMax) }, deadlineMs)
  for (const { site_id, table } of stopped.all) await queueCleanup(env, site_id, table)
}

/**
 * Goes on with the change of a table that is not over. If there is none, or it fails, drops the orphans of
 * the table. Queues itself again while another session has the table.
 */
export async function cleanUpTable(env: Env, { siteId, table: name }: CleanUpTable): Promise<void> {
  const place = placeOf(siteId, name)
  const database = openDatabase(configOf(env))
  const { jobs, slug } = await asService(
    database,
    siteId,
    { jobs: takeJobs(place) },
    { slug: selectSlug(siteId) },
  )
  const job = jobs.all.find(({ goes_on }) => goes_on)
  const outcome = job ? await goOn(env, slug.one.slug, job) : 'failed'
  const isOver = outcome === 'failed' ? await undo(env, siteId, place, job?.id) : outcome === 'done'
  if (isOver) return
  if (job?.session) await follow(env, siteId, place, { ...job, session: job.session })
  await queueCleanup(env, siteId, name)
}

/** Shows how far the statement is with which Postgres goes on alone, or ends it if its job is cancelled. */
async function follow(
  env: Env,
  siteId: number,
  place: Place,
  { is_cancelled, session }: { is_cancelled: boolean; session: string },
): Promise<void> {
  const config = configOf(env)
  if (is_cancelled) return void (await endSession(config, session))
  const part = await partOf(config, session)
  if (part > 0) await asService(openDatabase(config), siteId, { shown: showPart(place, part) })
}

const selectSlug = (siteId: number): Sql<{ slug: string }> =>
  sql<{ slug: string }>`select s.slug from public.sites s where s.id = ${siteId}`

/**
 * Drops the orphans of a table, and ends the job that has failed and those whose requests were interrupted.
 * Returns false while another session has the table.
 */
const undo = (env: Env, siteId: number, place: Place, failedId?: number): Promise<boolean> =>
  inSessionOfSite(configOf(env), siteId, async (session) => {
    const [table] = await session.run<{ exists: boolean }>(selectExists(place))
    if (table?.exists) {
      if (!(await claimTable(session, place))) return false
      await dropOrphans(session, place)
    }
    await session.run(endInterrupted(place, failedId))
    return true
  })

/** Goes on with a job. `waits`: another session has its table, or the database does not answer. */
async function goOn(env: Env, slug: string, job: JobRow): Promise<'done' | 'failed' | 'waits'> {
  const { ctx, finish } = contextOf(env, slug, job)
  try {
    await goOnWith(ctx, job)
    return 'done'
  } catch (error) {
    if (isTemporary(error)) return 'waits'
    // The body of an error can quote values of records.
    const reason = error instanceof AppError ? { code: error.code } : describeFailure(error, false)
    log({ level: 'warn', schema_change: job.id, ...reason })
    return 'failed'
  } finally {
    await finish()
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable ||
  (error instanceof DatabaseFailure && isRetryable(error)) ||
  (error instanceof AppError && (error.code === 'schema_change_in_progress' || error.status >= 500))

/** Returns the context of a request to the site by the account that has sent the change. */
function contextOf(
  env: Env,
  slug: string,
  { created_by, generation }: JobRow,
): { ctx: RequestContext; finish(): Promise<unknown> } {
  const work: Promise<unknown>[] = []
  const origin = configOf(env).PUBLIC_URL?.origin ?? 'http://localhost'
  const ctx = createContext(env, new Request(`${origin}/sites/${slug}/api/`), {
    requestId: `change-${crypto.randomUUID()}`,
    clientRequestId: null,
    waitUntil: (one) => void work.push(one.catch(() => undefined)),
    afterCommit,
  })
  ctx.caller = { userId: created_by, generation, signedInAt: new Date(0) }
  ctx.permission = 'manage_site'
  return { ctx, finish: () => Promise.all(work).finally(ctx.share.release) }
}
