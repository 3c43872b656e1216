/** The Durable Object that is a cache of record: one shelf, and what it takes to be asked from anywhere. */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env.ts'
import { type Look, openShelf } from './shelf.ts'

export class CacheOfRecord<Value = unknown> extends DurableObject<Env> {
  protected readonly shelf = openShelf<Value>(this.ctx.storage.kv, crypto.randomUUID())

  look(subject: string): Look<Value> {
    return this.shelf.look(subject, Date.now())
  }

  async put(subject: string, variant: string, value: Value, lifetimeMs: number, ticket: string | null): Promise<boolean> {
    const now = Date.now()
    const kept = this.shelf.put(subject, variant, value, now + lifetimeMs, ticket, now)
    if (kept) await this.wakeAt(now + lifetimeMs)
    return kept
  }

  async mark(subjects: readonly string[]): Promise<string> {
    const now = Date.now()
    const mark = this.shelf.mark(subjects, now)
    await this.wakeAt(this.shelf.sweep(now) as number)
    return mark
  }

  clear(subjects: readonly string[], mark?: string): void {
    this.shelf.clear(subjects, mark)
  }

  /** What has run out does not stay: a cache that nobody asks any more is empty. */
  override async alarm(): Promise<void> {
    const next = this.shelf.sweep(Date.now())
    if (next === null) await this.ctx.storage.deleteAll()
    else await this.wakeAt(next)
  }

  protected async wakeAt(time: number): Promise<void> {
    const set = await this.ctx.storage.getAlarm()
    if (set === null || set > time) await this.ctx.storage.setAlarm(time)
  }
}
