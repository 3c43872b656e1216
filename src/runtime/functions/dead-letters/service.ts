/** Lists, explains and replays dead letters. E5. */
import type { RequestContext } from '../../../kernel/context.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import { adviceFor } from './reasons.ts'
import type { DeadLetter, DeadLettersQuery, Replayed, ReplayInput } from './schema.ts'
import * as store from './store.ts'

/** Returns a page of the site's invocations that have failed permanently, each with its reason. */
export async function listDeadLetters(
  ctx: RequestContext,
  url: string,
  query: DeadLettersQuery,
): Promise<Page<DeadLetter>> {
  const page = await inTenant(ctx, 'read', store.selectDeadLetters(query))
  return pageOf(page, url, store.list, query, (row) => ({ ...row, advice: adviceFor(row.reason) }))
}

/** Queues the dead letters that a filter finds, up to its `limit`. A dry run only counts them. */
export async function replayDeadLetters(ctx: RequestContext, input: ReplayInput): Promise<Replayed> {
  const { limit, dry_run, ...filters } = input
  const { found, restarted } = await inTenant(ctx, dry_run ? 'read' : 'write', {
    found: store.countDeadLetters(filters),
    restarted: dry_run ? undefined : store.restartDeadLetters(filters, limit),
  })
  const matched = found.one.count
  const replayed = restarted.first?.count ?? 0
  return { matched, replayed, left: matched - replayed }
}
