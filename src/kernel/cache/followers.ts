/**
 * Live lists: the remote interfaces of their Durable Objects, and how a write tells of itself. A LiveList
 * asks for one list again and again, for all who follow it; the LiveFeed of a site knows which lists read a
 * table.
 */

import type { RequestContext } from '../context.ts'
import { describeFailure, log } from '../lib/log.ts'
import { type CacheContext, cacheName } from './caches.ts'

/** The remote interface of a LiveFeed. Tables are physical names; null: any table of the site. */
export interface RemoteFeed {
  /** Returns false if the site, or the owner, has too many lists. Null: nobody owns the list. */
  register(list: string, tables: readonly string[] | null, owner?: string | null): Promise<boolean>
  leave(list: string): Promise<void>
  tell(tables: readonly string[] | null): Promise<void>
  /** Says that the rights of a person have changed, whose feed it is. */
  recheck(): Promise<void>
}

/** The remote interface of a LiveList. Its `fetch` opens the WebSocket of a follower. */
export interface RemoteList {
  /**
   * Says that a table has changed. Returns false if nobody follows the list. `paceMs`: the shortest time
   * between two asks, because so many lists of the site are followed.
   */
  tell(paceMs: number): Promise<boolean>
  /** Says that a follower may have lost a right. Returns as `tell`. */
  recheck(): Promise<boolean>
  fetch(url: string, init: RequestInit): Promise<Response>
}

/**
 * Returns the feed of a site by its uuid, because an import can give its number to another site; or that of a
 * person: `caller <id>`.
 */
export const feedAt = (ctx: CacheContext, name: string): RemoteFeed =>
  ctx.env.LIVE_FEEDS.getByName(cacheName(ctx, name)) as unknown as RemoteFeed

export const listAt = ({ env }: Pick<CacheContext, 'env'>, name: string): RemoteList =>
  env.LIVE_LISTS.getByName(name) as unknown as RemoteList

/**
 * Tells those who follow lists of the site of a request, if there are any, which tables it may have changed.
 * If that fails, their lists are asked for again after LIVE_REFRESH_S.
 */
export async function tellFollowers(ctx: RequestContext): Promise<void> {
  if (ctx.followed === undefined) return
  const written = ctx.writes?.map((tables) => tables()) ?? [null]
  const tables = written.includes(null) ? null : written.flatMap((some) => some ?? [])
  await unlessItFails(ctx, feedAt(ctx, ctx.followed).tell(tables))
}

/** Tells the lists of people whose rights have changed: those of the caches that are named after them. */
export async function recheckFollowers(ctx: RequestContext, caches: readonly string[]): Promise<void> {
  const people = new Set(caches.filter((name) => name.startsWith('caller ')))
  await Promise.all([...people].map((name) => unlessItFails(ctx, feedAt(ctx, name).recheck())))
}

async function unlessItFails(ctx: RequestContext, telling: Promise<void>): Promise<void> {
  try {
    await telling
  } catch (error) {
    const verbose = ctx.config.ENVIRONMENT === 'development'
    log({
      level: 'warn',
      request_id: ctx.requestId,
      followers: 'not told',
      ...describeFailure(error, verbose),
    })
  }
}
