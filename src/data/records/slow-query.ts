/**
 * Turns a list that takes too long into the error that says what would make it fast. An index is named only
 * if Postgres explains that it reads or sorts the whole table.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { type DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { queryTooComplex, queryTooSlow } from '../failures/errors.ts'
import type { AggregationPlan } from '../query/plan/aggregation/plan-aggregation.ts'
import type { ReadPlan } from '../query/plan/plan.ts'
import { isAlways } from '../query/predicate.ts'
import { type AskedList, indexLackedBy } from './advice/explained-list.ts'
import { indexNamed } from './advice/wanted-index.ts'
import { computedBy } from './computations.ts'

/** From this number of rows on, it takes long to read those before a page. */
const rowsMany = 10_000

/** Returns the error for a list that took too long; undefined for any other failure. */
export async function slowQuery(
  ctx: RequestContext,
  catalog: Catalog,
  asked: AskedList,
  failure: DatabaseFailure,
): Promise<AppError | undefined> {
  // Waiting for a lock ends earlier, with another error. So the list itself took this time.
  if (failure.sqlstate !== sqlstates.queryCanceled) return undefined
  const { plan } = asked
  // To explain it as another person would be one more entry in the audit log.
  const wanted =
    ctx.viewAs === null ? await indexLackedBy(ctx, catalog, asked).catch(() => undefined) : undefined
  const index = wanted && JSON.stringify(indexNamed(plan.table, wanted))
  return queryTooSlow(
    [...(index ? [`the index ${index} in the schema of "${plan.table.name}"`] : []), ...otherWays(plan)],
    failure,
  )
}

/** Returns the error for a list in MongoDB that took too long: as Postgres has it, but without an index. */
export const slowElsewhere = (plan: ReadPlan | AggregationPlan): AppError =>
  'keys' in plan || computedBy(plan).length > 0
    ? queryTooComplex(undefined)
    : queryTooSlow(otherWays(plan), undefined)

/** Returns what a client can change in its request. */
const otherWays = ({ offset, total, where, populate, keyset }: ReadPlan): string[] => [
  ...(offset >= rowsMany && !keyset ? ['a cursor (after=) instead of the number of the page'] : []),
  ...(total === 'none' ? [] : ['_total=none']),
  ...(populate.length > 0 ? ['fewer related records'] : []),
  isAlways(where) || where.kind === 'isTrue' ? 'a filter' : 'a filter that finds fewer records',
]
