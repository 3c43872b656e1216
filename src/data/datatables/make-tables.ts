/** Creates the physical tables of datatables. D7. */

import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { providerUnavailable } from '../datasources/errors.ts'
import { remakeViews } from '../guests/remake.ts'
import type { Table } from '../model/table.ts'
import { createEdges } from '../providers/ddl/edge-table.ts'
import { createHistory } from '../providers/history/history-table.ts'
import type { DdlStep } from '../providers/provider.ts'
import { providers } from '../providers/registry.ts'
import { requireMaterialized, resolveForeignKeys } from './foreign-keys.ts'
import { insertSchemaChange, runStep } from './store.ts'

/**
 * Returns the steps that create physical tables: first the tables, then their foreign keys, which may form
 * cycles. Throws 400 and 422 for foreign keys that do not resolve, and 422 for an unavailable provider.
 */
export function planTables(catalog: Catalog, providerType: string, tables: readonly Table[]): DdlStep[] {
  const provider = providers.get(providerType)
  if (!provider) throw providerUnavailable(providerType, [...providers.keys()])
  const keys = resolveForeignKeys(catalog, tables)
  requireMaterialized(keys, new Set(tables))
  return [
    ...tables.flatMap((table) => [
      provider.createTable(table),
      ...createEdges(table),
      ...createHistory(table),
    ]),
    ...keys.map(({ table, key, referenced }) => provider.addForeignKey(table, key, referenced)),
  ]
}

/**
 * Returns the statements that create physical tables. The history gets a row for each step, and a schema
 * change for each table. Throws as `planTables` does.
 */
export function makeTables(
  ctx: RequestContext,
  catalog: Catalog,
  providerType: string,
  tables: readonly Table[],
): Sql[] {
  const steps = planTables(catalog, providerType, tables)
  const { userId } = requireCaller(ctx)
  const made = tables.map((table) => ({ ...table, isMaterialized: true }))
  const views = remakeViews(catalog, { made })
  const ids = new Map(tables.map(({ name }) => [name, crypto.randomUUID()]))
  return [
    ...views.dropped,
    ...[...ids].map(([table, id]) =>
      insertSchemaChange(userId, catalog.app.id, { id, table, isMaterialized: false }),
    ),
    ...steps.flatMap((step) =>
      runStep(userId, catalog.app.id, step, { changeId: ids.get(step.table) as string }),
    ),
    ...views.created,
  ]
}
