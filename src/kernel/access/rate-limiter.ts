/**
 * The Durable Object that counts the requests of one client. Its name is `<database> <limit> <client>`. A7.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env.ts'

interface Window {
  endsAt: number
  /** The number of requests that were granted to isolates. */
  granted: number
  /** The number of requests in the last grant of each isolate that it may not have used yet. */
  outstanding: Record<string, number>
}

/** A permission to let requests through. */
export interface Lease {
  /** The number of requests. */
  granted: number
  /** The milliseconds until the window, and with it the lease, ends. */
  endsInMs: number
}

const key = 'window'

/**
 * The factor by which a client may exceed its limit, so that unused leases do not keep it below the limit.
 */
const toleranceFactor = 1.1

/** Counts requests in fixed windows, and grants them to isolates in leases. */
export class RateLimiter extends DurableObject<Env> {
  /**
   * Grants up to `wanted` requests to an isolate, which has used up its last lease. A window begins with its
   * first request. It is stored, so that a restart does not reset it.
   */
  async lease(isolate: string, limit: number, windowMs: number, wanted: number): Promise<Lease> {
    const now = Date.now()
    let window = this.ctx.storage.kv.get<Window>(key)
    if (!window || window.endsAt <= now) {
      window = { endsAt: now + windowMs, granted: 0, outstanding: {} }
      await this.ctx.storage.setAlarm(window.endsAt)
    }
    window.outstanding[isolate] = 0
    const unused = Object.values(window.outstanding).reduce((sum, count) => sum + count, 0)
    const room = Math.min(
      limit - (window.granted - unused),
      Math.floor(limit * toleranceFactor) - window.granted,
    )
    // A lease is at most a quarter of the remaining requests, so that several isolates can share them.
    const granted = Math.max(0, Math.min(wanted, room, Math.max(1, Math.ceil(room / 4))))
    if (granted > 0) {
      window.granted += granted
      // The request that asks for the lease uses one of them at once.
      window.outstanding[isolate] = granted - 1
      this.ctx.storage.kv.put(key, window)
    }
    return { granted, endsInMs: window.endsAt - now }
  }

  /** Deletes the storage after the window has ended. */
  override async alarm(): Promise<void> {
    const window = this.ctx.storage.kv.get<Window>(key)
    if (window && window.endsAt <= Date.now()) await this.ctx.storage.deleteAll()
  }
}
