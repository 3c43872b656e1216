/** Reads records: the rows of materialized datatables. Spec: Records; R1–R7, R13, R14. */

import type { RequestContext } from '../../kernel/context.ts'
import { inParts } from '../../kernel/db/data-sql.ts'
import { type DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import type { AppError } from '../../kernel/errors.ts'
import { type Plan, planOf, withCatalog } from '../catalog/catalog.ts'
import type { RecordPath, RecordsPath } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { computationError, patternError } from '../failures/computation-error.ts'
import { recordNotFound } from '../failures/errors.ts'
import { answered } from '../providers/mongodb/ask.ts'
import { isInMongodb } from '../providers/mongodb/capabilities.ts'
import { listElsewhere, oneElsewhere } from '../providers/mongodb/reads.ts'
import type { Deleted } from '../query/parse/ast.ts'
import { flag, parseOneQuery, parseRecordQuery } from '../query/parse/parse.ts'
import { type AggregationPlan, planAggregation } from '../query/plan/aggregation/plan-aggregation.ts'
import { isOutOfReach, outOfReach, planRead, planReadOne, type ReadPlan } from '../query/plan/plan.ts'
import type { Planning } from '../query/plan/planning.ts'
import { Problems } from '../query/problems.ts'
import { renderAggregation } from '../query/render/render-aggregation.ts'
import { type ExtraColumns, type ListOptions, type ListRow, renderList } from '../query/render/render-list.ts'
import { renderOne } from '../query/render/render-one.ts'
import type { RecordBody } from '../write/answer/bodies.ts'
import { noteSlowList } from './advice/service.ts'
import { computedBy, isHeavy } from './computations.ts'
import { noteLength, placesOf } from './long-lists.ts'
import { besidePage, positionIn, requestedPosition } from './positions.ts'
import { readTarget } from './read-target.ts'
import { slowElsewhere, slowQuery } from './slow-query.ts'
import { onlyInCsv } from './stream-page.ts'
import { rankedOf, totalOf } from './total.ts'
import { asList, asListAtPosition, asOne, asTotals, type RecordList } from './views.ts'

export type { Position } from '../query/plan/keyset.ts'
export { isReadInParts, readStreamPage } from './stream-page.ts'

/** Adds members to each record of a list, as a part of the statement of the list. */
export interface ListAddition {
  plan(state: Planning, list: ReadPlan | AggregationPlan, deleted: Deleted): ExtraColumns | undefined
  /** See `Plan`. */
  errorOf(failure: DatabaseFailure): AppError | undefined
}

/**
 * Lists a page of records with their total, or aggregates of them. Throws 400 for invalid parameters, and 422
 * for a query that is too large.
 */
export async function listRecords(
  ctx: RequestContext,
  path: RecordsPath,
  parameters: URLSearchParams,
  addition?: ListAddition,
): Promise<RecordList> {
  const position = await requestedPosition(ctx, parameters)
  const { spent } = ctx.database
  const planFor =
    ({ isLong, isUncounted }: Attempt) =>
    (present: Catalog): Plan<{ list: Sql<ListRow> }, RecordList> => {
      const before = spent.milliseconds
      const problems = new Problems()
      const { catalog, table, state, time } = readTarget(present, path, parameters, problems)
      const { siteId } = catalog
      ctx.readSchema = table.schemaHash
      const query = parseRecordQuery(parameters, problems)
      if (flag(parameters, '_bom', problems)) problems.add('_bom', onlyInCsv)
      const aggregation = query.aggregation && planAggregation(state, query, query.aggregation)
      const plan = aggregation ?? planRead(state, query, position && positionIn(position, siteId, table))
      const beside = addition?.plan(state, plan, query.deleted)
      problems.throwIfAny()
      const exactMax = isUncounted ? null : ctx.config.TOTAL_EXACT
      const list = listOf(plan, { ...(beside && { extra: beside }), exactMax, isLong })
      const isTotals = aggregation !== undefined && !aggregation.keys
      const statements = { list: isTotals ? list : inParts(list) }
      return planOf({
        statements,
        // The list has waited for its count already.
        ...(isUncounted ? { mode: 'try' } : {}),
        heavy: isHeavy(plan) || addition !== undefined || placesOf(siteId, plan) > 1,
        places: placesOf(siteId, plan),
        async finish({ list: { one } }): Promise<RecordList> {
          const row = await answered(ctx, statements.list, one, () => slowElsewhere(plan))
          const ms = spent.milliseconds - before
          noteLength(siteId, plan, row.rest !== undefined)
          // Versions are in a table of their own, which no schema can give an index.
          const isPresent = time === undefined && !isInMongodb(plan.table)
          if (ms >= ctx.config.SLOW_READ_MS && 'keyset' in plan && isPresent)
            noteSlowList(ctx, present, { plan, list }, ms)
          if (isTotals) return asTotals(row.data)
          const total = totalOf({ ...query.range, total: query.total }, row)
          if (isOutOfReach(query.range, row.counted?.total)) problems.add(query.range.parameter, outOfReach)
          problems.throwIfAny()
          const text = { data: row.data, ...(row.rest && { rest: row.rest }) }
          if (position && 'keyset' in plan && plan.keyset) {
            const page = { siteId, table, keyset: plan.keyset, row, hasMore: total.hasMore }
            const { cursors, hasMore } = await besidePage(ctx, position, page)
            return asListAtPosition(text, { ...total, hasMore }, plan.limit, cursors)
          }
          if (aggregation) return { ...asList(text, total, query.range), profile: 'group' }
          return asList(text, total, query.range, 'keyset' in plan ? rankedOf(plan, total, row) : undefined)
        },
        instead({ sqlstate }) {
          if (!isLong && sqlstate === sqlstates.answerTooLong) return planFor({ isLong: true, isUncounted })
          const isCounted = !isUncounted && !aggregation && query.total !== 'none' && !isInMongodb(plan.table)
          return isCounted && sqlstate === sqlstates.queryCanceled
            ? planFor({ isLong, isUncounted: true })
            : undefined
        },
        errorOf: (failure) =>
          patternError(failure, state.used.patterns) ??
          computationError(failure, computedBy(plan)) ??
          addition?.errorOf(failure) ??
          ('keys' in plan || isInMongodb(plan.table)
            ? undefined
            : slowQuery(ctx, present, { plan, list: statements.list }, failure)),
      })
    }
  return withCatalog(ctx, path.app, 'read', planFor({ isLong: false, isUncounted: false }))
}

/** How a list is asked for. At first it is neither. */
interface Attempt {
  /** Whether it was too long with the record after it. */
  isLong: boolean
  /** Whether it took too long with its count. */
  isUncounted: boolean
}

/** Returns the statement of a list. */
function listOf(plan: ReadPlan | AggregationPlan, options: ListOptions): Sql<ListRow> {
  if (isInMongodb(plan.table)) return listElsewhere(plan, options.exactMax ?? 0)
  return 'keys' in plan ? renderAggregation(plan) : renderList(plan, options)
}

/** Reads a record with the related records of `populate`. Throws 404 if it does not exist. */
export const readRecord = (
  ctx: RequestContext,
  path: RecordPath,
  parameters: URLSearchParams,
): Promise<RecordBody> =>
  withCatalog(ctx, path.app, 'read', (present) => {
    const problems = new Problems()
    const { table, state, time } = readTarget(present, path, parameters, problems)
    const query = parseOneQuery(parameters, problems)
    ctx.readSchema = table.schemaHash
    const plan = planReadOne(state, path.record, query)
    problems.throwIfAny()
    if (!plan) throw recordNotFound(table.name, path.record)
    const statement = isInMongodb(table) ? oneElsewhere(plan) : renderOne(plan)
    return planOf({
      statements: { record: statement },
      async finish({ record: { first } }) {
        const row = first && (await answered(ctx, statement, first))
        if (!row?.data) throw recordNotFound(table.name, path.record)
        const version = time === undefined ? row.etag : null
        return asOne(row.data, version, plan, present.standing !== undefined)
      },
      errorOf: (failure) => computationError(failure, plan.annotations?.all ?? []),
    })
  })
