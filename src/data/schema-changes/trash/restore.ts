/** Restores deleted datatables with their records, edges and keys: completely, or not at all. D17. */

import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { DatabaseFailure, sqlstates } from '../../../kernel/db/failures.ts'
import { AppError, found, notFound, partNotFound } from '../../../kernel/errors.ts'
import { planOf, unlessKept, withCatalog } from '../../catalog/catalog.ts'
import type { TablePath } from '../../catalog/find-table.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import { isNameTaken, isPhysicalNameTaken } from '../../datatables/change-schema.ts'
import { requireMaterialized, resolveForeignKeys } from '../../datatables/foreign-keys.ts'
import type { Datatable } from '../../datatables/schema.ts'
import { lockTables, requireTableQuota, runStep, selectDatatablesByName } from '../../datatables/store.ts'
import { asDatatable, datatableAgain } from '../../datatables/views.ts'
import { remakeViews } from '../../guests/remake.ts'
import { appRulesFor } from '../../model/app-rules.ts'
import type { ResolvedKey } from '../../model/keys.ts'
import { physicalTableName } from '../../model/names.ts'
import type { TableSchema } from '../../model/schema-form.ts'
import { compileTable, type Table } from '../../model/table.ts'
import { schemaHash } from '../../model/table-schema.ts'
import { hasOwnCollection } from '../../providers/mongodb/capabilities.ts'
import { connectionOf } from '../../providers/mongodb/elsewhere.ts'
import { type DdlStep, sqlOf } from '../../providers/provider.ts'
import { recordingFailure } from '../recording-failure.ts'
import { retryOnLock } from '../retry-on-lock.ts'
import type { Change } from '../schema.ts'
import { shortLockTimeout } from '../store.ts'
import { asChange } from '../views.ts'
import { asideOf, outgoingKeys, restoreKey, restoreTable } from './aside.ts'
import { nameAgain, requireTargets } from './elsewhere.ts'
import { cannotBeRestored, nameTaken, physicalNameTaken } from './errors.ts'
import { type DeletedRow, moveBack, selectDeletedTogether } from './store.ts'
import { boundByIds, neededRows } from './targets.ts'

/** A deleted table, compiled as it will be in the app. */
interface Restoration {
  row: DeletedRow
  table: Table
}

interface RestorationPlan {
  /** The requested table is the first. */
  restorations: readonly Restoration[]
  /** The steps of the physical tables, each with the schema change that put its table aside. */
  steps: readonly { step: DdlStep; changeId: string | null }[]
}

/** The table to restore, if several have the name, and its new name. */
interface RestoreChoice {
  id?: number | undefined
  name?: string | undefined
}

/**
 * Restores the table of the path that was deleted last, or the one with the id. Also restores the tables that
 * were deleted together with it and that it references. Throws 404 if there is none, 409 if a name is taken,
 * and 422 if the table no longer fits the app, or the app has too many tables.
 */
export const restoreDatatable = (
  ctx: RequestContext,
  path: TablePath,
  choice: RestoreChoice,
): Promise<Datatable> => unlessKept(ctx, path.app, datatableAgain, () => examineAndRestore(ctx, path, choice))

async function examineAndRestore(
  ctx: RequestContext,
  path: TablePath,
  { id, name }: RestoreChoice,
): Promise<Datatable> {
  const { rows, plan } = await examineRestoration(ctx, path, { id, name })
  const steps = plan.steps.map(({ step }) => step)
  const restored = plan.restorations.map(({ table }) => table)
  const [table] = restored as [Table]
  await requireTargets(ctx, path.app, restored)
  const operation = {
    operation: 'rollback',
    description: `Restore table ${table.name}`,
    sql: steps.map(sqlOf).join('\n'),
  } as const
  return recordingFailure(ctx, { app: path.app, table, operation, steps }, () =>
    restore(ctx, path, rows, name),
  )
}

