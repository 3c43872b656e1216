/** Advises indexes that would make slow lists of records fast. All isolates keep their advice together. */
import type { RequestContext } from '../../../kernel/context.ts'
import { IsolateCache } from '../../../kernel/lib/isolate-cache.ts'
import { pause } from '../../../kernel/lib/retry.ts'
import { planOf, withCatalog } from '../../catalog/catalog.ts'
import { type RecordsPath, tableOf } from '../../catalog/find-table.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import { type AskedList, indexLackedBy } from './explained-list.ts'
import { trialOf } from './index-trial.ts'
import type { IndexAdvice } from './schema.ts'
import { type Slowness, saveAdvice, selectAdvice } from './store.ts'
import { indexNamed, serves, wantedIndex } from './wanted-index.ts'

export { isRecent } from './store.ts'

/** How often an isolate explains lists that seem to lack the same index. */
const everyMs = 10 * 60_000
const saveMs = 10_000

/** The slow lists since the last explanation, and its time in milliseconds since the epoch. */
interface Noted extends Slowness {
  explainedAt: number
}

const noted = new IsolateCache<Noted>('index_advice', { bytesOf: () => 50 })

/**
 * Notes that a list took `ms` milliseconds. After the answer, Postgres explains the list; if it reads or
 * sorts the whole table, the index that it lacks is stored.
 */
export function noteSlowList(ctx: RequestContext, catalog: Catalog, asked: AskedList, ms: number): void {
  const wanted = wantedIndex(asked.plan)
  // To explain it as another person would be one more entry in the audit log.
  if (!wanted || ctx.viewAs !== null) return
  const { siteId } = catalog
  const key = JSON.stringify([siteId, asked.plan.table.id, wanted])
  const known = noted.get(key)
  const slowness = { count: (known?.count ?? 0) + 1, maxMs: Math.max(known?.maxMs ?? 0, ms) }
  const now = Date.now()
  const isDue = now - (known?.explainedAt ?? 0) >= everyMs
  const kept = isDue
    ? { count: 0, maxMs: 0, explainedAt: now }
    : { ...slowness, explainedAt: known?.explainedAt ?? 0 }
  noted.set(key, kept, String(siteId))
  // Nobody waits for it: without it, there is less advice.
  if (isDue) ctx.waitUntil(save(ctx, catalog, asked, slowness).catch(() => undefined))
}

async function save(
  ctx: RequestContext,
  catalog: Catalog,
  asked: AskedList,
  slowness: Slowness,
): Promise<void> {
  // First the answer, which says how many round trips it took.
  await pause(0)
  const wanted = await indexLackedBy(ctx, catalog, asked)
  if (!wanted) return
  const { plan } = asked
  const place = { siteId: catalog.siteId, datatableId: plan.table.id }
  await ctx.database.batch({ saved: saveAdvice(place, wanted, slowness, trialOf(plan, wanted)) }, saveMs)
}

/** Returns the indexes that a datatable lacks. Throws 404 if there is no such datatable. */
export const readAdvice = (ctx: RequestContext, path: RecordsPath): Promise<IndexAdvice[]> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = tableOf(catalog, path)
    return planOf({
      statements: { advice: selectAdvice(table.id) },
      finish: ({ advice }) =>
        advice.all
          .filter(({ wanted }) => !(table.schema.indexes ?? []).some((index) => serves(index, wanted)))
          .map(({ wanted, max_ms, ...rest }) => ({
            index: indexNamed(table, wanted),
            ...rest,
            max_ms: Math.round(max_ms * 10) / 10,
          })),
    })
  })
