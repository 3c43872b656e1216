/** The Durable Object that knows which lists of a site are followed, and which tables each of them reads. */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../kernel/env.ts'
import { listAt } from '../../kernel/live/names.ts'

/** The most distinct lists of a site that are followed at once. */
const listsMax = 2_000

/** The feed of a site. kernel/live/names.ts describes its methods. */
export class LiveFeed extends DurableObject<Env> {
  /** By the name of a list. Null: it may read any table. */
  readonly #lists = new Map<string, readonly string[] | null>(this.ctx.storage.kv.list())

  register(list: string, tables: readonly string[] | null): boolean {
    if (!this.#lists.has(list) && this.#lists.size >= listsMax) return false
    this.#lists.set(list, tables)
    this.ctx.storage.kv.put(list, tables)
    return true
  }

  leave(list: string): void {
    this.#lists.delete(list)
    this.ctx.storage.kv.delete(list)
  }

  async tell(tables: readonly string[] | null): Promise<void> {
    const read = [...this.#lists].filter(
      ([, own]) => !own || !tables || own.some((one) => tables.includes(one)),
    )
    await Promise.allSettled(
      read.map(async ([list]) => {
        if (!(await listAt({ env: this.env }, list).tell())) this.leave(list)
      }),
    )
  }
}
