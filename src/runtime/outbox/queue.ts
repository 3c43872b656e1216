/** Queue messages for outbox rows. They contain only ids: payloads stay in Postgres. E5. */
import type { Env } from '../../kernel/env.ts'
import { sendAll } from '../../kernel/lib/send-all.ts'

/** Requests the processing of one outbox row of a site. */
export interface OutboxMessage {
  kind: 'process-outbox-row'
  siteId: number
  rowId: number
  /** The span of the request or the run that has caused it, in the form of `traceparent`. */
  traceparent?: string
}

/** Queues messages that arrive after the delay. Rejects if the queue fails. */
export async function queueOutboxRows(
  env: Env,
  messages: readonly OutboxMessage[],
  delaySeconds = 0,
): Promise<void> {
  const delay = delaySeconds > 0 ? { delaySeconds } : {}
  await sendAll(
    env.EVENTS,
    messages.map((body) => ({ body, ...delay })),
  )
}
