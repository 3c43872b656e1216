/** Brings a deleted datatable back, with its records, edges and keys: all of it, or nothing changes. D17. */
import type { RequestContext } from '../../../context.ts'
import { DatabaseFailure, sqlstates } from '../../../db/failures.ts'
import { signedIn } from '../../../db/tenant.ts'
import { AppError, found, notFound } from '../../../errors.ts'
import { type Catalog, withCatalog } from '../../catalog.ts'
import { type DdlStep, sqlOf } from '../../providers/provider.ts'
import { isNameTaken, isPhysicalNameTaken } from '../change.ts'
import { explained } from '../migrations/explain.ts'
import { patiently } from '../migrations/patiently.ts'
import { lockBriefly } from '../migrations/store.ts'
import { physicalTableName } from '../names.ts'
import { type ResolvedKey, requireMaterialized, resolveForeignKeys } from '../references.ts'
import type { Datatable } from '../schema.ts'
import type { TablePath } from '../service.ts'
import { runStep, selectDatatablesByName } from '../store.ts'
import { compileTable, type Table } from '../table.ts'
import { schemaHash, type TableSchema } from '../table-schema.ts'
import { asDatatable, type DatatableRow } from '../views.ts'
import { asideOf, bringBack, outgoingKeys } from './aside.ts'
import { cannotBeRestored, nameTaken, physicalNameTaken } from './errors.ts'
import type { RestoreInput } from './schema.ts'
import { type DeletedRow, moveBack, selectDeleted } from './store.ts'

/** What becomes of a deleted table, as the app is now. */
interface Restoration {
  table: Table
  /** Undefined: it has no physical table. */
  step: DdlStep | undefined
}

/** Restores the table of this name that was deleted last, or the one of the id. */
export async function restoreDatatable(ctx: RequestContext, path: TablePath, { id, name }: RestoreInput): Promise<Datatable> {
  const { row, table, step } = await examine(ctx, path, id, name)
  const steps = step ? [step] : []
  const attempt = { operation: 'rollback', description: `Restore table ${table.name}`, sql: steps.map(sqlOf).join('\n') } as const
  return explained(ctx, { app: path.app, table, attempt, steps }, () => restore(ctx, path, row, name))
}

const examine = (ctx: RequestContext, path: TablePath, id: number | undefined, name: string | undefined) =>
  withCatalog(ctx, path.app, 'read', (catalog) => ({
    statements: [selectDeleted(catalog.app.id, { name: path.table, datasource: path.datasource ?? null, id: id ?? null })],
    finish(results) {
      const row = found(results.row<DeletedRow>())
      return { row, ...plan(catalog, row, name ?? row.name, false) }
    },
  }))

async function restore(ctx: RequestContext, path: TablePath, row: DeletedRow, name = row.name): Promise<Datatable> {
  const attempt = (distinct: boolean) => patiently(() => commit(ctx, path, row, name, distinct))
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

const commit = (ctx: RequestContext, path: TablePath, row: DeletedRow, name: string, distinct: boolean): Promise<Datatable> =>
  withCatalog(ctx, path.app, 'schema', (catalog) => {
    const { userId } = signedIn(ctx)
    const { table, step } = plan(catalog, row, name, distinct)
    return {
      statements: [
        lockBriefly,
        moveBack(userId, row.deleted_at, table),
        ...(step ? runStep(userId, catalog.app.id, step, { migration: row.migration_id }) : []),
        selectDatatablesByName(catalog.app.id, [name]),
      ],
      finish: (results) => asDatatable(results.one<DatatableRow>(-1)),
    }
  })

/** Throws the 409 or 422 that says why it does not fit the app as it is now. */
function plan(catalog: Catalog, row: DeletedRow, name: string, distinct: boolean): Restoration {
  if (catalog.tables.has(name)) throw nameTaken(name)
  const { slug, providerType } = found(catalog.datasources.find((datasource) => datasource.id === row.data_source))
  const schema = name === row.name ? row.json_schema : renamed(row.json_schema, row.name, name)
  const table = compileTable(catalog.siteId, {
    id: row.id,
    name,
    json_schema: schema,
    schema_hash: schema === row.json_schema ? row.schema_hash : schemaHash(schema),
    physical_table_name: physicalTableName(catalog.app.slug, name, distinct),
    is_materialized: row.is_materialized,
    datasource: { slug, providerType },
    source: null,
  })
  return { table, step: row.is_materialized ? bringBack(asideOf(catalog.siteId, table), table, keysOf(catalog, table)) : undefined }
}

/** A foreign key that leads to its own table by name leads there under another name, too. */
function renamed(schema: TableSchema, formerName: string, name: string): TableSchema {
  const keys = schema.foreignKeys ?? []
  const leadsTo = (resource: string) => keys.some(({ reference }) => reference.resource === resource)
  if (leadsTo(name)) throw cannotBeRestored(name, [`it references a table "${name}", which is not there`])
  if (!leadsTo(formerName)) return schema
  const foreignKeys = keys.map((key) => (key.reference.resource === formerName ? { ...key, reference: { ...key.reference, resource: '' } } : key))
  return { ...schema, foreignKeys }
}

/** The foreign keys to other tables, which have gone with the deletion. */
function keysOf(catalog: Catalog, table: Table): ResolvedKey[] {
  const outgoing = new Set(outgoingKeys(table))
  try {
    const keys = resolveForeignKeys(catalog, [table]).filter(({ key }) => outgoing.has(key))
    requireMaterialized(keys, new Set())
    return keys
  } catch (error) {
    throw error instanceof AppError && error.status === 400 ? cannotBeRestored(table.name, problemsOf(error)) : error
  }
}

const problemsOf = ({ body }: AppError): string[] => (body as { json_schema: string[] }).json_schema
