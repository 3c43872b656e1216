/** The total of a list, as the client requested it: exact, estimated or not at all. R1 */
import type { RecordQuery } from '../query/parse/ast.ts'
import type { ReadPlan } from '../query/plan/plan.ts'
import type { ListRow } from '../query/render/render-list.ts'
import { countedMax, type EstimateRow, plannedRows, renderEstimate } from '../query/render/render-total.ts'
import type { Total } from './views.ts'

/** Returns the statement that estimates the total; undefined if no estimate is requested. */
export const estimateOf = (plan: ReadPlan) => (plan.total === 'estimated' ? renderEstimate(plan) : undefined)

/** Returns the total of a list from its row, and from the estimate if there is one. */
export function totalOf(
  { total: is, range: { offset, limit } }: RecordQuery,
  row: ListRow,
  estimate: EstimateRow | undefined,
): Total {
  const ends = (total: number) => row.has_more ?? offset + limit < total
  if (is === 'none') return { total: null, hasMore: ends(row.total ?? 0), is }
  if (row.total !== null) return { total: row.total, hasMore: ends(row.total), is: is && 'exact' }
  // There are more records than were counted, and at least as many as on the pages so far.
  const seen = Math.max(countedMax, row.has_more === null ? 0 : offset + limit) + 1
  const total = Math.max(seen, estimate ? plannedRows(estimate) : 0)
  return { total, hasMore: ends(total), is: 'estimated' }
}
