/** Changes of datatables, their history, and the way back. Spec: Datatable, Migration operation status; D8, D9, D13. */
import type { RequestContext } from '../../../context.ts'
import { signedIn } from '../../../db/tenant.ts'
import { notFound } from '../../../errors.ts'
import { pageNumber, partOf } from '../../../http/lists/range.ts'
import { withCatalog } from '../../catalog.ts'
import { sqlOf } from '../../providers/provider.ts'
import type { Datatable } from '../schema.ts'
import { ownTableOf, type TablePath, tableOf } from '../service.ts'
import { selectDatatablesByName } from '../store.ts'
import { hasDeleted } from '../trash/store.ts'
import { asDatatable, type DatatableRow } from '../views.ts'
import { dataLoss } from './errors.ts'
import { examine, type SchemaChange } from './examine.ts'
import { explained } from './explain.ts'
import { online } from './online.ts'
import { patiently } from './patiently.ts'
import { commit } from './run.ts'
import type { Changes, DatatableUpdate, HistoryQuery, OperationHistory, UpdateQuery } from './schema.ts'
import { list, selectOperations, updateDescription } from './store.ts'
import { asChange, asOperation, type OperationRow } from './views.ts'

type Path = TablePath & { table: string }

/** Gives a datatable another description, another schema, or both. A materialized table is brought to the new schema, or stays as it is. */
export async function updateDatatable(ctx: RequestContext, path: Path, input: DatatableUpdate, query: UpdateQuery): Promise<Datatable | Changes> {
  const { description, json_schema } = input
  if (json_schema === undefined) {
    const datatable = await describe(ctx, path, query.dry_run ? undefined : description)
    return query.dry_run ? { changes: [] } : datatable
  }
  const change = await examine(ctx, path, json_schema)
  if (query.dry_run) return { changes: change.steps.map(asChange) }
  const losses = change.steps.filter(({ destructive }) => destructive)
  if (losses.length > 0 && !query.allow_data_loss) throw dataLoss(losses.map(asChange))
  if (change.steps.length === 0 && change.after.schemaHash === change.before.schemaHash) return describe(ctx, path, description)
  return migrate(ctx, change, description ?? null)
}

function migrate(ctx: RequestContext, change: SchemaChange, description: string | null): Promise<Datatable> {
  const { siteId, path, before, steps, hasLeftovers } = change
  const attempt = {
    operation: 'alter_table',
    description: `Change the schema of ${before.name}`,
    sql: steps.map(sqlOf).join('\n'),
  } as const
  const inTransaction = (aheadMs?: readonly number[]) => patiently(() => commit(ctx, change, description, aheadMs))
  const needsSession = hasLeftovers || steps.some(({ ahead }) => ahead)
  return explained(ctx, { app: path.app, table: before, attempt, steps }, () =>
    needsSession ? online(ctx, siteId, before, steps, inTransaction) : inTransaction(),
  )
}

/** `description` undefined: it stays. */
const describe = (ctx: RequestContext, path: Path, description: string | undefined): Promise<Datatable> =>
  withCatalog(ctx, path.app, description === undefined ? 'read' : 'write', (catalog) => {
    const table = ownTableOf(catalog, path)
    return {
      statements: [
        ...(description === undefined ? [] : [updateDescription(signedIn(ctx).userId, table.id, description)]),
        selectDatatablesByName(catalog.app.id, [table.name]),
      ],
      finish: (results) => asDatatable(results.one<DatatableRow>(-1)),
    }
  })

/** The last operation first. Those of a name whose table was deleted are shown as long as it can be restored. */
export const listOperations = (ctx: RequestContext, path: Path, query: HistoryQuery): Promise<OperationHistory> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const { table: name, datasource = null } = path
    const isThere = catalog.tables.has(name) && tableOf(catalog, path) !== undefined
    const part = partOf(query, list)
    return {
      statements: [...selectOperations(catalog.app.id, name, query), hasDeleted(catalog.app.id, { name, datasource, id: null })],
      finish(results) {
        if (!isThere && !results.one<{ exists: boolean }>(2).exists) throw notFound()
        const { count: total } = results.one<{ count: number }>(0)
        return { data: results.rows<OperationRow>(1).map(asOperation), total, page: pageNumber(part), page_size: part.limit }
      },
    }
  })
