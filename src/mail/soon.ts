import type { RequestContext } from '../context.ts'
import { describeFailure, log } from '../lib/log.ts'

/** Lets a letter's message get into the queue while the answer goes out. A queue that cannot be reached is logged, and fails nothing. */
export const soon = (ctx: RequestContext, queued: Promise<unknown>): void =>
  ctx.waitUntil(
    queued.catch((error: unknown) => log({ level: 'error', request_id: ctx.requestId, queue: 'unavailable', ...describeFailure(error, false) })),
  )
