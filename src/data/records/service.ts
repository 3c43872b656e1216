/** Records: the rows of materialized datatables. Spec: Records; R1–R9. */
import type { RequestContext } from '../../context.ts'
import { malformedJson } from '../../errors.ts'
import { type Catalog, withCatalog } from '../catalog.ts'
import { notMaterialized } from '../datatables/errors.ts'
import { tableOf } from '../datatables/service.ts'
import type { Table } from '../datatables/table.ts'
import { providers } from '../providers/registry.ts'
import { parseRecordQuery } from '../query/parse.ts'
import { planOne, planRead } from '../query/plan.ts'
import { Problems } from '../query/problems.ts'
import { renderList, renderOne } from '../query/render.ts'
import { recordNotFound, tooManyRows } from './errors.ts'
import { refusalOf } from './failures.ts'
import { checkRecords, type JsonRecord } from './validate.ts'
import { asCreated, asList, asOne, type RecordList } from './views.ts'

export interface RecordsPath {
  app: string
  table: string
}

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

export const readRecord = (ctx: RequestContext, path: RecordsPath, id: string): Promise<string> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = materializedTable(catalog, path)
    const where = planOne(table, id)
    if (!where) throw recordNotFound(table.name, id)
    return {
      statements: [renderOne(table, where)],
      finish(results) {
        const row = results.row<{ data: string }>()
        if (!row) throw recordNotFound(table.name, id)
        return asOne(row.data)
      },
    }
  })

const rowsMax = 10_000

/** Creates one record, or all of an array by one statement: every one, or none. `body` is the request's text. */
export async function createRecords(ctx: RequestContext, path: RecordsPath, body: string): Promise<string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    throw malformedJson()
  }
  const bulk = Array.isArray(parsed)
  const records = (bulk ? parsed : [parsed]) as JsonRecord[]
  if (records.length > rowsMax) throw tooManyRows(rowsMax)
  let table: Table | undefined
  try {
    return await withCatalog(ctx, path.app, 'write', (catalog) => {
      table = materializedTable(catalog, path)
      const given = checkRecords(table, records, bulk)
      const provider = providers.get(table.datasource.providerType)
      return {
        statements: provider?.insertRecords(table, bulk ? body : `[${body}]`, records.length, given) ?? [],
        finish: (results) => asCreated(results.one<{ data: string }>(-1).data, bulk),
      }
    })
  } catch (failure) {
    throw (table && refusalOf(failure, table, records, bulk)) ?? failure
  }
}

function materializedTable(catalog: Catalog, path: RecordsPath): Table {
  const table = tableOf(catalog, path)
  if (!table.isMaterialized) throw notMaterialized(table.name)
  return table
}
