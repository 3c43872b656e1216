/** Queues messages without making the response wait. */
import type { RequestContext } from '../../kernel/context.ts'
import { describeFailure, log } from '../../kernel/lib/log.ts'

/**
 * Queues a message after the response was sent. If the queue is unavailable, this is logged and the request
 * still succeeds: a scheduled task finds invitations whose e-mail was never queued.
 */
export const finishInBackground = (ctx: RequestContext, sending: Promise<unknown>): void =>
  ctx.waitUntil(
    sending.catch((error: unknown) =>
      log({
        level: 'error',
        request_id: ctx.requestId,
        queue: 'unavailable',
        ...describeFailure(error, false),
      }),
    ),
  )
