/** Deletes a datatable with its rows; of a reference it deletes the reference alone. D9, D10, D13. */
import type { RequestContext } from '../../context.ts'
import type { Sql } from '../../db/sql.ts'
import { signedIn } from '../../db/tenant.ts'
import { type Catalog, withCatalog } from '../catalog.ts'
import { dropEdges } from '../edges/ddl.ts'
import { providers } from '../providers/registry.ts'
import { datatableReferenced } from './errors.ts'
import type { ResolvedKey } from './references.ts'
import { type TablePath, tableOf } from './service.ts'
import { deleteDatatable as deleteRow, runStep } from './store.ts'
import type { Table } from './table.ts'

export const deleteDatatable = (ctx: RequestContext, path: TablePath): Promise<void> =>
  withCatalog(ctx, path.app, 'schema', (catalog) => {
    const table = tableOf(catalog, path)
    const dependents = dependentsOf(catalog, table)
    if (dependents.length > 0) throw datatableReferenced(table.name, dependents)
    const isPhysical = table.isMaterialized && !table.source
    return { statements: [...(isPhysical ? dropPhysical(ctx, catalog, table) : []), deleteRow(table.id)], finish: () => undefined }
  })

/** By name: tables with a foreign key to this one, whether or not they are materialized, and references to it. */
function dependentsOf(catalog: Catalog, table: Table): string[] {
  const active = [...catalog.tables.values()].filter(
    (other) => other !== table && !other.source && other.schema.foreignKeys?.some((key) => key.reference.resource === table.name),
  )
  const others = catalog.dependents.filter(({ on }) => on === table.name)
  return [...new Set([...active, ...others].map(({ name }) => name))]
}

function dropPhysical(ctx: RequestContext, catalog: Catalog, table: Table): Sql[] {
  const step = providers.get(table.datasource.providerType)?.dropTable(table, keysOf(catalog, table))
  const steps = step ? [...dropEdges(table), step] : []
  return steps.flatMap((one) => runStep(signedIn(ctx).userId, catalog.app.id, one, { migration: null }))
}

/** Its keys to tables that are there: what undoes the step can make no others. */
const keysOf = (catalog: Catalog, table: Table): ResolvedKey[] =>
  (table.schema.foreignKeys ?? []).flatMap((key) => {
    const { resource } = key.reference
    const referenced = resource === '' ? table : catalog.tables.get(resource)
    return referenced ? [{ table, key, referenced }] : []
  })
