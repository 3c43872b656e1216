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
import type { Change } from '../migrations/schema.ts'
import { lockBriefly } from '../migrations/store.ts'
import { asChange } from '../migrations/views.ts'
import { physicalTableName } from '../names.ts'
import { type ResolvedKey, requireMaterialized, resolveForeignKeys } from '../references.ts'
import type { Datatable } from '../schema.ts'
import type { TableSchema } from '../schema-form.ts'
import type { TablePath } from '../service.ts'
import { runStep, selectDatatablesByName } from '../store.ts'
import { compileTable, type Table } from '../table.ts'
import { schemaHash } from '../table-schema.ts'
import { asDatatable, type DatatableRow } from '../views.ts'
import { asideOf, bringBack, bringKeyBack, outgoingKeys } from './aside.ts'
import { cannotBeRestored, nameTaken, physicalNameTaken } from './errors.ts'
import { type DeletedRow, moveBack, selectDeletedTogether } from './store.ts'

/** What becomes of a deleted table, as the app is now. */
interface Restoration {
  row: DeletedRow
  table: Table
}

interface Plan {
  /** The table that is asked for is the first. */
  restored: readonly Restoration[]
  /** Of those that have a physical table, each with the migration that put it aside. */
  steps: readonly { step: DdlStep; migration: string | null }[]
}

interface Which {
  id?: number | undefined
  name?: string | undefined
}

/**
 * Restores the table of this name that was deleted last, or the one of the id. Tables that were deleted together come back
 * together as far as they need each other: where a key leads to one.
 */
export async function restoreDatatable(ctx: RequestContext, path: TablePath, { id, name }: Which): Promise<Datatable> {
  const { rows, plan } = await examine(ctx, path, { id, name })
  const steps = plan.steps.map(({ step }) => step)
  const { table } = plan.restored[0] as Restoration
  const attempt = { operation: 'rollback', description: `Restore table ${table.name}`, sql: steps.map(sqlOf).join('\n') } as const
  return explained(ctx, { app: path.app, table, attempt, steps }, () => restore(ctx, path, rows, name))
}

/** The steps of a restoration that is not made. */
export const planRestoration = async (ctx: RequestContext, path: TablePath, which: Which): Promise<Change[]> =>
  (await examine(ctx, path, which)).plan.steps.map(({ step }) => asChange(step))

const examine = (ctx: RequestContext, path: TablePath, { id, name }: Which): Promise<{ rows: DeletedRow[]; plan: Plan }> =>
  withCatalog(ctx, path.app, 'read', (catalog) => ({
    statements: [selectDeletedTogether(catalog.app.id, { name: path.table, datasource: path.datasource ?? null, id: id ?? null })],
    finish(results) {
      const rows = results.rows<DeletedRow>()
      found(rows[0])
      return { rows, plan: planFor(catalog, rows, name, false) }
    },
  }))

