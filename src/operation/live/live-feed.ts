/** The Durable Object that knows which lists of a site are followed, and which tables each of them reads. */
import { DurableObject } from 'cloudflare:workers'
import { listAt, type RemoteList } from '../../kernel/cache/followers.ts'
import type { Env } from '../../kernel/env.ts'
import { describeFailure, log } from '../../kernel/lib/log.ts'

/** The most distinct lists of a site that are followed at once. */
const listsMax = 2_000

/** How often the lists of a site, together, are asked for in a second. With more of them, each waits longer. */
const asksPerSecond = 200

/** The feed of a site. kernel/cache/followers.ts describes its methods. */
export class LiveFeed extends DurableObject<Env> {
  /** By the name of a list. Null: it may read any table. */
  readonly #lists = new Map<string, readonly string[] | null>(this.ctx.storage.kv.list())

  /** The tables that have changed since lists were told last; null: any. */
  #changed: string[] | null = []
  #telling: Promise<void> | undefined

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

  /** Tells the lists that read a table. While it tells, what else is told is gathered. */
  async tell(tables: readonly string[] | null): Promise<void> {
    this.#changed = this.#changed && tables ? [...this.#changed, ...tables] : null
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = undefined
    })
    await this.#telling
  }

  recheck(): Promise<void> {
    return this.#each((list) => list.recheck(), [...this.#lists])
  }

  async #tellAll(): Promise<void> {
    while (!this.#changed || this.#changed.length > 0) {
      const changed = this.#changed && new Set(this.#changed)
      this.#changed = []
      const read = [...this.#lists].filter(
        ([, own]) => !own || !changed || own.some((one) => changed.has(one)),
      )
      const paceMs = Math.round((1000 * read.length) / asksPerSecond)
      await this.#each((list) => list.tell(paceMs), read)
    }
  }

  /** Calls lists, and forgets those that nobody follows. */
  async #each(
    call: (list: RemoteList) => Promise<boolean>,
    lists: readonly (readonly [name: string, tables: readonly string[] | null])[],
  ): Promise<void> {
    await Promise.all(
      lists.map(async ([name]) => {
        try {
          if (!(await call(listAt({ env: this.env }, name)))) this.leave(name)
        } catch (error) {
          const isVerbose = this.env.ENVIRONMENT === 'development'
          log({ level: 'warn', live: 'not told', ...describeFailure(error, isVerbose) })
        }
      }),
    )
  }
}