/** Returns the steps of a restoration without running them. */
export const planRestoration = async (
  ctx: RequestContext,
  path: TablePath,
  choice: RestoreChoice,
): Promise<Change[]> =>
  (await examineRestoration(ctx, path, choice)).plan.steps.map(({ step }) => asChange(step))

const examineRestoration = (
  ctx: RequestContext,
  path: TablePath,
  { id, name }: RestoreChoice,
): Promise<{ rows: readonly DeletedRow[]; plan: RestorationPlan }> =>
  withCatalog(ctx, path.app, 'read', (catalog) =>
    planOf({
      statements: {
        deleted: selectDeletedTogether(catalog.app.id, {
          name: path.table,
          datasource: path.datasource ?? null,
          id: id ?? null,
        }),
      },
      finish({ deleted: { first, all: rows } }) {
        found(first, () => partNotFound('deleted table', path.table, ` in the app "${path.app}"`))
        return { rows, plan: planFor({ catalog, rows, name, distinct: false }) }
      },
    }),
  )

async function restore(
  ctx: RequestContext,
  path: TablePath,
  rows: readonly DeletedRow[],
  name = rows[0]?.name ?? path.table,
): Promise<Datatable> {
  const attempt = (distinct: boolean) =>
    retryOnLock(() => commitRestoration(ctx, path.app, { rows, name, distinct }))
  try {
    return await attempt(false).catch((error) => {
      if (isPhysicalNameTaken(error)) return attempt(true)
      throw error
    })
  } catch (error) {
    if (isNameTaken(error)) throw nameTaken(name)
    if (isPhysicalNameTaken(error)) throw physicalNameTaken(name)
    if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.gone) throw notFound()
    throw error
  }
}

/** The tables to restore. */
interface RestorationInput {
  /** The requested table, and those that were deleted with it. */
  rows: readonly DeletedRow[]
  /** The new name of the requested table. */
  name: string | undefined
  /** True if another app has a table with the plain physical name. */
  distinct: boolean
}

const commitRestoration = (
  ctx: RequestContext,
  app: string,
  input: RestorationInput & { name: string },
): Promise<Datatable> =>
  withCatalog(
    ctx,
    app,
    'schema',
    (catalog) => {
      const { userId } = requireCaller(ctx)
      const { restorations, steps } = planFor({ catalog, ...input })
      const views = remakeViews(catalog, { restored: restorations.map(({ table }) => table) })
      const elsewhere = restorations
        .filter(({ row, table }) => row.is_materialized && hasOwnCollection(table))
        .map(({ table }) => table)
      const [first] = elsewhere
      return planOf({
        statements: {
          locked: lockTables(catalog.app.id),
          lockTimeout: shortLockTimeout,
          quota: requireTableQuota(ctx.config, catalog.app.id, restorations.length),
          viewsDropped: views.dropped,
          movedBack: restorations.map(({ row, table }) => moveBack(userId, row.deleted_at, table)),
          steps: steps.flatMap(({ step, changeId }) => runStep(userId, catalog.app.id, step, { changeId })),
          viewsCreated: views.created,
          datatable: selectDatatablesByName(catalog.app.id, [input.name]),
          reach: first && connectionOf(catalog.app.id, first.datasource.slug ?? ''),
        },
        async finish({ datatable, reach }) {
          if (first) await nameAgain(ctx, catalog, reach.one, elsewhere)
          return asDatatable(datatable.one)
        },
      })
    },
    datatableAgain,
  )

