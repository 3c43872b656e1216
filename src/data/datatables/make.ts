/** The statements that make physical tables of datatables. D7. */
import type { RequestContext } from '../../context.ts'
import type { Sql } from '../../db/sql.ts'
import { signedIn } from '../../db/tenant.ts'
import type { Catalog } from '../catalog.ts'
import { providerUnavailable } from '../datasources/errors.ts'
import { createEdges } from '../edges/ddl.ts'
import { providers } from '../providers/registry.ts'
import { requireMaterialized, resolveForeignKeys } from './references.ts'
import { insertMigration, runStep } from './store.ts'
import type { Table } from './table.ts'

/** All tables first, then their foreign keys, which may form circles. Each step is a row of the history, and each table a migration. */
export function makeTables(ctx: RequestContext, catalog: Catalog, providerType: string, tables: readonly Table[]): Sql[] {
  const provider = providers.get(providerType)
  if (!provider) throw providerUnavailable(providerType, [...providers.keys()])
  const keys = resolveForeignKeys(catalog, tables)
  requireMaterialized(keys, new Set(tables))
  const { userId } = signedIn(ctx)
  const ids = new Map(tables.map(({ name }) => [name, crypto.randomUUID()]))
  const steps = [
    ...tables.flatMap((table) => [provider.createTable(table), ...createEdges(table)]),
    ...keys.map(({ table, key, referenced }) => provider.addForeignKey(table, key, referenced)),
  ]
  return [
    ...[...ids].map(([table, id]) => insertMigration(userId, catalog.app.id, { id, table, isMaterialized: false })),
    ...steps.flatMap((step) => runStep(userId, catalog.app.id, step, { migration: ids.get(step.table) as string })),
  ]
}
