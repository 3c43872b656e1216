/** How a write, and a change of rights, tell of themselves to those who follow lists. */
import type { RequestContext } from '../context.ts'
import { describeFailure, log } from '../lib/log.ts'
import { type CacheContext, cacheName } from './caches.ts'
import type { RemoteFeed } from './live-objects.ts'

/**
 * Returns the feed of a site by its uuid, because an import can give its number to another site; or that of a
 * person: `caller <id>`.
 */
export const feedAt = (ctx: CacheContext, name: string): RemoteFeed =>
  ctx.env.LIVE_FEEDS.getByName(cacheName(ctx, name)) as unknown as RemoteFeed

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
