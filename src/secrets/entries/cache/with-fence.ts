/**
 * Changes secrets so that no later read finds an old value: fence, commit, invalidate
 * (cache/fenced-entries.ts).
 */
import { everyKey } from '../../../kernel/cache/fenced-entries.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { DatabaseUnavailable } from '../../../kernel/db/failures.ts'
import { unavailable } from '../../../kernel/errors.ts'
import { describeFailure, log } from '../../../kernel/lib/log.ts'
import { inTenantWithKeys } from '../../tenant-keys/service.ts'
import { cachedSiteSlug, secretCacheOf } from './lookup.ts'

/** The key for changes that can affect any secret, such as renaming a type or a tag. */
export const everySecret = everyKey

/** Returns the slug of the request's site. Reads it from the database only if no cache has it. */
export const siteSlugOf = async (ctx: RequestContext): Promise<string> =>
  (await cachedSiteSlug(ctx)) ?? (await inTenantWithKeys(ctx, 'read', {})).siteSlug

/**
 * Commits a change of the secrets with these keys. Rejects with 503, before the change, if the cache cannot
 * be fenced; and as `commit` does.
 */
export async function withFence<Result>(
  ctx: RequestContext,
  siteSlug: string,
  keys: readonly string[],
  commit: () => Promise<Result>,
): Promise<Result> {
  const cache = secretCacheOf(ctx, siteSlug)
  const fenceId = await cache.fence(keys).catch((error: unknown) => {
    throw unavailable(error)
  })
  let isDecided = true
  try {
    return await commit()
  } catch (error) {
    // The transaction may still commit, so the fence stays until that is impossible.
    isDecided = !(error instanceof DatabaseUnavailable)
    throw error
  } finally {
    if (isDecided) await cache.invalidate(keys, fenceId).catch((error: unknown) => logFenced(ctx, error))
  }
}

/**
 * Logs that a fence was not lifted. It still keeps the old value out of the cache. Until the fence expires,
 * reads ask the database.
 */
function logFenced(ctx: RequestContext, error: unknown): void {
  const failure = describeFailure(error, false)
  log({ level: 'error', request_id: ctx.requestId, cache: 'not invalidated', ...failure })
}
