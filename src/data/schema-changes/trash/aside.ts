/**
 * Steps that put a deleted table aside and restore it. While a table is aside, it has another name in
 * Postgres, and so have its constraints and indexes. Its foreign keys to other tables are dropped, so that
 * hidden records do not restrict those tables. D17.
 */
import type { Sql } from '../../../kernel/db/sql.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import { isToItself, type ResolvedKey } from '../../model/keys.ts'
import { trashedTableName } from '../../model/names.ts'
import { compileTable, type Table, tableRowOf } from '../../model/table.ts'
import { renameEdges } from '../../providers/ddl/edge-table.ts'
import { dropForeignKey } from '../../providers/ddl/objects.ts'
import { foreignKeyRisks } from '../../providers/ddl/risks.ts'
import { renameHistory } from '../../providers/history/history-table.ts'
import type { DdlStep, Provider } from '../../providers/provider.ts'
import { providers } from '../../providers/registry.ts'

/** Returns the table under the name that it has while it is aside. */
export const asideOf = (siteId: number, table: Table): Table =>
  compileTable(siteId, { ...tableRowOf(table), physical_table_name: trashedTableName(table.id) })

/** Returns the foreign keys of a table to other tables. */
export const outgoingKeys = (table: Table) =>
  (table.schema.foreignKeys ?? []).filter((key) => !isToItself(table, key))

/** Returns the ids of the tables that a table references, by the fields of its keys to other tables. */
export const targetIds = ({ tables }: Catalog, table: Table): Record<string, number> =>
  Object.fromEntries(
    outgoingKeys(table).flatMap(({ fields, reference }) => {
      const target = tables.get(reference.resource)
      return target ? [[fields.join(), target.id]] : []
    }),
  )

/** Plans the step that puts a table aside. */
export function putAside(catalog: Catalog, table: Table): DdlStep {
  const aside = asideOf(catalog.siteId, table)
  const keys = outgoingKeys(table).flatMap((key): ResolvedKey[] => {
    const referenced = catalog.tables.get(key.reference.resource)
    return referenced ? [{ table, key, referenced }] : []
  })
  return {
    table: table.name,
    operation: 'drop_table',
    description: `Put table ${table.name} aside`,
    statements: asideStatements(table, aside, keys),
    rollback: restoreStatements(aside, table, keys),
  }
}

/** Plans the step that restores a table that is aside. `keys` are its foreign keys to other tables. */
export const restoreTable = (aside: Table, restored: Table, keys: readonly ResolvedKey[]): DdlStep => ({
  table: restored.name,
  operation: 'rollback',
  description: `Restore table ${restored.name}`,
  statements: restoreStatements(aside, restored, keys),
  rollback: asideStatements(restored, aside, keys),
  risks: keys.flatMap(({ key, referenced }) => foreignKeyRisks(aside, key, referenced)),
})

/**
 * Plans the step that restores a foreign key between tables that are restored together. `target` is the
 * referenced table before the restoration.
 */
export const restoreKey = (
  aside: Table,
  { table, key, referenced }: ResolvedKey,
  target: Table,
): DdlStep => ({
  table: table.name,
  operation: 'rollback',
  description: `Restore the foreign key ${key.fields.join(', ')} of ${table.name}`,
  statements: providerOf(table).addForeignKey(table, key, referenced).statements,
  rollback: dropForeignKey(table, key, referenced),
  risks: foreignKeyRisks(aside, key, target),
})

/** `keys` are the foreign keys whose referenced table is known. */
const asideStatements = (table: Table, aside: Table, keys: readonly ResolvedKey[]): Sql[] => [
  ...outgoingKeys(table).flatMap((key) =>
    dropForeignKey(table, key, keys.find((one) => one.key === key)?.referenced),
  ),
  ...renameStatements(table, aside),
]

const restoreStatements = (aside: Table, table: Table, keys: readonly ResolvedKey[]): Sql[] => [
  ...renameStatements(aside, table),
  ...keys.flatMap(
    ({ key, referenced }) => providerOf(table).addForeignKey(table, key, referenced).statements,
  ),
]

function renameStatements(from: Table, to: Table): Sql[] {
  const edges = renameEdges(from, to)
  const history = renameHistory(from, to)
  return [
    ...edges.first,
    ...history.first,
    ...providerOf(from).renameTable(from, to),
    ...history.last,
    ...edges.last,
  ]
}

const providerOf = ({ datasource }: Table): Provider => providers.get(datasource.providerType) as Provider
