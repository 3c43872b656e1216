/**
 * Erases the data of a site's secrets outside its schema: the keys that encrypt its data keys, and its cache.
 */
import { openDatabase } from '../../kernel/db/client.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import { siteKeyIdOf } from '../encryption/data-keys.ts'
import { destroySiteKey } from '../encryption/site-keys.ts'
import { eraseSecretCache } from '../entries/cache/lookup.ts'
import { selectDataKeys } from '../rotation/store.ts'

const deadlineMs = 60_000

/**
 * Destroys the keys without which the data keys of a site are unreadable, also in every backup of the
 * database. Repeating it has no effect. Rejects with 503 if one is not available.
 */
export async function destroySiteKeys(env: Env, siteId: number): Promise<void> {
  const config = configOf(env)
  const { keys } = await openDatabase(config).batch({ keys: selectDataKeys(siteId) }, deadlineMs)
  for (const key of keys.all) {
    const id = siteKeyIdOf(key)
    if (id !== null) await destroySiteKey(config, id)
  }
}

/** Empties the cache with the secrets of a site, including the reads that it has not stored yet. */
export const eraseSecrets = (env: Env, slug: string): Promise<void> =>
  eraseSecretCache({ env, config: configOf(env) }, slug)
