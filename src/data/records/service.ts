/** Reading records: the rows of materialized datatables. Spec: Records; R1–R7, R13, R14. How they are written: create, update, upsert, delete. */
import type { RequestContext } from '../../context.ts'
import type { Results } from '../../db/results.ts'
import type { Sql } from '../../db/sql.ts'
import { withCatalog } from '../catalog.ts'
import { asksForForm, asksForWalk } from '../graph/parse.ts'
import { planBeside, walkFrom, walkFromRoots, walkRefusal } from '../graph/service.ts'
import type { RecordQuery } from '../query/ast.ts'
import { parseOneQuery, parseRecordQuery } from '../query/parse.ts'
import { isOutOfReach, outOfReach, planning, planRead, planReadOne, type ReadPlan } from '../query/plan.ts'
import { type AggregationPlan, planAggregation } from '../query/plan-aggregation.ts'
import { Problems } from '../query/problems.ts'
import { renderAggregation } from '../query/render-aggregation.ts'
import { answerBytesMax, type Beside, countedMax, type ListRow, plannedRows, renderEstimate, renderList, renderOne } from '../query/render-list.ts'
import { aggregationRefusal } from './aggregation-refusal.ts'
import { answerTooLarge, recordNotFound } from './errors.ts'
import { materializedTable, type RecordPath, type RecordsPath } from './find-table.ts'
import { asList, asOne, asTotals, type RecordBody, type RecordList, type Total } from './views.ts'

/** A page of records with their total, or what is computed of them, or the tree or graph that they are. The text is the body. */
export async function listRecords(ctx: RequestContext, path: RecordsPath, parameters: URLSearchParams): Promise<RecordList> {
  if (asksForForm(parameters)) return walkFromRoots(ctx, path, parameters)
  const hasWalks = asksForWalk(parameters)
  let aggregation: AggregationPlan | undefined
  try {
    return await withCatalog(ctx, path.app, 'read', (catalog) => {
      const problems = new Problems()
      const state = planning(materializedTable(catalog, path), problems, catalog.relationships)
      const query = parseRecordQuery(parameters, problems)
      aggregation = query.aggregation && planAggregation(state, query, query.aggregation)
      const plan = aggregation ?? planRead(state, query)
      const beside = hasWalks ? planBeside(ctx, state, parameters, plan, query.deleted) : undefined
      problems.throwIfAny()
      return {
        statements: 'keys' in plan ? [renderAggregation(plan)] : listStatements(plan, beside),
        heavy: aggregation !== undefined || hasWalks,
        finish(results) {
          const row = results.one<ListRow>(-1)
          if (aggregation && !aggregation.keys) return asTotals(sent(row.data))
          if (isOutOfReach(query.range, row.total ?? 0)) problems.add(query.range.parameter, outOfReach)
          problems.throwIfAny()
          const list = asList(sent(row.data), totalOf(query, row, results), query.range)
          return aggregation ? { ...list, profile: 'group' } : list
        },
      }
    })
  } catch (failure) {
    throw (aggregation && aggregationRefusal(failure, aggregation)) ?? (hasWalks ? walkRefusal(failure) : undefined) ?? failure
  }
}

/** What Postgres expects is asked for in the same batch, whether it is needed or not. */
const listStatements = (plan: ReadPlan, beside: Beside | undefined): Sql[] =>
  plan.total === 'estimated' ? [renderEstimate(plan), renderList(plan, beside)] : [renderList(plan, beside)]

/** R1 */
function totalOf({ total: is, range: { offset, limit } }: RecordQuery, row: ListRow, results: Results): Total {
  const ends = (total: number) => row.has_more ?? offset + limit < total
  if (is === 'none') return { total: null, hasMore: ends(row.total ?? 0), is }
  if (row.total !== null) return { total: row.total, hasMore: ends(row.total), is: is && 'exact' }
  // There are more than were counted, and at least those that were seen.
  const seen = Math.max(countedMax, row.has_more === null ? 0 : offset + limit) + 1
  const total = Math.max(seen, plannedRows(results.one(0)))
  return { total, hasMore: ends(total), is: 'estimated' }
}

/** A record, and what of its related records is asked for. */
export const readRecord = (ctx: RequestContext, path: RecordPath, parameters: URLSearchParams): Promise<RecordBody> =>
  asksForWalk(parameters) ? walkFrom(ctx, path, parameters) : readAlone(ctx, path, parameters)

const readAlone = (ctx: RequestContext, path: RecordPath, parameters: URLSearchParams): Promise<RecordBody> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = materializedTable(catalog, path)
    const problems = new Problems()
    const query = parseOneQuery(parameters, problems)
    const plan = planReadOne(planning(table, problems, catalog.relationships), path.record, query)
    problems.throwIfAny()
    if (!plan) throw recordNotFound(table.name, path.record)
    return {
      statements: [renderOne(plan)],
      finish(results) {
        const row = results.row<{ data: string | null; etag: string }>()
        if (!row) throw recordNotFound(table.name, path.record)
        return asOne(sent(row.data), row.etag)
      },
    }
  })

/** Text that Postgres did not find too long to send. */
function sent(data: string | null): string {
  if (data === null) throw answerTooLarge(answerBytesMax)
  return data
}
