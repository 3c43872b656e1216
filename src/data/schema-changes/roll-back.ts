/**
 * Rolls back schema changes. A change is rolled back as a whole, and only the latest change of a table can
 * be. D9.
 */

import type { RequestContext } from '../../kernel/context.ts'
import type { Rows } from '../../kernel/db/batch.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { sql } from '../../kernel/db/sql.ts'
import { AppError } from '../../kernel/errors.ts'
import { planOf, unlessKept, withCatalog } from '../catalog/catalog.ts'
import { tableNotFound } from '../catalog/errors.ts'
import { ownTableOf, type TablePath } from '../catalog/find-table.ts'
import { inboundKeys } from '../catalog/inbound-keys.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { selectDatatablesByName } from '../datatables/store.ts'
import { asDatatable, type DatatableRow } from '../datatables/views.ts'
import { remakeViews } from '../guests/remake.ts'
import { compileTable, type Table, tableRowOf } from '../model/table.ts'
import { refuseInMongodb } from '../providers/mongodb/capabilities.ts'
import type { DdlStep } from '../providers/provider.ts'
import {
  alreadyRolledBack,
  cannotRollBack,
  changeInProgress,
  laterChanges,
  operationNotFound,
  stillReferenced,
} from './errors.ts'
import { requireUnchanged } from './examine-change.ts'
import { cancelJob } from './jobs/store.ts'
import { lossesOf } from './losses.ts'
import { planSteps } from './plan-steps.ts'
import { recordingFailure } from './recording-failure.ts'
import { keptFields } from './renames.ts'
import { retryOnLock } from './retry-on-lock.ts'
import type { RollbackInput, RollbackPlan, RollbackQuery, RolledBack } from './schema.ts'
import {
  lockTable,
  type PastRow,
  type RevisionRow,
  rollBackChange,
  selectRevision,
  stopIfChanging,
} from './store.ts'
import { planRestoration, restoreDatatable } from './trash/restore.ts'

type Path = TablePath & { table: string }

/** A rollback of one schema change. */
interface Rollback {
  path: Path
  /** The id of the operation. */
  id: number
  /** The current table. */
  table: Table
  /** The table as it was before the change. */
  past: Table
  /** The old names of fields, by the names that the change gave them. */
  origins: ReadonlyMap<string, string>
  change: { id: string; script: string }
}

/**
 * Undoes the schema change that an operation belongs to: the schema and the physical table. Undoing a
 * deletion restores the table. `warnings` name the values that are lost. A dry run returns the plan. Throws
 * 404 for an unknown operation, 409 if later changes must be rolled back first, and 422 if the operation
 * cannot be undone.
 */
export const rollBack = (
  ctx: RequestContext,
  path: Path,
  input: RollbackInput,
  query: RollbackQuery,
): Promise<RolledBack | RollbackPlan> =>
  unlessKept(ctx, path.app, rolledBackAgain, () => examineAndRollBack(ctx, path, input, query))

async function examineAndRollBack(
  ctx: RequestContext,
  path: Path,
  { revision_id: id }: RollbackInput,
  { dry_run: isDryRun }: RollbackQuery,
): Promise<RolledBack | RollbackPlan> {
  const examined = await examineRollback(ctx, path, id)
  if ('runningId' in examined) {
    const description = `Cancel operation ${id}`
    return isDryRun
      ? {
          changes: [{ operation: 'rollback', description, sql: '', rollback_sql: '', destructive: false }],
          warnings: [],
        }
      : cancelChange(ctx, path, id)
  }
  if ('deletedId' in examined) {
    const choice = { id: examined.deletedId }
    return isDryRun
      ? { changes: await planRestoration(ctx, path, choice), warnings: [] }
      : restoreDatatable(ctx, path, choice)
  }
  const { rollback, steps, warnings } = examined
  const operation = {
    operation: 'rollback',
    description: `Roll back operation ${id}`,
    sql: rollback.change.script,
  } as const
  if (isDryRun) {
    const destructive = steps.some((step) => step.destructive)
    return { changes: [{ ...operation, rollback_sql: '', destructive }], warnings }
  }
  const attempt = { app: path.app, table: rollback.table, operation, steps }
  return recordingFailure(ctx, attempt, () => retryOnLock(() => commitRollback(ctx, rollback, warnings)))
}

interface ExaminedRollback {
  rollback: Rollback
  steps: DdlStep[]
  warnings: string[]
}

/** Examines a rollback. For an operation that deleted a table, returns the id of the table in the trash. */
const examineRollback = (
  ctx: RequestContext,
  path: Path,
  id: number,
): Promise<ExaminedRollback | { deletedId: number } | { runningId: number }> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = catalog.tables.has(path.table) ? ownTableOf(catalog, path) : undefined
    if (table) refuseInMongodb(table, 'rollback')
    return planOf({
      statements: { revision: selectRevision(catalog.app.id, path.table, table?.id ?? null, id) },
      finish({ revision: { first: row } }) {
        if (!row) throw table ? operationNotFound(id, table.name) : tableNotFound(path.table, path.app)
        const { deleted } = row
        if (row.status === 'rolled_back') throw alreadyRolledBack(id)
        if (row.status === 'running') return { runningId: id }
        if (deleted?.is_aside) return { deletedId: deleted.id }
        if (deleted) throw cannotRollBack(id, 'deleted a datatable that has since been dropped for good.')
        if (!table) throw tableNotFound(path.table, path.app)
        const change = changeToUndo(row, id, table)
        const rollback: Rollback = {
          path,
          id,
          table,
          past: tableBefore(catalog, table, change.before),
          origins: new Map(Object.entries(change.renames)),
          change,
        }
        const warnings = rollback.past.isMaterialized
          ? lossesOf(rollback.past, table, presentNames(table, rollback))
          : []
        return { rollback, steps: rollbackSteps(catalog, table, rollback), warnings }
      },
    })
  })

