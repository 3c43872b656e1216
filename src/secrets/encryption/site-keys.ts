/** Reads, creates and destroys the keys of sites, which are in Durable Objects (site-key.ts). */
import type { Config } from '../../kernel/env.ts'
import { unavailable } from '../../kernel/errors.ts'
import { importKey } from '../../kernel/lib/cipher.ts'
import { IsolateCache } from '../../kernel/lib/isolate-cache.ts'
import { siteKeyMissing } from './errors.ts'
import type { SiteKey } from './site-key.ts'

/** The binding for the keys. Commands outside the Worker do not have it. */
export type SiteKeyAccess = Partial<Pick<Config, 'SITE_KEYS' | 'SITE_KEY_STORE'>>

/** The remote interface of a SiteKey. */
type RemoteSiteKey = { [Method in 'make' | 'read']: () => Promise<ReturnType<SiteKey[Method]>> } & {
  destroy(): Promise<void>
}

/**
 * The milliseconds for which an isolate caches a key. The key can be used for this time after it was
 * destroyed.
 */
export const keptMs = 5 * 60_000

interface KeptKey {
  key: CryptoKey
  until: number
}

const kept = new IsolateCache<KeptKey>('site_keys', { bytesOf: () => 900 })

/** Tells whether new data keys are encrypted with a key of the site. */
export const usesSiteKeys = ({ SITE_KEYS, SITE_KEY_STORE }: SiteKeyAccess): boolean =>
  SITE_KEYS !== undefined && SITE_KEY_STORE === 'on'

/** Creates a new key. Rejects with 503 if its Durable Object is not available. */
export async function makeSiteKey(access: SiteKeyAccess): Promise<{ id: string; key: CryptoKey }> {
  const id = crypto.randomUUID()
  const bytes = await ask(() => remoteKey(access, id).make())
  return { id, key: await keep(id, bytes) }
}

/** Returns a key. Rejects with 500 if it was destroyed, and as `makeSiteKey` does. */
export async function readSiteKey(access: SiteKeyAccess, id: string): Promise<CryptoKey> {
  const known = kept.get(id)
  if (known && known.until > Date.now()) return known.key
  const bytes = await ask(() => remoteKey(access, id).read())
  if (!bytes) {
    kept.delete(id)
    throw siteKeyMissing(id)
  }
  return keep(id, bytes)
}

/**
 * Destroys a key. Values that depend on it are unreadable from now on, except in isolates that have cached
 * it.
 */
export async function destroySiteKey(access: SiteKeyAccess, id: string): Promise<void> {
  kept.delete(id)
  await ask(() => remoteKey(access, id).destroy())
}

async function keep(id: string, bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const key = await importKey(bytes)
  kept.set(id, { key, until: Date.now() + keptMs })
  return key
}

function remoteKey({ SITE_KEYS }: SiteKeyAccess, id: string): RemoteSiteKey {
  if (!SITE_KEYS) throw siteKeyMissing(id)
  return SITE_KEYS.getByName(id) as unknown as RemoteSiteKey
}

async function ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    throw unavailable(error)
  }
}
