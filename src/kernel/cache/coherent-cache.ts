/** The Durable Object of a coherent cache: one instance per cache, which all isolates share. */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env.ts'
import { type Fill, type Found, openFencedEntries } from './fenced-entries.ts'

/** A coherent cache. Its methods are called remotely; fenced-entries.ts describes them. */
export class CoherentCache<Value = unknown> extends DurableObject<Env> {
  readonly #entries = openFencedEntries<Value>(this.ctx.storage.kv, crypto.randomUUID())

  /** Returns the unexpired entries of a key, and the token to fill in missing ones. */
  get(key: string): Found<Value> {
    return this.#entries.get(key, Date.now())
  }

  /** Stores an entry for `lifetimeMs`. Returns false if the fill token is no longer valid. */
  async fill(fill: Fill<Value>, lifetimeMs: number): Promise<boolean> {
    const now = Date.now()
    const isStored = this.#entries.fill(fill, now + lifetimeMs, now)
    if (isStored) await this.wakeAt(now + lifetimeMs)
    return isStored
  }

  /** Prevents entries of the keys until `invalidate`, or for two minutes. Returns the id of the fence. */
  async fence(keys: readonly string[]): Promise<string> {
    const now = Date.now()
    const id = this.#entries.fence(keys, now)
    const next = this.#entries.removeExpired(now)
    if (next !== null) await this.wakeAt(next)
    return id
  }

  /** Removes the entries of the keys, and lifts the fence if its id is given. */
  invalidate(keys: readonly string[], fenceId?: string): void {
    this.#entries.invalidate(keys, fenceId)
  }

  /** Removes expired entries, so that an unused cache becomes empty. */
  override async alarm(): Promise<void> {
    const next = this.#entries.removeExpired(Date.now())
    if (next === null) await this.ctx.storage.deleteAll()
    else await this.wakeAt(next)
  }

  /** Sets the alarm, unless it is set to an earlier time. */
  protected async wakeAt(time: number): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm === null || alarm > time) await this.ctx.storage.setAlarm(time)
  }
}
