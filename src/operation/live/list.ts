/** What makes a list distinct, and what a follower of it brings. */
import { type CacheContext, cacheName } from '../../kernel/cache/caches.ts'
import type { Asker, ListReads } from '../../kernel/context.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import type { Standing } from '../../kernel/standing.ts'

/** A list that is followed: one for all who would get the same answer. */
export interface About {
  /** The address of the list, with the site in its host or path. */
  url: string
  site: { id: number; uuid: string }
  /** Who gets this answer. See `audienceOf`. */
  audience: string
}

/** What a follower sends to a list. */
export interface Joining {
  about: About
  asker: Asker
  /** The address of the client, as for rate limits. */
  address: string
  /** The id of the last event that it has had. Null: it has none. */
  lastId: string | null
}

/** What the socket of a follower remembers while the object sleeps. */
export interface Attached extends Omit<Joining, 'about'> {
  /** Whether the follower has had the list. */
  isServed: boolean
}

/**
 * Returns who gets the same answer: everybody with the same standing, or, if the rules or the query read the
 * person, one person; and one API key.
 */
export function audienceOf(
  { standing, rules }: ListReads,
  { caller, apiKeyHash }: Asker,
  url: string,
): string {
  const isPersonal = /user\.(?:id|uuid|email)/.test(`${rules} ${url}`)
  return JSON.stringify([standing, apiKeyHash, isPersonal ? (caller?.userId ?? null) : caller !== null])
}

/** Returns the standing of an audience. Null: members. */
export const standingOf = (audience: string): Standing | null => JSON.parse(audience)[0]

/** Tells whether two audiences differ in the standing, and not only in how the rules see a person. */
export const isOtherStanding = (one: string, other: string): boolean =>
  JSON.stringify(standingOf(one)) !== JSON.stringify(standingOf(other))

/** Whether the answer depends on the time. */
export const readsClock = ({ rules }: ListReads, url: string): boolean =>
  /now|today|within/.test(`${rules} ${url}`)

/** Returns the name of the table in the address of a list. */
export const tableOf = (url: string): string =>
  decodeURIComponent(/\/datatables\/([^/]+)\/data/.exec(new URL(url).pathname)?.[1] ?? '')

/** Returns the name of the Durable Object of a list. */
export const listName = (ctx: CacheContext, { url, site, audience }: About): string =>
  cacheName(ctx, sha256(JSON.stringify([site.uuid, url, audience])))

/** Returns who follows: a person, a key, or an address. */
export const ownerOf = ({ asker: { caller, apiKeyHash }, address }: Omit<Joining, 'about'>): string =>
  caller ? `user ${caller.userId}` : (apiKeyHash ?? address)
