/** The way back: a migration is undone as a whole, the last one of its table first. D9. */
import type { RequestContext } from '../../../context.ts'
import { signedIn } from '../../../db/tenant.ts'
import { AppError, notFound } from '../../../errors.ts'
import { type Catalog, withCatalog } from '../../catalog.ts'
import type { DdlStep } from '../../providers/provider.ts'
import type { Datatable } from '../schema.ts'
import { ownTableOf, type TablePath } from '../service.ts'
import { selectDatatablesByName } from '../store.ts'
import { compileTable, rowOf, type Table } from '../table.ts'
import { planRestoration, restoreDatatable } from '../trash/restore.ts'
import { asDatatable, type DatatableRow } from '../views.ts'
import { laterChanges, nothingToRollBack, operationNotFound, rolledBackAlready, stillReferenced } from './errors.ts'
import { unchanged } from './examine.ts'
import { explained } from './explain.ts'
import { lossesOf } from './losses.ts'
import { patiently } from './patiently.ts'
import { inboundKeys, planMigration } from './plan.ts'
import { keptFields } from './renames.ts'
import type { RollbackInput, RollbackPlan, RollbackQuery, RolledBack } from './schema.ts'
import { lockTable, type PastRow, type RevisionRow, rollBackMigration, selectRevision } from './store.ts'

type Path = TablePath & { table: string }

interface Undoing {
  path: Path
  id: number
  /** As it is. */
  table: Table
  /** As it was. */
  past: Table
  /** What fields were called, by the names that they have. */
  origins: ReadonlyMap<string, string>
  migration: { id: string; script: string }
}

/**
 * Undoes the migration that an operation belongs to. The datatable's schema goes back with its table; `warnings` say which
 * values do not.
 */
export async function rollBack(
  ctx: RequestContext,
  path: Path,
  { revision_id: id }: RollbackInput,
  { dry_run: isDry }: RollbackQuery,
): Promise<RolledBack | RollbackPlan> {
  const examined = await examineRollback(ctx, path, id)
  if ('deletedId' in examined) {
    const which = { id: examined.deletedId }
    return isDry ? { changes: await planRestoration(ctx, path, which), warnings: [] } : restoreDatatable(ctx, path, which)
  }
  const { undoing, steps, warnings } = examined
  const told = warnings.length > 0 ? { warnings } : {}
  if (isDry) {
    const destructive = steps.some((step) => step.destructive)
    const change = { operation: 'rollback', description: `Roll back operation ${id}`, sql: undoing.migration.script, rollback_sql: '', destructive }
    return { changes: [change], warnings }
  }
  const attempt = { operation: 'rollback', description: `Roll back operation ${id}`, sql: undoing.migration.script } as const
  const datatable = await explained(ctx, { app: path.app, table: undoing.table, attempt, steps }, () => patiently(() => undo(ctx, undoing)))
  return { ...datatable, ...told }
}

interface Examined {
  undoing: Undoing
  steps: DdlStep[]
  warnings: string[]
}

/** Of an operation that deleted a table, its id: what undoes it is to restore it. */
const examineRollback = (ctx: RequestContext, path: Path, id: number): Promise<Examined | { deletedId: number }> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = catalog.tables.has(path.table) ? ownTableOf(catalog, path) : undefined
    return {
      statements: [selectRevision(catalog.app.id, path.table, table?.id ?? null, id)],
      finish(results) {
        const row = results.row<RevisionRow>()
        if (!row) throw table ? operationNotFound(id, table.name) : notFound()
        const { migration, deleted } = row
        if (row.status === 'rolled_back') throw rolledBackAlready(id)
        if (deleted?.is_aside) return { deletedId: deleted.id }
        if (deleted) throw nothingToRollBack(id, 'deleted a datatable that has been dropped for good.')
        if (!table) throw notFound()
        if (row.status === 'failed') throw nothingToRollBack(id, 'failed, and changed nothing.')
        if (row.operation_type === 'rollback') throw nothingToRollBack(id, 'is a rollback itself: change the schema instead.')
        if (migration === null) throw nothingToRollBack(id, 'was recorded without what the datatable was before it.')
        if (migration.physical_table_name !== table.physicalName)
          throw nothingToRollBack(id, `was made when the table was called "${migration.physical_table_name}" in Postgres.`)
        if (row.later.length > 0) throw laterChanges(row.later)
        const undoing: Undoing = {
          path,
          id,
          table,
          past: tableBefore(catalog, table, migration.before),
          origins: new Map(Object.entries(migration.renames)),
          migration,
        }
        const warnings = undoing.past.isMaterialized ? lossesOf(undoing.past, table, keptBack(table, undoing)) : []
        return { undoing, steps: stepsBack(catalog, table, undoing), warnings }
      },
    }
  })

const tableBefore = (catalog: Catalog, table: Table, { json_schema, schema_hash, is_materialized }: PastRow): Table =>
  compileTable(catalog.siteId, { ...rowOf(table), json_schema, schema_hash, is_materialized })

/**
 * What undoing comes to. The SQL that is run is what was recorded; the steps tell whether others stand in the way, and
 * afterwards which records did.
 */
function stepsBack(catalog: Catalog, table: Table, undoing: Undoing): DdlStep[] {
  const { id, past } = undoing
  if (!past.isMaterialized) {
    const inbound = inboundKeys(catalog, table)
    if (inbound.length > 0)
      throw stillReferenced(
        table.name,
        inbound.map((key) => ({ table: key.table.name, fields: key.key.fields })),
      )
    return []
  }
  try {
    return planMigration(catalog, table, past, keptBack(table, undoing), false)
  } catch (error) {
    // What the schema of then leads to may be another today, or no more.
    if (error instanceof AppError && error.status === 400)
      throw nothingToRollBack(id, `would bring back a schema that holds no more: ${JSON.stringify(error.body)}`)
    throw error
  }
}

/** The fields of then that are still there, with the names that they have. */
function keptBack(table: Table, { past, origins }: Pick<Undoing, 'past' | 'origins'>): Map<string, string> {
  const forward = keptFields(past.schema, table.schema, origins)
  return new Map('problems' in forward ? [] : [...forward].map(([name, origin]) => [origin, name]))
}

const undo = (ctx: RequestContext, undoing: Undoing): Promise<Datatable> =>
  withCatalog(ctx, undoing.path.app, 'schema', (catalog) => {
    const table = unchanged(catalog, undoing.path, undoing.table)
    stepsBack(catalog, table, undoing)
    return {
      statements: [
        ...lockTable(table),
        rollBackMigration(signedIn(ctx).userId, undoing.migration.id),
        selectDatatablesByName(catalog.app.id, [table.name]),
      ],
      finish: (results) => asDatatable(results.one<DatatableRow>(-1)),
    }
  })
