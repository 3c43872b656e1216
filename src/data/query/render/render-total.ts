/** Renders the number of records of a list: exact, up to a limit, or as Postgres expects it. R1. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { ReadPlan } from '../plan/plan.ts'
import { row } from '../row.ts'
import { countedSource, type Source, withSql } from './source.ts'

/** The limit up to which records are counted for an estimated total. R1. */
export const countedMax = 10_000

/**
 * Returns the column `total`. On the last page, its rows show the total; on earlier pages, `total` counts.
 */
export function totalColumn({ offset }: ReadPlan, isLastPage: Sql, count: Sql, total: Sql): Sql {
  const isKnown = sql`${isLastPage} and (${count} > 0 or ${offset}::bigint = 0)`
  return sql`case when ${isKnown} then ${offset}::bigint + ${count} else (${total}) end as total`
}

/** Returns a query for the number of records, up to the limit of the total's mode. */
export function renderTotal({ total }: ReadPlan, { rows, where }: Source): Sql {
  const records = sql`from ${rows} ${row.alias} where ${where}`
  if (total === 'exact') return sql`select count(*) ${records}`
  if (total === 'none') return sql`null::bigint`
  const limit = countedMax + 1
  return sql`select nullif(count(*), ${limit}::bigint) from (select ${records} limit ${limit}) _some`
}

/** Renders a query for the number of records that Postgres expects. It reads no record. */
export function renderEstimate(plan: ReadPlan): Sql<EstimateRow> {
  const { shared, counted } = countedSource(plan)
  return sql`
    explain (format json) ${withSql(shared)} select from ${counted.rows} ${row.alias} where ${counted.where}`
}

/** The answer of `explain (format json)`. */
export interface EstimateRow {
  'QUERY PLAN': readonly { Plan: { 'Plan Rows': number } }[]
}

/** Returns the number of records that Postgres expects. */
export const plannedRows = (row: EstimateRow): number => row['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