/** Plans a restoration. Throws 409 or 422 if a table does not fit the current app. */
function planFor({
  catalog,
  rows,
  name,
  distinct,
}: RestorationInput & { catalog: Catalog }): RestorationPlan {
  const [main] = rows as [DeletedRow]
  const names = new Map([[main.name, name ?? main.name]])
  const needed = neededRows(catalog, main, rows)
  const bound = (row: DeletedRow) => boundByIds(catalog, row, needed)
  const restorations = needed.map((row) => ({ row, table: tableFor(catalog, bound(row), names, distinct) }))
  const keys = restoredKeys(catalog, restorations)
  const keysOf = (table: Table) => keys.filter((key) => key.table === table)
  const aside = (table: Table) => asideOf(catalog.siteId, table)
  const isRestored = (table: Table) => restorations.some((one) => one.table === table)
  const physical = restorations.filter(({ row }) => row.is_materialized)
  if (physical.length === 1) {
    return {
      restorations,
      steps: physical.map(({ row, table }) => ({
        step: restoreTable(aside(table), table, keysOf(table)),
        changeId: row.migration_id,
      })),
    }
  }
  // All tables get their names back before the first key references one of them.
  const tableSteps = physical.map(({ row, table }) => ({
    step: restoreTable(aside(table), table, []),
    changeId: row.migration_id,
  }))
  const keySteps = physical.flatMap(({ row, table }) =>
    keysOf(table).map((key) => {
      const target = isRestored(key.referenced) ? aside(key.referenced) : key.referenced
      return { step: restoreKey(aside(table), key, target), changeId: row.migration_id }
    }),
  )
  return { restorations, steps: [...tableSteps, ...keySteps] }
}

/**
 * Compiles a deleted table. `names` maps old names of tables to new ones. Throws 409 if the name is taken.
 */
function tableFor(
  catalog: Catalog,
  row: DeletedRow,
  names: ReadonlyMap<string, string>,
  distinct: boolean,
): Table {
  const name = names.get(row.name) ?? row.name
  if (catalog.tables.has(name)) throw nameTaken(name)
  const { slug, providerType } = found(
    catalog.datasources.find((datasource) => datasource.id === row.data_source),
  )
  const schema = renameReferences(row.json_schema, row.name, names)
  return compileTable(catalog.siteId, {
    id: row.id,
    name,
    json_schema: schema,
    schema_hash: schema === row.json_schema ? row.schema_hash : schemaHash(schema),
    physical_table_name: physicalTableName(catalog.app.slug, name, distinct),
    is_materialized: row.is_materialized,
    datasource: { slug, providerType },
    source: null,
    app_rules: appRulesFor({ source: null, datasource: { slug, providerType } }, catalog.app.rules),
  })
}

/**
 * Adapts the foreign keys to renamed tables. A key to the table itself gets the empty name. Throws 422 if a
 * key references a missing table whose old name is now the name of a restored table.
 */
function renameReferences(
  schema: TableSchema,
  ownName: string,
  names: ReadonlyMap<string, string>,
): TableSchema {
  const keys = schema.foreignKeys ?? []
  const references = (resource: string) => keys.some(({ reference }) => reference.resource === resource)
  const changed = [...names].filter(([from, to]) => from !== to)
  for (const [, to] of changed)
    if (references(to)) throw cannotBeRestored(to, [`it references a table "${to}", which does not exist`])
  if (!changed.some(([from]) => references(from))) return schema
  const targetOf = (resource: string) => {
    const to = names.get(resource)
    if (to === undefined || to === resource) return resource
    return resource === ownName ? '' : to
  }
  return {
    ...schema,
    foreignKeys: keys.map((key) => ({
      ...key,
      reference: { ...key.reference, resource: targetOf(key.reference.resource) },
    })),
  }
}

/**
 * Returns the foreign keys to other tables, which the deletion dropped. Throws 422 if one does not resolve.
 */
function restoredKeys(catalog: Catalog, restorations: readonly Restoration[]): ResolvedKey[] {
  const tables = restorations.map(({ table }) => table)
  const outgoing = new Set(tables.flatMap(outgoingKeys))
  const [main] = tables as [Table]
  try {
    const keys = resolveForeignKeys(catalog, tables).filter(({ key }) => outgoing.has(key))
    requireMaterialized(keys, new Set())
    return keys
  } catch (error) {
    throw error instanceof AppError && error.status === 400
      ? cannotBeRestored(main.name, problemsOf(error))
      : error
  }
}

const problemsOf = ({ body }: AppError): string[] => (body as { json_schema: string[] }).json_schema
