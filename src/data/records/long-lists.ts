/**
 * Remembers which lists had long answers. Postgres needs about five times the size of an answer to make it, so a
 * site runs few of them at a time, and the others wait for their turn outside of Postgres.
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

/** Tells whether the last answer to such a list was long. */
export const wasLong = (siteId: number, plan: ReadPlan | AggregationPlan): boolean =>
  long.get(nameOf(siteId, plan)) ?? false

/** Notes whether the answer to a list is long. */
export function noteLength(siteId: number, plan: ReadPlan | AggregationPlan, isLong: boolean): void {
  if (isLong) long.set(nameOf(siteId, plan), true, String(siteId))
  else long.delete(nameOf(siteId, plan))
}
