/**
 * The caches of record by name: `caller <id>` who somebody is and what they may, `host <name>` which site a host is,
 * `secrets <slug>` a site's secrets. Postgres's triggers note these names for what a transaction makes stale
 * (migrations/platform, note_stale).
 */
import type { RequestContext } from '../context.ts'
import { unavailable } from '../errors.ts'
import { retry } from '../lib/retry.ts'
import { everything, type Look } from './shelf.ts'

/** What asks for caches: a request, or work that nobody asked for. */
export type CacheUser = Pick<RequestContext, 'env' | 'config'>

/** The name of a cache in its namespace. Of another database nothing is known; its name is the one part of its address that stays. */
export const cacheName = ({ config }: CacheUser, name: string): string => `${new URL(config.DATABASE_URL).pathname.slice(1)} ${name}`

/** A cache, as it is asked from elsewhere. */
export interface Cache<Value> {
  look(subject: string): Promise<Look<Value>>
  put(subject: string, variant: string, value: Value, lifetimeMs: number, ticket: string | null): Promise<boolean>
  mark(subjects: readonly string[]): Promise<string>
  clear(subjects: readonly string[], mark?: string): Promise<void>
}

export function cacheAt<Value>(user: CacheUser, name: string): Cache<Value> {
  const namespace = name.startsWith('secrets ') ? user.env.SECRET_CACHES : user.env.CACHES
  return namespace.getByName(cacheName(user, name)) as unknown as Cache<Value>
}

const attempts = 3

/** Empties what a transaction has made stale. Until all of it is, the change may not be acknowledged. */
export async function clearStale(user: CacheUser, names: readonly string[]): Promise<void> {
  await Promise.all([...new Set(names)].map((name) => clearOne(user, name)))
}

async function clearOne(user: CacheUser, name: string): Promise<void> {
  await retry({ attempts, isTransient: () => true }, () => cacheAt(user, name).clear([everything])).catch((error: unknown) => {
    throw unavailable(error)
  })
}
