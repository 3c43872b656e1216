/**
 * The Durable Object with the secrets of a site: public values in plain text, private ones encrypted,
 * sensitive ones never. It returns a secret only to a caller who may read it, and records the read of a
 * private one first.
 */
import { CoherentCache } from '../../../kernel/cache/coherent-cache.ts'
import type { WrappedKey } from '../../encryption/data-keys.ts'
import type { Read } from '../../reads/store.ts'
import { type Access, type Decision, decide } from '../decide.ts'
import type { SecretRow } from '../store.ts'

export interface CachedSecret {
  siteId: number
  row: SecretRow
  /** The wrapped data key of the value; null for a public value. */
  dataKey: WrappedKey | null
}

/** The secret that a client requests. */
export interface SecretRequest {
  key: string
  /** The slug of an app; null for the level of the site. */
  app: string | null
  /** The secret must have one of these tags; null for any secret. */
  tags: readonly string[] | null
}

/** The caller, for the access log. */
export interface Reader {
  userId: number
  username: string
  requestId: string
}

/** A decision about a cached secret. */
export type CacheHit = { decision: Exclude<Decision, 'show'> } | { decision: 'show'; secret: CachedSecret }

/** A hit, or the token to fill the cache with a missing secret. */
export type CacheAnswer = CacheHit | { decision: null; fillToken: string | null }

/**
 * The milliseconds for which recorded reads stay in the Durable Object, so that one transaction stores
 * several of them.
 */
const gatherMs = 2_000
const retryMs = 60_000
const readsAtOnce = 500

/**
 * A coherent cache of secrets. The key of an entry is that of the secret; its qualifier is the slug of the
 * app or ''.
 */
export class SecretCache extends CoherentCache<CachedSecret> {
  /**
   * Decides about a cached secret. `access` is null if it is not known; `reader` must be known for 'reader'.
   */
  async read(
    { key, app, tags }: SecretRequest,
    access: Access | null,
    reader: Reader | null,
  ): Promise<CacheAnswer> {
    const { entries, fillToken } = this.get(key)
    const secret = entries.get(app ?? '')
    if (!secret || !access) return { decision: null, fillToken }
    const decision = decide(secret.row, access, tags)
    if (decision !== 'show') return { decision }
    if (secret.row.sensitivity_level !== 'public') await this.#recordRead(secret, reader as Reader)
    return { decision, secret }
  }

  /** Stores the read in the Durable Object. The read is on disk before the response is sent. */
  async #recordRead({ siteId, row }: CachedSecret, reader: Reader): Promise<void> {
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

  /** Removes everything at once: entries, fences, and reads that are not in the database yet. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Moves recorded reads to the database, then removes expired entries. */
  override async alarm(): Promise<void> {
    await this.#moveReads()
    await super.alarm()
  }

  /** Moves recorded reads to the site's schema. A read that is moved twice is stored once. */
  async #moveReads(): Promise<void> {
    const reads = [...this.ctx.storage.kv.list<Read>({ prefix: 'read ', limit: readsAtOnce })]
    if (reads.length === 0) return
    const { keepReads } = await import('./keep-reads.ts')
    const result = await keepReads(
      this.env,
      reads.map(([, read]) => read),
    )
    if (result === 'gone') return this.erase()
    if (result === 'failed') return this.wakeAt(Date.now() + retryMs)
    for (const [name] of reads) this.ctx.storage.kv.delete(name)
    if (reads.length === readsAtOnce) await this.wakeAt(Date.now())
  }
}
