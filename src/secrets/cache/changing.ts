/** A change of secrets, which no read misses once it is acknowledged: mark, commit, clear (cache/shelf.ts). */
import { everything } from '../../cache/shelf.ts'
import type { RequestContext } from '../../context.ts'
import { DatabaseAway } from '../../db/failures.ts'
import { unavailable } from '../../errors.ts'
import { describeFailure, log } from '../../lib/log.ts'
import { inVault } from '../vault/service.ts'
import { knownSite, secretsOf } from './lookup.ts'

/** The subject of a change that may concern any secret: of a type's or a tag's name. */
export const everySecret = everything

/** The slug of the site that a change is about to be made in; asks the database only where no cache knows. */
export const siteOf = async (ctx: RequestContext): Promise<string> => (await knownSite(ctx)) ?? (await inVault(ctx, 'read', {})).site

/** `keys` are those of the secrets that `commit` changes. Without the mark nothing may be changed. */
export async function changing<Result>(ctx: RequestContext, site: string, keys: readonly string[], commit: () => Promise<Result>): Promise<Result> {
  const cache = secretsOf(ctx, site)
  const mark = await cache.mark(keys).catch((error: unknown) => {
    throw unavailable(error)
  })
  let done = true
  try {
    return await commit()
  } catch (error) {
    // Nobody knows whether it was committed, or still will be: the mark stays until it cannot be any more.
    done = !(error instanceof DatabaseAway)
    throw error
  } finally {
    if (done) await cache.clear(keys, mark).catch((error: unknown) => noteKept(ctx, error))
  }
}

/** The mark goes on keeping the old value away; until it lapses, reads ask the database. */
function noteKept(ctx: RequestContext, error: unknown): void {
  log({ level: 'error', request_id: ctx.requestId, cache: 'not cleared', ...describeFailure(error, false) })
}
