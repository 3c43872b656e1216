/** Ends transfers, and erases sites that a transfer has not finished. */

import { runAndClearCaches } from '../../identity/organizations/service.ts'
import type { EraseSite } from '../../identity/organizations/sites/lifecycle/service.ts'
import { openDatabase } from '../../kernel/db/client.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import * as store from './store.ts'

/** Ends a transfer. Returns whether it was still running. */
export async function endTransfer(
  env: Env,
  id: string,
  state: 'done' | 'failed' | 'cancelled',
  error: string | null,
  days: number,
): Promise<boolean> {
  const { ended } = await runAndClearCaches(env, openDatabase(configOf(env)), {
    ended: store.endTransfer(id, state, error, days),
  })
  const [transfer] = ended.all
  if (transfer && state !== 'done') await eraseTarget(env, transfer.target_id)
  return transfer !== undefined
}

/**
 * Queues the erasure of an unfinished site. If the queue fails, the scheduled task erases it within a minute.
 */
export async function eraseTarget(env: Env, siteId: number | null): Promise<void> {
  if (siteId === null) return
  const message: EraseSite = { kind: 'erase-site', siteId }
  await env.JOBS.send(message).catch(() => undefined)
}
