/**
 * Queues overdue outbox rows: those that are left after a crash between commit and queue, or during an
 * attempt. E5.
 */
import { openDatabase } from '../../kernel/db/client.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import { type OutboxMessage, queueOutboxRows } from './queue.ts'
import { takeOverdueRows } from './store.ts'

const rowsAtOnce = 1000
const roundsMax = 10
const deadlineMs = 60_000

/** Queues the overdue rows of all sites, up to 10,000 a call. Rejects if Postgres or the queue fails. */
export async function sweepOutbox(env: Env): Promise<void> {
  const database = openDatabase(configOf(env))
  for (let round = 0; round < roundsMax; round++) {
    const { overdue } = await database.batch({ overdue: takeOverdueRows(rowsAtOnce) }, deadlineMs)
    const messages = overdue.all.map(
      ({ site_id, delivery_id }): OutboxMessage => ({
        kind: 'process-outbox-row',
        siteId: site_id,
        rowId: delivery_id,
      }),
    )
    await queueOutboxRows(env, messages)
    if (overdue.all.length < rowsAtOnce) return
  }
}
