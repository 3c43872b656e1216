/**
 * Records that an outbox row's message became a dead job. A scheduled task queues the row again from time to
 * time.
 */
import { openDatabase } from '../../kernel/db/client.ts'
import { asService } from '../../kernel/db/tenant.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import type { OutboxMessage } from './queue.ts'
import { markStuck } from './store.ts'

/** Lets later events of the same records run without this row, if its invocations do not exist yet. */
export async function markRowStuck(env: Env, { siteId, rowId }: OutboxMessage): Promise<void> {
  await asService(openDatabase(configOf(env)), siteId, { marked: markStuck(rowId) })
}
