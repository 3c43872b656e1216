/**
 * Turns a list that takes too long into the error that says what would make it fast. Postgres explains the
 * list again, which takes no time: the index is named only where Postgres reads or sorts the whole table.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { type DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { readInTenant } from '../../kernel/db/replica.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { queryTooSlow } from '../failures/errors.ts'
import type { Table } from '../model/table.ts'
import type { ReadPlan } from '../query/plan/plan.ts'
import { isAlways } from '../query/predicate.ts'
import { wantedIndex } from './slow-reads.ts'

/** A node of a plan of Postgres. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Total Cost': number
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: readonly PlanNode[]
}

/** The answer of `explain (format json)`. */
interface Explained {
  'QUERY PLAN': readonly { Plan: PlanNode }[]
}

/** A list that has failed: its plan, and its statement. */
interface SlowList {
  plan: ReadPlan
  list: Sql
}

/** From this number of rows on, it takes long to read those before a page. */
const rowsMany = 10_000
/** What Postgres expects for reading or sorting tens of thousands of rows. */
const costMany = 1_000

/** Returns the error for a list that took too long; undefined for any other failure. */
export async function slowQuery(
  ctx: RequestContext,
  catalog: Catalog,
  { plan, list }: SlowList,
  failure: DatabaseFailure,
): Promise<AppError | undefined> {
  // Waiting for a lock ends earlier, with another error. So the list itself took this time.
  if (failure.sqlstate !== sqlstates.queryCanceled) return undefined
  // To explain it as another person would be one more entry in the audit log.
  const index = ctx.viewAs === null ? wantedIndex(plan) : undefined
  const isWanted = index && (await readsWhole(ctx, catalog, { plan, list }).catch(() => false))
  return queryTooSlow([...(isWanted ? [indexText(plan.table, index)] : []), ...otherWays(plan)], failure)
}

/** Tells whether Postgres reads or sorts the whole table. */
async function readsWhole(ctx: RequestContext, catalog: Catalog, { plan, list }: SlowList): Promise<boolean> {
  const explain = sql<Explained>`explain (format json) ${list}`
  const { explained } = await readInTenant(ctx, { explained: explain }, catalog)
  const readsAll = (node: PlanNode): boolean =>
    node['Relation Name'] === plan.table.physicalName && !(node['Index Cond'] ?? node['Recheck Cond'])
  const isWhole = (node: PlanNode): boolean =>
    (node['Total Cost'] >= costMany && (node['Node Type'] === 'Sort' || readsAll(node))) ||
    (node.Plans ?? []).some(isWhole)
  return explained.one['QUERY PLAN'].some(({ Plan }) => isWhole(Plan))
}

type WantedIndex = NonNullable<ReturnType<typeof wantedIndex>>

function indexText({ name: table }: Table, { fields, method }: WantedIndex): string {
  const name = `by_${fields.join('_').toLowerCase()}`.slice(0, 48)
  const index = { name, fields, ...(method === 'btree' ? {} : { method }) }
  return `the index ${JSON.stringify(index)} in the schema of "${table}"`
}

/** Returns what a client can change in its request. */
const otherWays = ({ offset, total, where, populate, keyset }: ReadPlan): string[] => [
  ...(offset >= rowsMany && !keyset ? ['a cursor (after=) instead of the number of the page'] : []),
  ...(total === 'none' ? [] : ['_total=none']),
  ...(populate.length > 0 ? ['fewer related records'] : []),
  isAlways(where) || where.kind === 'isTrue' ? 'a filter' : 'a filter that finds fewer records',
]
