/** The total of a list: as the page shows it, or as Postgres counted it. R1, R22. */
import type { ReadPlan } from '../query/plan/plan.ts'
import type { ListRow } from '../query/render/render-list.ts'
import type { Total } from './views.ts'

/** Returns the total of a list of records or groups from its row. */
export function totalOf(
  { total: mode, offset, limit }: Pick<ReadPlan, 'total' | 'offset' | 'limit'>,
  { found, counted }: ListRow,
): Total {
  if (mode === 'none' && found !== null) return { total: null, hasMore: found > limit, is: 'none' }
  const seen = offset + (found ?? 0)
  const { total, is } = counted ?? { total: seen, is: 'exact' }
  const most = is === 'estimated' && total !== null ? Math.max(total, seen) : total
  // What was only counted has more records than were counted.
  const hasMore = found === null ? total === null || offset + limit < total : found > limit
  return { total: mode === 'none' ? null : most, hasMore, is: mode === 'none' ? 'none' : is }
}

/**
 * Returns how many matches of a search were sorted by their rank, if there may be more; undefined if all
 * were.
 */
export const rankedOf = (
  { rankedMax, offset }: Pick<ReadPlan, 'rankedMax' | 'offset'>,
  { total, hasMore }: Total,
  { found }: ListRow,
): number | undefined => {
  if (rankedMax === undefined) return undefined
  const seen = offset + (found ?? 0)
  const most = total ?? (hasMore ? Number.POSITIVE_INFINITY : seen)
  return most > rankedMax || seen >= rankedMax ? rankedMax : undefined
}