/**
 * Cancels a change that goes on as a job: it ends soon, and leaves the table as it was. Throws 422 if it is
 * over.
 */
const cancelChange = (ctx: RequestContext, path: Path, id: number): Promise<RolledBack> =>
  withCatalog(ctx, path.app, 'write', (catalog) =>
    planOf({
      statements: {
        cancelled: cancelJob(id),
        datatable: selectDatatablesByName(catalog.app.id, [path.table]),
      },
      finish({ cancelled, datatable }) {
        if (!cancelled.first) throw cannotRollBack(id, 'is over. Read the history again.')
        return asDatatable(datatable.one)
      },
    }),
  )

/** Returns the schema change of an operation. Throws the 409 or 422 that says why it cannot be undone. */
function changeToUndo(
  { status, operation_type, change, later }: RevisionRow,
  id: number,
  table: Table,
): NonNullable<RevisionRow['change']> {
  if (status === 'failed' || status === 'cancelled')
    throw cannotRollBack(id, `${status === 'failed' ? 'failed' : 'was cancelled'} and changed nothing.`)
  if (operation_type === 'rollback')
    throw cannotRollBack(id, 'is itself a rollback. Change the schema instead.')
  if (change === null) throw cannotRollBack(id, 'was recorded without the earlier state of the datatable.')
  if (change.physical_table_name !== table.physicalName)
    throw cannotRollBack(id, `was made when the physical table was named "${change.physical_table_name}".`)
  if (later.length > 0) throw laterChanges(later)
  return change
}

const tableBefore = (
  catalog: Catalog,
  table: Table,
  { json_schema, schema_hash, is_materialized }: PastRow,
): Table => compileTable(catalog.siteId, { ...tableRowOf(table), json_schema, schema_hash, is_materialized })

/**
 * Plans the steps of a rollback. A rollback runs the recorded SQL; these steps only show whether other tables
 * depend on the current schema, and, after a failure, which records broke the old one. Throws 409 or 422.
 */
function rollbackSteps(catalog: Catalog, table: Table, rollback: Rollback): DdlStep[] {
  const { id, past } = rollback
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
    const kept = presentNames(table, rollback)
    return planSteps({ catalog, before: table, after: past, kept, online: false })
  } catch (error) {
    // A table that the old schema references may have changed or disappeared.
    if (error instanceof AppError && error.status === 400)
      throw cannotRollBack(
        id,
        `would restore a schema that is no longer valid: ${JSON.stringify(error.body)}`,
      )
    throw error
  }
}

/** Maps the fields of the old schema that still exist to their present names. */
function presentNames(
  table: Table,
  { past, origins }: Pick<Rollback, 'past' | 'origins'>,
): Map<string, string> {
  const kept = keptFields(past.schema, table.schema, origins)
  return new Map('problems' in kept ? [] : [...kept].map(([name, origin]) => [origin, name]))
}

const commitRollback = (
  ctx: RequestContext,
  rollback: Rollback,
  warnings: readonly string[],
): Promise<RolledBack> =>
  withCatalog(
    ctx,
    rollback.path.app,
    'schema',
    (catalog) => {
      const table = requireUnchanged(catalog, rollback.path, rollback.table)
      // Throws if other tables have started to depend on the current schema.
      rollbackSteps(catalog, table, rollback)
      const { past } = rollback
      const views = remakeViews(catalog, past.isMaterialized ? { restored: [past] } : { removed: [table] })
      return planOf({
        statements: {
          changing: stopIfChanging([table]),
          locked: lockTable(table),
          viewsDropped: views.dropped,
          undone: rollBackChange(requireCaller(ctx).userId, rollback.change.id),
          viewsCreated: views.created,
          datatable: selectDatatablesByName(catalog.app.id, [table.name]),
          warnings: sql<{ warnings: string[] }>`select ${warnings}::text[] as warnings`,
        },
        finish(rows) {
          if (rows.changing.first) throw changeInProgress(table.name)
          return asRolledBack(rows)
        },
      })
    },
    rolledBackAgain,
  )

/** The rows of a rollback, or of the restoration of a table, which has no warnings. */
interface RolledBackRows {
  datatable: Rows<DatatableRow>
  warnings?: Rows<{ warnings: string[] }>
}

function asRolledBack({ datatable, warnings: rows }: RolledBackRows): RolledBack {
  const warnings = rows?.one.warnings ?? []
  return warnings.length > 0 ? { ...asDatatable(datatable.one), warnings } : asDatatable(datatable.one)
}

const rolledBackAgain = (rows: RolledBackRows) => ({ result: asRolledBack(rows) })
