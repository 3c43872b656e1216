/** The Durable Object that counts one client's requests against one limit. Named `<limit> <client>`. A7. */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env.ts'

interface Window {
  endsAt: number
  used: number
}

export interface Verdict {
  allowed: boolean
  /** How many more requests the window has room for. */
  remaining: number
  /** Milliseconds until the window ends and the count begins again. */
  endsInMs: number
}

const key = 'window'

export class RateLimiter extends DurableObject<Env> {
  /** Counts one request. A window begins with its first request, and is kept in storage: a restart does not reset it. */
  async take(limit: number, windowMs: number): Promise<Verdict> {
    const now = Date.now()
    let window = this.ctx.storage.kv.get<Window>(key)
    if (!window || window.endsAt <= now) {
      window = { endsAt: now + windowMs, used: 0 }
      await this.ctx.storage.setAlarm(window.endsAt)
    }
    const allowed = window.used < limit
    if (allowed) {
      window.used++
      this.ctx.storage.kv.put(key, window)
    }
    return { allowed, remaining: limit - window.used, endsInMs: window.endsAt - now }
  }

  /** A client that went away leaves nothing behind. */
  override async alarm(): Promise<void> {
    const window = this.ctx.storage.kv.get<Window>(key)
    if (window && window.endsAt <= Date.now()) await this.ctx.storage.deleteAll()
  }
}
