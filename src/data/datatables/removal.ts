/** Deletes a datatable: puts it aside, or drops it with its records. Of a reference it deletes the reference alone. D9, D10, D13, D17. */
import type { RequestContext } from '../../context.ts'
import { DatabaseFailure, sqlstates } from '../../db/failures.ts'
import type { Sql } from '../../db/sql.ts'
import { signedIn } from '../../db/tenant.ts'
import { type Catalog, withCatalog } from '../catalog.ts'
import { dropEdges } from '../edges/ddl.ts'
import { drop as dropKey } from '../providers/ddl/object-steps.ts'
import { foreignKeyOf } from '../providers/ddl/objects.ts'
import type { DdlStep } from '../providers/provider.ts'
import { providers } from '../providers/registry.ts'
import { datatableReferenced } from './errors.ts'
import { tableBusy } from './migrations/errors.ts'
import { patiently } from './migrations/patiently.ts'
import { lockTable } from './migrations/store.ts'
import { asChange } from './migrations/views.ts'
import { isToItself, type ResolvedKey } from './references.ts'
import { type TablePath, tableOf } from './service.ts'
import { deleteDatatable as deleteRow, insertMigration, runStep } from './store.ts'
import type { Table } from './table.ts'
import { putAside } from './trash/aside.ts'
import type { DeletionPlan, DeletionQuery } from './trash/schema.ts'
import { moveAside } from './trash/store.ts'

/** `purge`: it cannot be restored. `cascade`: what of the app references it goes, too. Answers what would be done, if that is all that is asked. */
export async function deleteDatatable(ctx: RequestContext, path: TablePath, asked: DeletionQuery): Promise<DeletionPlan | undefined> {
  try {
    return await patiently(() =>
      withCatalog(ctx, path.app, 'schema', (catalog) => {
        const tables = deletedWith(catalog, tableOf(catalog, path), asked.cascade)
        if (asked.dry_run) return { statements: [], finish: () => planOf(catalog, tables, asked.purge) }
        return { statements: statementsOf(ctx, catalog, tables, asked.purge), finish: () => undefined }
      }),
    )
  } catch (error) {
    if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.lockNotAvailable) throw tableBusy(path.table)
    throw error
  }
}

/** The table and what goes with it: what references a table before that table, as far as there is no circle. Throws the 409. */
function deletedWith(catalog: Catalog, table: Table, cascade: boolean): Table[] {
  const found = new Set([table])
  if (cascade) for (const one of found) for (const other of referencing(catalog, one)) found.add(other)
  const tables = [...found].toReversed()
  for (const one of tables) {
    const dependents = [
      ...referencing(catalog, one).filter((other) => !found.has(other)),
      ...catalog.dependents.filter(({ on }) => on === one.name),
    ].map(({ name }) => name)
    if (dependents.length > 0) throw datatableReferenced(one.name, [...new Set(dependents)])
  }
  return tables
}

/** The tables of the app with a foreign key to this one, whether or not they are materialized. */
const referencing = (catalog: Catalog, table: Table): Table[] =>
  [...catalog.tables.values()].filter(
    (other) => other !== table && !other.source && other.schema.foreignKeys?.some((key) => key.reference.resource === table.name),
  )

const planOf = (catalog: Catalog, tables: readonly Table[], purge: boolean): DeletionPlan => ({
  datatables: tables.map(({ name }) => name),
  changes: tables
    .filter(({ isMaterialized, source }) => isMaterialized && !source)
    .flatMap((table) => stepsOf(catalog, table, tables, purge).map(asChange)),
})

function statementsOf(ctx: RequestContext, catalog: Catalog, tables: readonly Table[], purge: boolean): Sql[] {
  const materialized = tables.filter((table) => table.isMaterialized && !table.source)
  const remove = purge ? dropped : movedAside
  return [
    ...materialized.flatMap(lockTable),
    ...tables.flatMap((table) => (table.source ? [deleteRow(table.id)] : remove(ctx, catalog, table, tables))),
  ]
}

function movedAside(ctx: RequestContext, catalog: Catalog, table: Table, tables: readonly Table[]): Sql[] {
  const { userId } = signedIn(ctx)
  const days = ctx.config.TRASH_DAYS
  if (!table.isMaterialized) return [moveAside(userId, table.id, null, days)]
  const migration = crypto.randomUUID()
  return [
    insertMigration(userId, catalog.app.id, { id: migration, table: table.name, isMaterialized: true, isDeletion: true }),
    ...stepsOf(catalog, table, tables, false).flatMap((step) => runStep(userId, catalog.app.id, step, { migration })),
    moveAside(userId, table.id, migration, days),
  ]
}

function dropped(ctx: RequestContext, catalog: Catalog, table: Table, tables: readonly Table[]): Sql[] {
  const steps = table.isMaterialized ? stepsOf(catalog, table, tables, true) : []
  return [...steps.flatMap((one) => runStep(signedIn(ctx).userId, catalog.app.id, one, { migration: null })), deleteRow(table.id)]
}

/** Of a circle, the first table to be dropped is still referenced by the others: their keys go before. */
function stepsOf(catalog: Catalog, table: Table, tables: readonly Table[], purge: boolean): DdlStep[] {
  if (!purge) return [putAside(catalog, table)]
  const provider = providers.get(table.datasource.providerType)
  const isFirst = tables.find(({ isMaterialized }) => isMaterialized) === table
  const released = isFirst ? tables.filter((other) => other.isMaterialized).flatMap((other) => releasedKeys(catalog, other, tables)) : []
  return [...released, ...dropEdges(table), ...(provider ? [provider.dropTable(table, keysOf(catalog, table))] : [])]
}

const releasedKeys = (catalog: Catalog, table: Table, tables: readonly Table[]): DdlStep[] =>
  keysOf(catalog, table).flatMap(({ key, referenced }) =>
    referenced === table || !tables.includes(referenced) ? [] : [dropKey(table, foreignKeyOf(table, key, referenced))],
  )

/** Its keys to tables that are there: what undoes the step can make no others. */
const keysOf = (catalog: Catalog, table: Table): ResolvedKey[] =>
  (table.schema.foreignKeys ?? []).flatMap((key) => {
    const referenced = isToItself(table, key) ? table : catalog.tables.get(key.reference.resource)
    return referenced ? [{ table, key, referenced }] : []
  })
