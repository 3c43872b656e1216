/** Queues what a transaction has put into the outbox, once it is committed. Should that not happen, the sweep does it within a minute or two. */
import type { RequestContext } from '../context.ts'
import { configOf, type Env } from '../env.ts'
import { describeFailure, log } from '../lib/log.ts'
import { sql } from './sql.ts'

/** Whoever the transaction's caller is, as entering has noted it. */
export const callerId = sql`nullif(current_setting('tessera.caller', true), '')::bigint`

/** When the sweep looks after what the queue should have brought long before. */
export const sweepAfter = sql`now() + interval '15 seconds'`

/** A message: ids alone, as payloads stay in Postgres. */
export interface Deliver {
  kind: 'deliver'
  siteId: number
  deliveryId: number
}

/** As many as one `sendBatch` takes. */
const messagesMax = 100

/** `notes` are those of `note_delivery`, one a line: site and delivery. */
export function queueNoted(ctx: RequestContext, notes: string): void {
  const jobs = notes.split('\n').map((note): Deliver => {
    const [siteId, deliveryId] = note.split(' ').map(Number) as [number, number]
    return { kind: 'deliver', siteId, deliveryId }
  })
  ctx.waitUntil(
    queueDeliveries(ctx.env, jobs).catch((error: unknown) => {
      const verbose = configOf(ctx.env).ENVIRONMENT === 'development'
      log({ level: 'error', request_id: ctx.requestId, deliveries: 'not queued', ...describeFailure(error, verbose) })
    }),
  )
}

export async function queueDeliveries(env: Env, jobs: readonly Deliver[], delaySeconds = 0): Promise<void> {
  for (let sent = 0; sent < jobs.length; sent += messagesMax) {
    await env.EVENTS.sendBatch(jobs.slice(sent, sent + messagesMax).map((body) => ({ body, ...(delaySeconds > 0 ? { delaySeconds } : {}) })))
  }
}
