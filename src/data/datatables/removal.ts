/** Deletes a datatable: puts it aside, or drops it with its records. Of a reference it deletes the reference alone. D9, D10, D13, D17. */
import type { RequestContext } from '../../context.ts'
import { DatabaseFailure, sqlstates } from '../../db/failures.ts'
import type { Sql } from '../../db/sql.ts'
import { signedIn } from '../../db/tenant.ts'
import { type Catalog, withCatalog } from '../catalog.ts'
import { dropEdges } from '../edges/ddl.ts'
import { providers } from '../providers/registry.ts'
import { datatableReferenced } from './errors.ts'
import { tableBusy } from './migrations/errors.ts'
import { patiently } from './migrations/patiently.ts'
import { lockTable } from './migrations/store.ts'
import { isToItself, type ResolvedKey } from './references.ts'
import { type TablePath, tableOf } from './service.ts'
import { deleteDatatable as deleteRow, insertMigration, runStep } from './store.ts'
import type { Table } from './table.ts'
import { putAside } from './trash/aside.ts'
import { moveAside } from './trash/store.ts'

/** `purge`: it cannot be restored. */
export async function deleteDatatable(ctx: RequestContext, path: TablePath, purge: boolean): Promise<void> {
  try {
    await patiently(() =>
      withCatalog(ctx, path.app, 'schema', (catalog) => {
        const table = tableOf(catalog, path)
        const dependents = dependentsOf(catalog, table)
        if (dependents.length > 0) throw datatableReferenced(table.name, dependents)
        return { statements: statementsOf(ctx, catalog, table, purge), finish: () => undefined }
      }),
    )
  } catch (error) {
    if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.lockNotAvailable) throw tableBusy(path.table)
    throw error
  }
}

function statementsOf(ctx: RequestContext, catalog: Catalog, table: Table, purge: boolean): Sql[] {
  if (table.source) return [deleteRow(table.id)]
  const lock = table.isMaterialized ? lockTable(table) : []
  return [...lock, ...(purge ? dropped(ctx, catalog, table) : movedAside(ctx, catalog, table))]
}

function movedAside(ctx: RequestContext, catalog: Catalog, table: Table): Sql[] {
  const { userId } = signedIn(ctx)
  const days = ctx.config.TRASH_DAYS
  if (!table.isMaterialized) return [moveAside(userId, table.id, null, days)]
  const migration = crypto.randomUUID()
  return [
    insertMigration(userId, catalog.app.id, { id: migration, table: table.name, isMaterialized: true, isDeletion: true }),
    ...runStep(userId, catalog.app.id, putAside(catalog, table), { migration }),
    moveAside(userId, table.id, migration, days),
  ]
}

function dropped(ctx: RequestContext, catalog: Catalog, table: Table): Sql[] {
  const step = table.isMaterialized ? providers.get(table.datasource.providerType)?.dropTable(table, keysOf(catalog, table)) : undefined
  const steps = step ? [...dropEdges(table), step] : []
  return [...steps.flatMap((one) => runStep(signedIn(ctx).userId, catalog.app.id, one, { migration: null })), deleteRow(table.id)]
}

/** By name: tables with a foreign key to this one, whether or not they are materialized, and references to it. */
function dependentsOf(catalog: Catalog, table: Table): string[] {
  const active = [...catalog.tables.values()].filter(
    (other) => other !== table && !other.source && other.schema.foreignKeys?.some((key) => key.reference.resource === table.name),
  )
  const others = catalog.dependents.filter(({ on }) => on === table.name)
  return [...new Set([...active, ...others].map(({ name }) => name))]
}

/** Its keys to tables that are there: what undoes the step can make no others. */
const keysOf = (catalog: Catalog, table: Table): ResolvedKey[] =>
  (table.schema.foreignKeys ?? []).flatMap((key) => {
    const referenced = isToItself(table, key) ? table : catalog.tables.get(key.reference.resource)
    return referenced ? [{ table, key, referenced }] : []
  })
