/**
 * The Durable Object with one key that encrypts the data key of a site. It is outside Postgres, so that
 * destroying it makes the site's values in database backups unreadable. Its name is a random UUID, which is
 * also stored in front of the encrypted data key.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../kernel/env.ts'
import { keyBytes, randomBytes } from '../../kernel/lib/cipher.ts'

const name = 'key'

/** The key of a site. Only the Worker calls its methods, remotely. */
export class SiteKey extends DurableObject<Env> {
  /** Creates the key, and returns it. If the key exists already, returns that one. */
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
