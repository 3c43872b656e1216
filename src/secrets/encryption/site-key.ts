/**
 * The Durable Object with one key that wraps the data key of a site. It stands outside Postgres, so that
 * what a backup of the database has of a site becomes unreadable when the key is destroyed here. Its name
 * is a random UUID, which the wrapped data key has in front.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../env.ts'
import { keyBytes, randomBytes } from '../../lib/cipher.ts'

const name = 'key'

/** The key of a site. Its methods are called remotely, by the Worker alone. */
export class SiteKey extends DurableObject<Env> {
  /** Makes the key, and returns it. Returns the key that there is if it was made before. */
  make(): Uint8Array<ArrayBuffer> {
    const key = this.read() ?? randomBytes(keyBytes)
    this.ctx.storage.kv.put(name, key)
    return key
  }

  /** Returns the key; null if it was destroyed. */
  read(): Uint8Array<ArrayBuffer> | null {
    return this.ctx.storage.kv.get<Uint8Array<ArrayBuffer>>(name) ?? null
  }

  /** Destroys the key. Repeating it has no effect. */
  async destroy(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
