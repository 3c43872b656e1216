/** Queues the outbox rows of runs that may start now, or after a pause. */
import type { Env } from '../../kernel/env.ts'
import type { FinishedAttempt } from '../functions/invocations/service.ts'
import { type OutboxMessage, queueOutboxRows } from './queue.ts'

/** Queues outbox rows with runs that have waited for others of their record. */
export const queueNext = (env: Env, siteId: number, rows: readonly { id: number }[]): Promise<void> =>
  queueOutboxRows(
    env,
    rows.map(({ id }) => ({ kind: 'process-outbox-row', siteId, rowId: id })),
  )

interface Retried {
  env: Env
  message: OutboxMessage
}

/** Queues one message for each of the pauses. It finds all invocations that are due by then. */
export async function queueRetries(
  { env, message }: Retried,
  finished: readonly FinishedAttempt[],
): Promise<void> {
  const pauses = new Set<number>()
  for (const { retry_seconds } of finished) if (retry_seconds !== undefined) pauses.add(retry_seconds)
  for (const pause of pauses) await queueOutboxRows(env, [message], pause)
}
