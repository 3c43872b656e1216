/** Queue messages for outbox rows. They carry ids only: payloads stay in Postgres. E5. */
import type { Env } from '../env.ts'

/** Asks for the work on one outbox row of a site. */
export interface OutboxMessage {
  kind: 'process-outbox-row'
  siteId: number
  rowId: number
  /** The span of the request or the run that has caused it, such as `traceparent` names it. */
  traceparent?: string
}

/** The most messages that one `sendBatch` takes. */
const messagesMax = 100

/** Queues messages, to arrive after the delay. Rejects if the queue does. */
export async function queueOutboxRows(
  env: Env,
  messages: readonly OutboxMessage[],
  delaySeconds = 0,
): Promise<void> {
  const delay = delaySeconds > 0 ? { delaySeconds } : {}
  for (let sent = 0; sent < messages.length; sent += messagesMax) {
    await env.EVENTS.sendBatch(messages.slice(sent, sent + messagesMax).map((body) => ({ body, ...delay })))
  }
}
