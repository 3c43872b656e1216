/** The Durable Object that knows which lists of a site are followed, and which tables each of them reads. */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../kernel/env.ts'
import { describeFailure, log } from '../../kernel/lib/log.ts'
import { listAt, type RemoteList } from '../../kernel/live/names.ts'

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

  tell(tables: readonly string[] | null): Promise<void> {
    const reads = (own: readonly string[] | null) =>
      !own || !tables || own.some((one) => tables.includes(one))
    return this.#each(
      (list) => list.tell(),
      [...this.#lists].filter(([, own]) => reads(own)),
    )
  }

  recheck(): Promise<void> {
    return this.#each((list) => list.recheck(), [...this.#lists])
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
