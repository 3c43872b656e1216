/**
 * Decides which requests enter their site and run their statements in one call. This asks Postgres once
 * instead of four times. Postgres ends the call after the default time of the service's role. If a site has a
 * shorter limit for reads, Postgres refuses the single call, and the isolate reads from the site in a
 * transaction for a while.
 */
import { type RequestContext, siteName } from '../context.ts'
import { IsolateCache } from '../lib/isolate-cache.ts'
import type { Mode } from './entering.ts'
import { DatabaseFailure, sqlstates } from './failures.ts'

/** The time until which reads of a site are not sent in one call, in milliseconds since the epoch. */
const limited = new IsolateCache<number>('time_limits', { bytesOf: () => 0 })
const rememberedMs = 60_000

/**
 * Sends a batch in one call if its mode allows it. If Postgres refuses because the site has its own time
 * limit, sends the batch again. Other errors are not caught.
 */
export async function inOneCall<Result>(
  ctx: RequestContext,
  mode: Mode,
  send: (isOneCall: boolean) => Promise<Result>,
): Promise<Result> {
  if (mode !== 'read' && mode !== 'single') return send(false)
  const key = siteName(ctx)
  if (mode === 'read' && Date.now() < (limited.get(key) ?? 0)) return send(false)
  try {
    return await send(true)
  } catch (error) {
    if (!(error instanceof DatabaseFailure && error.sqlstate === sqlstates.ownTimeLimit)) throw error
    limited.set(key, Date.now() + rememberedMs)
    return send(false)
  }
}
