/**
 * Live lists: the remote interfaces of their Durable Objects, and how a write tells of itself. A LiveList asks
 * for one list again and again, for all who follow it; the LiveFeed of a site knows which lists read a table.
 */
import { type CacheContext, cacheName } from '../cache/caches.ts'
import type { RequestContext } from '../context.ts'
import { describeFailure, log } from '../lib/log.ts'

/** The remote interface of a LiveFeed. Tables are physical names; null: any table of the site. */
export interface RemoteFeed {
  /** Returns false if the site has as many lists as it may have. */
  register(list: string, tables: readonly string[] | null): Promise<boolean>
  leave(list: string): Promise<void>
  tell(tables: readonly string[] | null): Promise<void>
}

/** The remote interface of a LiveList. Its `fetch` opens the WebSocket of a follower. */
export interface RemoteList {
  /** Says that a table has changed. Returns false if nobody follows the list. */
  tell(): Promise<boolean>
  fetch(url: string, init: RequestInit): Promise<Response>
}

/** Returns the feed of a site. It is named by the uuid, because an import can give a number to another site. */
export const feedAt = (ctx: CacheContext, siteUuid: string): RemoteFeed =>
  ctx.env.LIVE_FEEDS.getByName(cacheName(ctx, siteUuid)) as unknown as RemoteFeed

export const listAt = ({ env }: Pick<CacheContext, 'env'>, name: string): RemoteList =>
  env.LIVE_LISTS.getByName(name) as unknown as RemoteList

/**
 * Tells the followers of a site which tables a transaction may have changed. If that fails, their lists are
 * asked for again after LIVE_REFRESH_S.
 */
export async function tellFollowers(ctx: RequestContext, siteUuid: string): Promise<void> {
  try {
    const written = ctx.writes?.map((tables) => tables()) ?? [null]
    await feedAt(ctx, siteUuid).tell(
      written.includes(null) ? null : written.flatMap((tables) => tables ?? []),
    )
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
