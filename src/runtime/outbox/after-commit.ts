/** The work after a commit: it empties stale caches, queues new outbox rows, and tells followers of lists. E5. */
import { invalidateStale } from '../../kernel/cache/caches.ts'
import { recheckFollowers, tellFollowers } from '../../kernel/cache/followers.ts'
import type { AfterCommit, RequestContext } from '../../kernel/context.ts'
import { sql } from '../../kernel/db/sql.ts'
import { configOf } from '../../kernel/env.ts'
import { describeFailure, log } from '../../kernel/lib/log.ts'
import { traceparentOf } from '../../kernel/telemetry/trace.ts'
import { type OutboxMessage, queueOutboxRows } from './queue.ts'

/**
 * The hook that db/tenant.ts calls after each transaction. In a site, `public.run_in_site` returns the same
 * two settings with the rows of the statements.
 */
export const afterCommit: AfterCommit = {
  selectNotes: sql`
    select current_setting('tessera.stale', true) as stale, current_setting('tessera.deliveries',
      true) as deliveries`,

  async handle(ctx, { stale, deliveries, followed }) {
    if (deliveries) ctx.waitUntil(queueNoted(ctx, deliveries))
    if (followed) {
      ctx.followed = followed
      ctx.waitUntil(tellFollowers(ctx))
    }
    // This comes before the client learns that the transaction is done, so that no later read finds an old
    // value.
    if (!stale) return
    const names = stale.split('\n')
    await invalidateStale(ctx, names)
    ctx.waitUntil(recheckFollowers(ctx, names))
  },
}

/**
 * Queues the noted outbox rows while the response is sent. If that fails, the sweep queues them within two
 * minutes.
 */
async function queueNoted(ctx: RequestContext, notes: string): Promise<void> {
  try {
    const traceparent = traceparentOf(ctx.trace)
    const messages = notes
      .split('\n')
      .map((note) => ({ ...readNote(note), ...(traceparent ? { traceparent } : {}) }))
    await queueOutboxRows(ctx.env, messages)
  } catch (error) {
    const verbose = configOf(ctx.env).ENVIRONMENT === 'development'
    log({
      level: 'error',
      request_id: ctx.requestId,
      outbox: 'not queued',
      ...describeFailure(error, verbose),
    })
  }
}

/** Parses a line of the trigger `note_delivery`: the id of the site, a space, the id of the row. */
function readNote(line: string): OutboxMessage {
  const [siteId, rowId] = line.split(' ').map(Number) as [number, number]
  return { kind: 'process-outbox-row', siteId, rowId }
}
