/** The Durable Object that knows which lists of a site are followed, and which tables each of them reads. */
import { DurableObject } from 'cloudflare:workers'
import { listAt, type RemoteList } from '../../kernel/cache/live-objects.ts'
import type { Env } from '../../kernel/env.ts'
import { describeFailure, log } from '../../kernel/lib/log.ts'

/** The most distinct lists of a site that are followed at once. */
const listsMax = 2_000
/** The most of them that one person, key or address was the first to follow. */
const listsOfOneMax = 200

/** How often all lists of a site are asked for in a second. With more of them, each waits longer. */
const asksPerSecond = 200

interface Followed {
  /** Null: it may read any table. */
  tables: readonly string[] | null
  /** Who was the first to follow it. Null: that does not count. */
  owner: string | null
}

/** The feed of a site. kernel/cache/live-objects.ts describes its methods. */
export class LiveFeed extends DurableObject<Env> {
  readonly #lists = new Map<string, Followed>(this.ctx.storage.kv.list())
  /** The tables that have changed since lists were told last; null: any. */
  #changed: string[] | null = []
  #telling: Promise<void> | undefined

  register(list: string, tables: readonly string[] | null, owner: string | null): boolean {
    const known = this.#lists.get(list)
    const own = known?.owner ?? owner
    if (!known && (this.#lists.size >= listsMax || this.#countOf(own) >= listsOfOneMax)) return false
    const followed = { tables, owner: own }
    this.#lists.set(list, followed)
    this.ctx.storage.kv.put(list, followed)
    return true
  }

  #countOf(owner: string | null): number {
    return owner === null ? 0 : [...this.#lists.values()].filter((one) => one.owner === owner).length
  }

  leave(list: string): void {
    this.#lists.delete(list)
    this.ctx.storage.kv.delete(list)
  }

  /** Tells the lists that read a table. While it tells, what else is told is gathered for the next alarm. */
  async tell(tables: readonly string[] | null): Promise<void> {
    this.#changed = this.#changed && tables ? [...this.#changed, ...tables] : null
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = undefined
    })
    await this.#telling
  }

  override async alarm(): Promise<void> {
    await this.tell([])
  }

  recheck(): Promise<void> {
    return this.#each((list) => list.recheck(), [...this.#lists.keys()])
  }

  async #tellAll(): Promise<void> {
    const changed = this.#changed && new Set(this.#changed)
    this.#changed = []
    const read = [...this.#lists].filter(
      ([, { tables }]) => !tables || !changed || tables.some((one) => changed.has(one)),
    )
    const paceMs = Math.round((1000 * read.length) / asksPerSecond)
    await this.#each(
      (list) => list.tell(paceMs),
      read.map(([name]) => name),
    )
    if (!this.#changed || this.#changed.length > 0) await this.ctx.storage.setAlarm(Date.now())
  }

  /** Calls lists, and forgets those that nobody follows. */
  async #each(call: (list: RemoteList) => Promise<boolean>, lists: readonly string[]): Promise<void> {
    await Promise.all(
      lists.map(async (name) => {
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
