/** Reading records: the rows of materialized datatables. Spec: Records; R1, R2, R7, R13. How they are written: create, update, upsert, delete. */
import type { RequestContext } from '../../context.ts'
import { withCatalog } from '../catalog.ts'
import { parseRecordQuery } from '../query/parse.ts'
import { planOne, planRead } from '../query/plan.ts'
import { Problems } from '../query/problems.ts'
import { renderList, renderOne } from '../query/render.ts'
import { recordNotFound } from './errors.ts'
import { materializedTable, type RecordPath, type RecordsPath } from './find-table.ts'
import { asList, asOne, type RecordBody, type RecordList } from './views.ts'

/** A page of records with their total. The text is the body. */
export const listRecords = (ctx: RequestContext, path: RecordsPath, parameters: URLSearchParams): Promise<RecordList> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = materializedTable(catalog, path)
    const problems = new Problems()
    const query = parseRecordQuery(parameters, problems)
    const plan = planRead(table, query, problems)
    problems.throwIfAny()
    return { statements: [renderList(plan)], finish: (results) => asList(results.one(), query, plan) }
  })

export const readRecord = (ctx: RequestContext, path: RecordPath): Promise<RecordBody> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = materializedTable(catalog, path)
    const where = planOne(table, path.record)
    if (!where) throw recordNotFound(table.name, path.record)
    return {
      statements: [renderOne(table, where)],
      finish(results) {
        const row = results.row<{ data: string; etag: string }>()
        if (!row) throw recordNotFound(table.name, path.record)
        return asOne(row)
      },
    }
  })