async function restore(ctx: RequestContext, path: TablePath, rows: readonly DeletedRow[], name = rows[0]?.name ?? path.table): Promise<Datatable> {
  const attempt = (distinct: boolean) => patiently(() => commit(ctx, path, rows, name, distinct))
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

const commit = (ctx: RequestContext, path: TablePath, rows: readonly DeletedRow[], name: string, distinct: boolean): Promise<Datatable> =>
  withCatalog(ctx, path.app, 'schema', (catalog) => {
    const { userId } = signedIn(ctx)
    const { restored, steps } = planFor(catalog, rows, name, distinct)
    return {
      statements: [
        lockBriefly,
        ...restored.map(({ row, table }) => moveBack(userId, row.deleted_at, table)),
        ...steps.flatMap(({ step, migration }) => runStep(userId, catalog.app.id, step, { migration })),
        selectDatatablesByName(catalog.app.id, [name]),
      ],
      finish: (results) => asDatatable(results.one<DatatableRow>(-1)),
    }
  })

/** `rows`: the table and those that were deleted with it. Throws the 409 or 422 that says why it does not fit the app as it is now. */
function planFor(catalog: Catalog, rows: readonly DeletedRow[], name: string | undefined, distinct: boolean): Plan {
  const [main] = rows as [DeletedRow]
  const names = new Map([[main.name, name ?? main.name]])
  const restored = neededOf(catalog, main, rows).map((row) => ({ row, table: tableFor(catalog, row, names, distinct) }))
  const keys = keysOf(catalog, restored)
  const own = (table: Table) => keys.filter((key) => key.table === table)
  const aside = (table: Table) => asideOf(catalog.siteId, table)
  const isRestored = (table: Table) => restored.some((one) => one.table === table)
  const physical = restored.filter(({ row }) => row.is_materialized)
  if (physical.length === 1) {
    return { restored, steps: physical.map(({ row, table }) => ({ step: bringBack(aside(table), table, own(table)), migration: row.migration_id })) }
  }
  // All have their names again before any key leads to one.
  const renames = physical.map(({ row, table }) => ({ step: bringBack(aside(table), table, []), migration: row.migration_id }))
  const added = physical.flatMap(({ row, table }) =>
    own(table).map(({ key, referenced }) => ({
      step: bringKeyBack(aside(table), { table, key, referenced }, isRestored(referenced) ? aside(referenced) : referenced),
      migration: row.migration_id,
    })),
  )
  return { restored, steps: [...renames, ...added] }
}

/** The table, and those deleted with it that its keys lead to, and theirs, where the app has none of that name. */
function neededOf(catalog: Catalog, main: DeletedRow, rows: readonly DeletedRow[]): DeletedRow[] {
  const needed = new Set([main])
  for (const { json_schema } of needed) {
    for (const { reference } of json_schema.foreignKeys ?? []) {
      const row = catalog.tables.has(reference.resource) ? undefined : rows.find((candidate) => candidate.name === reference.resource)
      if (row) needed.add(row)
    }
  }
  return [...needed]
}

/** `names`: what tables are called from now on, by what they were called. */
function tableFor(catalog: Catalog, row: DeletedRow, names: ReadonlyMap<string, string>, distinct: boolean): Table {
  const name = names.get(row.name) ?? row.name
  if (catalog.tables.has(name)) throw nameTaken(name)
  const { slug, providerType } = found(catalog.datasources.find((datasource) => datasource.id === row.data_source))
  const schema = renamed(row.json_schema, row.name, names)
  return compileTable(catalog.siteId, {
    id: row.id,
    name,
    json_schema: schema,
    schema_hash: schema === row.json_schema ? row.schema_hash : schemaHash(schema),
    physical_table_name: physicalTableName(catalog.app.slug, name, distinct),
    is_materialized: row.is_materialized,
    datasource: { slug, providerType },
    source: null,
  })
}

/** A foreign key that leads to a table by name leads there under its other name, too; one to its own table, by no name. */
function renamed(schema: TableSchema, ownName: string, names: ReadonlyMap<string, string>): TableSchema {
  const keys = schema.foreignKeys ?? []
  const leadsTo = (resource: string) => keys.some(({ reference }) => reference.resource === resource)
  const changed = [...names].filter(([from, to]) => from !== to)
  for (const [, to] of changed) if (leadsTo(to)) throw cannotBeRestored(to, [`it references a table "${to}", which is not there`])
  if (!changed.some(([from]) => leadsTo(from))) return schema
  const target = (resource: string) => {
    const to = names.get(resource)
    return to === undefined || to === resource ? resource : resource === ownName ? '' : to
  }
  return { ...schema, foreignKeys: keys.map((key) => ({ ...key, reference: { ...key.reference, resource: target(key.reference.resource) } })) }
}

/** The foreign keys to other tables, which have gone with the deletion. */
function keysOf(catalog: Catalog, restored: readonly Restoration[]): ResolvedKey[] {
  const tables = restored.map(({ table }) => table)
  const outgoing = new Set(tables.flatMap(outgoingKeys))
  const [main] = tables as [Table]
  try {
    const keys = resolveForeignKeys(catalog, tables).filter(({ key }) => outgoing.has(key))
    requireMaterialized(keys, new Set())
    return keys
  } catch (error) {
    throw error instanceof AppError && error.status === 400 ? cannotBeRestored(main.name, problemsOf(error)) : error
  }
}

const problemsOf = ({ body }: AppError): string[] => (body as { json_schema: string[] }).json_schema
