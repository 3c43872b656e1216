/**
 * Remembers which lists had long answers. Postgres needs about five times the size of an answer to make it,
 * so a site runs few of them at a time, and the others wait for their turn outside of Postgres.
 */
import { IsolateCache } from '../../kernel/lib/isolate-cache.ts'
import type { AggregationPlan } from '../query/plan/aggregation/plan-aggregation.ts'
import type { ReadPlan } from '../query/plan/plan.ts'

const long = new IsolateCache<true>('long_lists', { bytesOf: () => 0 })

/** Names lists of one site whose answers are about as long. */
function nameOf(siteId: number, { table, ...plan }: ReadPlan | AggregationPlan): string {
  const shown = 'keys' in plan ? [] : [plan.fields?.map(({ name }) => name), plan.populate.length]
  return JSON.stringify([siteId, table.id, plan.limit, ...shown])
}

/**
 * Returns how many places of heavy statements a list takes: two if the last answer to such a list was long.
 * Each of several at once would take so much longer that all could run out of time.
 */
export const placesOf = (siteId: number, plan: ReadPlan | AggregationPlan): number =>
  long.get(nameOf(siteId, plan)) ? 2 : 1

/** Notes whether the answer to a list is long. */
export function noteLength(siteId: number, plan: ReadPlan | AggregationPlan, isLong: boolean): void {
  if (isLong) long.set(nameOf(siteId, plan), true, String(siteId))
  else long.delete(nameOf(siteId, plan))
}
