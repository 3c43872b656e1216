/**
 * The coherent caches by name: `caller <id>` contains the rights of an account, `host <name>` the site of a
 * host, and `secrets <slug>` the secrets of a site. Triggers of Postgres note the names of the caches that a
 * transaction makes stale (migrations/functions/caches, note_stale).
 */
import type { RequestContext } from '../context.ts'
import { unavailable } from '../errors.ts'
import { retry } from '../lib/retry.ts'
import { everyKey, type Fill, type Found } from './fenced-entries.ts'

/** The part of a request's context that caches need. Jobs have it, too. */
export type CacheContext = Pick<RequestContext, 'env' | 'config'>

/**
 * Returns the name of the Durable Object of a cache. It contains the name of the database, so that different
 * databases have different caches.
 */
export const cacheName = ({ config }: CacheContext, name: string): string =>
  `${new URL(config.DATABASE_URL).pathname.slice(1)} ${name}`

/** The remote interface of a CoherentCache. */
export interface RemoteCache<Value> {
  get(key: string): Promise<Found<Value>>
  fill(fill: Fill<Value>, lifetimeMs: number): Promise<boolean>
  fence(keys: readonly string[]): Promise<string>
  invalidate(keys: readonly string[], fenceId?: string): Promise<void>
}

export function cacheAt<Value>(ctx: CacheContext, name: string): RemoteCache<Value> {
  const namespace = name.startsWith('secrets ') ? ctx.env.SECRET_CACHES : ctx.env.CACHES
  return namespace.getByName(cacheName(ctx, name)) as unknown as RemoteCache<Value>
}

const attempts = 3

/**
 * Empties the caches that a transaction made stale. Rejects with 503 if one cannot be emptied in three
 * attempts.
 */
export async function invalidateStale(ctx: CacheContext, names: readonly string[]): Promise<void> {
  await Promise.all([...new Set(names)].map((name) => invalidateCache(ctx, name)))
}

async function invalidateCache(ctx: CacheContext, name: string): Promise<void> {
  try {
    await retry({ attempts, isTransient: () => true }, () => cacheAt(ctx, name).invalidate([everyKey]))
  } catch (error) {
    throw unavailable(error)
  }
}
