/** The Durable Object that counts one client's requests against one limit. Named `<limit> <client>`. A7. */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env.ts'

interface Window {
  endsAt: number
  /** How many requests isolates were given leave for. */
  granted: number
  /** Of these, how many each isolate was given the last time it asked: it may not have used them. */
  outstanding: Record<string, number>
}

export interface Lease {
  /** How many requests the isolate may let through. */
  granted: number
  /** Milliseconds until the window ends, and the lease with it. */
  endsInMs: number
}

const key = 'window'

/** How much more than its limit a client may get, so that what one isolate has not used cannot keep it from its limit in another. */
const excess = 1.1

export class RateLimiter extends DurableObject<Env> {
  /**
   * Gives an isolate leave for up to `wanted` requests. It asks when it has used up what it had. A window begins with
   * its first request, and is kept in storage: a restart does not reset it.
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
    const room = Math.min(limit - (window.granted - unused), Math.floor(limit * excess) - window.granted)
    // The less is left, the smaller a lease, so that several isolates can share it.
    const granted = Math.max(0, Math.min(wanted, room, Math.max(1, Math.ceil(room / 4))))
    if (granted > 0) {
      window.granted += granted
      // The request that asks uses one at once.
      window.outstanding[isolate] = granted - 1
      this.ctx.storage.kv.put(key, window)
    }
    return { granted, endsInMs: window.endsAt - now }
  }

  /** A client that went away leaves nothing behind. */
  override async alarm(): Promise<void> {
    const window = this.ctx.storage.kv.get<Window>(key)
    if (window && window.endsAt <= Date.now()) await this.ctx.storage.deleteAll()
  }
}
