/** Finds the values that the conversions of a large table lose, some rows at a time. D8. */
import type { RequestContext } from '../../kernel/context.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import type { Losing, LostPage, LostValues } from '../providers/lost-values.ts'
import type { DdlStep } from '../providers/provider.ts'
import { firstSize, nextSize } from './batch-size.ts'
import { selectTook } from './store.ts'

/** How long a request examines records: as long as it waits for the change. */
const examineMsMax = 10_000

/**
 * Returns the values that each conversion loses, by field. After ten seconds it ends, and says how many
 * records it has examined.
 */
export async function examineRows(
  ctx: RequestContext,
  steps: readonly DdlStep[],
): Promise<Map<string, LostValues>> {
  const deadline = Date.now() + examineMsMax
  const found = new Map<string, LostValues>()
  for (const { losing } of steps) if (losing) found.set(losing.field, await examine(ctx, losing, deadline))
  return found
}

async function examine(ctx: RequestContext, losing: Losing, deadline: number): Promise<LostValues> {
  let limit = firstSize
  let last: LostPage['last'] = null
  const lost = { count: 0, samples: noSamples, examined: 0 }
  while (Date.now() < deadline) {
    const { page, ms } = await readPage(ctx, losing.page(last, limit))
    lost.count += page.count
    lost.examined += page.rows
    lost.samples = [...lost.samples, ...page.samples].slice(0, samplesMax)
    if (page.rows < limit) return { count: lost.count, samples: lost.samples }
    last = page.last
    limit = nextSize(limit, ms)
  }
  return lost
}

const samplesMax = 3
const noSamples: LostValues['samples'] = []

async function readPage(
  ctx: RequestContext,
  statement: Sql<LostPage>,
): Promise<{ page: LostPage; ms: number }> {
  const { page, took } = await inTenant(ctx, 'read', { page: statement, took: selectTook })
  return { page: page.one, ms: took.one.ms }
}
