/**
 * The Durable Object that keeps a site's secrets: what is public as it is, what is private encrypted, what is sensitive
 * never. A secret leaves it only for who may see it, and not before that was written down, where a private one is read.
 */
import { CacheOfRecord } from '../../cache/cache-of-record.ts'
import { openDatabase } from '../../db/client.ts'
import { configOf } from '../../env.ts'
import { describeFailure, log } from '../../lib/log.ts'
import type { WrappedKey } from '../encryption/data-keys.ts'
import { decide, type Standing, type Verdict } from '../entries/decide.ts'
import type { SecretRow } from '../entries/store.ts'
import { keepReads, type Read } from '../reads/store.ts'

export interface CachedSecret {
  siteId: number
  row: SecretRow
  /** The data key that the value is encrypted with, itself wrapped. */
  dataKey: WrappedKey | null
}

export interface Asked {
  key: string
  app: string | null
  tags: readonly string[] | null
}

export interface Reader {
  userId: number
  username: string
  requestId: string
}

/** A verdict on what is kept here; or that nothing is, and a ticket to put it here with. */
export type Taken = { verdict: Exclude<Verdict, 'show'> } | { verdict: 'show'; secret: CachedSecret } | { verdict: null; ticket: string | null }

/** How long reads wait for others to be written down with in the database. */
const gatherMs = 2_000
const retryMs = 60_000
const readsAtOnce = 500

export class SecretCache extends CacheOfRecord<CachedSecret> {
  /** `standing` null: it is not known. Who reads as a `reader` says who that is. */
  async take({ key, app, tags }: Asked, standing: Standing | null, reader: Reader | null): Promise<Taken> {
    const { entries, ticket } = this.look(key)
    const secret = entries.get(app ?? '')
    if (!secret || !standing) return { verdict: null, ticket }
    const verdict = decide(secret.row, standing, tags)
    if (verdict !== 'show') return { verdict }
    if (secret.row.sensitivity_level !== 'public') await this.#note(secret, reader as Reader)
    return { verdict, secret }
  }

  /** It is on the disk before the answer leaves. */
  async #note({ siteId, row }: CachedSecret, reader: Reader): Promise<void> {
    const read: Read = {
      id: crypto.randomUUID(),
      siteId,
      secretId: row.id,
      key: row.key,
      appId: row.app_id,
      ...reader,
      readAt: new Date().toISOString(),
    }
    this.ctx.storage.kv.put(`read ${read.id}`, read)
    await this.wakeAt(Date.now() + gatherMs)
  }

  override async alarm(): Promise<void> {
    await this.#handOver()
    await super.alarm()
  }

  /** Writes the reads down in the site's schema; what was written twice stands there once. */
  async #handOver(): Promise<void> {
    const reads = [...this.ctx.storage.kv.list<Read>({ prefix: 'read ', limit: readsAtOnce })]
    if (reads.length === 0) return
    try {
      await keepReads(
        openDatabase(configOf(this.env)),
        reads.map(([, read]) => read),
      )
      for (const [key] of reads) this.ctx.storage.kv.delete(key)
      if (reads.length === readsAtOnce) await this.wakeAt(Date.now())
    } catch (error) {
      log({ level: 'error', task: 'write down who read secrets', reads: reads.length, ...describeFailure(error, false) })
      await this.wakeAt(Date.now() + retryMs)
    }
  }
}
