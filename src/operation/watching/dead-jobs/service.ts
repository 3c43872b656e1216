/** Dead jobs: messages that the queues have given up. They are stored, listed and queued again. */
import type { RequestContext } from '../../../kernel/context.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import type { DeadJobsReplay, ReplayedJobs } from './schema.ts'
import * as store from './store.ts'

const deadlineMs = 10_000

/**
 * Stores a message that a queue gives up. The message has only ids. Of the error, only the name and the
 * SQLSTATE are stored, because its message may quote values.
 */
export async function keepDeadJob(env: Env, body: { kind: string }, error?: unknown): Promise<void> {
  const kept = store.upsertDeadJob(
    body.kind,
    JSON.stringify(body),
    error === undefined ? null : nameOf(error),
  )
  // If this fails, the message still goes to the dead queue, which is logged.
  await openDatabase(configOf(env))
    .batch({ kept }, deadlineMs)
    .catch(() => undefined)
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { sqlstate } = error as { sqlstate?: string }
  return sqlstate === undefined ? error.name : `${error.name} ${sqlstate}`
}

/** The limit of `sendBatch`. */
const messagesMax = 100

/**
 * Queues dead jobs again, and then deletes them. If the deletion fails, they may be queued twice, like any
 * message. Throws 403 for callers who are not superusers.
 */
export async function replayDeadJobs(
  ctx: RequestContext,
  { kind, limit, dry_run }: DeadJobsReplay,
): Promise<ReplayedJobs> {
  const superuser = sql`select public.require_superuser(${requireCaller(ctx).userId})`
  const { found, jobs } = await onPlatform(ctx, {
    superuser,
    found: store.countDeadJobs(kind),
    jobs: dry_run ? undefined : store.selectDeadJobs(kind, limit),
  })
  const matched = found.one.count
  if (dry_run || jobs.all.length === 0) return { matched, replayed: 0 }
  for (let sent = 0; sent < jobs.all.length; sent += messagesMax) {
    const some = jobs.all.slice(sent, sent + messagesMax)
    const [events, others] = [true, false].map((isEvent) =>
      some
        .filter((job) => (job.kind === 'process-outbox-row') === isEvent)
        .map(({ body }) => ({ body: JSON.parse(body) as unknown })),
    )
    if (events?.length) await ctx.env.EVENTS.sendBatch(events)
    if (others?.length) await ctx.env.JOBS.sendBatch(others)
  }
  await onPlatform(ctx, { superuser, deleted: store.deleteDeadJobs(jobs.all.map(({ id }) => id)) })
  return { matched, replayed: jobs.all.length }
}

/** Deletes dead jobs that are older than INVOCATION_DAYS. */
export async function deleteOldDeadJobs(env: Env): Promise<void> {
  const config = configOf(env)
  await openDatabase(config).batch({ deleted: store.deleteOldDeadJobs(config.INVOCATION_DAYS) }, deadlineMs)
}
