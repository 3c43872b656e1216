/** Renders the total of a list: Postgres counts up to a limit, and for a limited time. R22. */
import { emptySql, OwnSchema, renderTemplate, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { TotalMode } from '../parse/ast.ts'
import type { ReadPlan } from '../plan/plan.ts'
import { isAlways } from '../predicate.ts'
import { row } from '../row.ts'
import { type CountedSource, withSql } from './source.ts'

/** The limit up to which records are counted for an estimated total. R1. */
export const countedMax = 10_000

/**
 * How a total was found: by counting, as Postgres expects it, or not at all. Without a total, `timeout`
 * means that an exact one takes too long, and `more` that a default one does, or that there are more records
 * than it counts.
 */
export const totalKinds = ['exact', 'estimated', 'none', 'timeout', 'more'] as const

/** A total as Postgres found it. */
export interface Counted {
  total: number | null
  is: (typeof totalKinds)[number]
}

/** How many milliseconds a count takes at most, or a little more. */
const countMsMax = 150
/** The same for a count that the client asks for. */
const exactMsMax = 2_000

/** What each way to find a total counts. With `ms: 0`, nothing is. */
const limits: Record<
  Exclude<TotalMode, 'none'> | 'default',
  (exactMax: number) => { most: number | null; ms: number }
> = {
  default: (exactMax) => ({ most: exactMax, ms: countMsMax }),
  estimated: () => ({ most: countedMax, ms: countMsMax }),
  exact: () => ({ most: null, ms: exactMsMax }),
}

/**
 * Returns the column `counted`: the total, unless the number of records that the page found shows it.
 */
export function countedColumn(
  plan: ReadPlan,
  source: CountedSource,
  found: Sql,
  exactMax: number | null,
): Sql {
  const { limit, offset, keyset, total, rankedMax } = plan
  if (total === 'none') return sql`null::jsonb as counted`
  const count = renderTotal(plan, source, exactMax)
  if (keyset?.values) return sql`${count} as counted`
  const isEmpty = offset > 0 ? sql` or ${found} = 0` : emptySql
  const isRanked = rankedMax === undefined ? emptySql : sql` or ${found} >= ${rankedMax - offset}::bigint`
  const isUnknown = sql`${found} > ${limit}::bigint${isEmpty}${isRanked}`
  return sql`case when ${isUnknown} then ${count} end as counted`
}

/** Returns an expression for the total, which is `Counted`. `exactMax`: see ListOptions. */
export function renderTotal(plan: ReadPlan, source: CountedSource, exactMax: number | null): Sql {
  const { table, total, where: filter, distinct } = plan
  const { shared, rows, where } = source
  const records = sql`from ${rows} ${row.alias} where ${where}`
  // The statement has computed them already.
  if (!shared) return sql`(select jsonb_build_object('total', count(*), 'is', 'exact') ${records})`
  const limit = limits[total === undefined || total === 'none' ? 'default' : total]
  const { most, ms } = exactMax === null ? { most: null, ms: 0 } : limit(exactMax)
  // An estimate of Postgres would include records that a guest may not see.
  const beyond = table.isView ? 'more' : 'estimated'
  const values: (string | null | OwnSchema)[] = []
  const query = renderTemplate(sql`${withSql(shared)} select ${records}`, values, null, new OwnSchema())
  const is = total === 'exact' ? 'timeout' : beyond
  // Postgres knows about how many records a whole table with columns has, and how many are not deleted.
  const isUnfiltered = isAlways(filter) || (filter.kind === 'isTrue' && !filter.is)
  const trusts =
    isUnfiltered && table.storage.hasColumns && !table.isView && distinct.length === 0
      ? sql`, true`
      : emptySql
  return sql`tessera.count_rows(${query}, ${values}::text[], ${most}::bigint, ${ms}, ${is}${trusts})`
}
