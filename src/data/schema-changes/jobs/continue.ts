/**
 * Goes on with changes of large tables that were interrupted, and cleans up after those that are over. A change
 * queues a message at its start. The message comes back until the change has ended.
 */
import type { RequestContext } from '../../../kernel/context.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import { inSessionOfSite } from '../../../kernel/db/session.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { asService } from '../../../kernel/db/tenant.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createContext } from '../../../kernel/http/request-context.ts'
import { log } from '../../../kernel/lib/log.ts'
import { afterCommit } from '../../../runtime/outbox/service.ts'
import { type Place, placeOf } from '../../model/table.ts'
import { goOnWith } from '../change-online.ts'
import { type CleanUpTable, claimTable, dropOrphans, queueCleanup } from '../orphans.ts'
import { selectExists } from '../store.ts'
import { claimStopped, endJob, type JobRow, takeJob } from './store.ts'

const deadlineMs = 60_000
/** The limit of `sendBatch`. */
const jobsMax = 100

/** Queues the changes that nobody cares for: their message was lost. */
export async function queueStoppedChanges(env: Env): Promise<void> {
  const { stopped } = await openDatabase(configOf(env)).batch({ stopped: claimStopped(jobsMax) }, deadlineMs)
  for (const { site_id, table_name } of stopped.all)
    await queueCleanup(env, site_id, physicalNameOf(table_name))
}

/** Returns the name of a physical table without its schema and its quotes. */
const physicalNameOf = (name: string): string => name.slice(name.indexOf('.') + 1).replaceAll('"', '')

/**
 * Goes on with the change of a table that is not over. Otherwise drops its orphans. Queues itself again while
 * another session has the table.
 */
export async function cleanUpTable(env: Env, { siteId, table: name }: CleanUpTable): Promise<void> {
  const place = placeOf(siteId, name)
  const { job, slug } = await asService(
    openDatabase(configOf(env)),
    siteId,
    { job: takeJob(place) },
    { slug: selectSlug(siteId) },
  )
  const isOver = job.first
    ? await goOn(env, { siteId, slug: slug.one.slug, job: job.first })
    : await dropAll(env, siteId, place)
  if (!isOver) await queueCleanup(env, siteId, name)
}

const selectSlug = (siteId: number): Sql<{ slug: string }> =>
  sql<{ slug: string }>`select s.slug from public.sites s where s.id = ${siteId}`

/** Drops the orphans of a table. Returns false while another session has it. */
const dropAll = (env: Env, siteId: number, place: Place): Promise<boolean> =>
  inSessionOfSite(configOf(env), siteId, async (session) => {
    const [table] = await session.run<{ exists: boolean }>(selectExists(place))
    if (!table?.exists) return true
    if (!(await claimTable(session, place))) return false
    await dropOrphans(session, place)
    return true
  })

interface StoppedJob {
  siteId: number
  slug: string
  job: JobRow
}

/** Goes on with a job. Returns whether it is over. */
async function goOn(env: Env, { siteId, slug, job }: StoppedJob): Promise<boolean> {
  const { ctx, finish } = contextOf(env, slug, job)
  try {
    await goOnWith(ctx, job)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Another session has it, or the database does not answer.
    if (error.code === 'schema_change_in_progress' || error.status >= 500) return false
    log({ level: 'warn', schema_change: job.id, failed: error.code })
    await asService(openDatabase(configOf(env)), siteId, { ended: endJob(job.id, 'failed') })
    return true
  } finally {
    await finish()
  }
}

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
