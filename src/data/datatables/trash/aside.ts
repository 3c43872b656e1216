/**
 * The steps that put a deleted table aside and bring it back: it gets another name in Postgres, with all that is named
 * after it, and its foreign keys to other tables go, so that records which nobody sees keep none of another table. D17.
 */
import type { Sql } from '../../../db/sql.ts'
import type { Catalog } from '../../catalog.ts'
import { renameEdges } from '../../edges/ddl.ts'
import { dropForeignKey } from '../../providers/ddl/objects.ts'
import { foreignKeyRisks } from '../../providers/ddl/risks.ts'
import type { DdlStep, Provider } from '../../providers/provider.ts'
import { providers } from '../../providers/registry.ts'
import { asideName } from '../names.ts'
import { isToItself, type ResolvedKey } from '../references.ts'
import { compileTable, rowOf, type Table } from '../table.ts'

/** Returns a table as it is while it is aside. */
export const asideOf = (siteId: number, table: Table): Table => compileTable(siteId, { ...rowOf(table), physical_table_name: asideName(table.id) })

/** Returns the keys of a table that lead to others. */
export const outgoingKeys = (table: Table) => (table.schema.foreignKeys ?? []).filter((key) => !isToItself(table, key))

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
    statements: away(table, aside, keys),
    rollback: backAgain(aside, table, keys),
  }
}

/** `keys` are those of `restored` that lead to other tables. */
export const bringBack = (aside: Table, restored: Table, keys: readonly ResolvedKey[]): DdlStep => ({
  table: restored.name,
  operation: 'rollback',
  description: `Restore table ${restored.name}`,
  statements: backAgain(aside, restored, keys),
  rollback: away(restored, aside, keys),
  risks: keys.flatMap(({ key, referenced }) => foreignKeyRisks(aside, key, referenced)),
})

/** A key between tables that come back together. `target`: the table that it leads to, as it stands before. */
export const bringKeyBack = (aside: Table, { table, key, referenced }: ResolvedKey, target: Table): DdlStep => ({
  table: table.name,
  operation: 'rollback',
  description: `Restore the foreign key ${key.fields.join(', ')} of ${table.name}`,
  statements: providerOf(table).addForeignKey(table, key, referenced).statements,
  rollback: dropForeignKey(table, key, referenced),
  risks: foreignKeyRisks(aside, key, target),
})

/** `keys`: those whose table is known. */
const away = (table: Table, aside: Table, keys: readonly ResolvedKey[]): Sql[] => [
  ...outgoingKeys(table).flatMap((key) => dropForeignKey(table, key, keys.find((one) => one.key === key)?.referenced)),
  ...renamed(table, aside),
]

const backAgain = (aside: Table, table: Table, keys: readonly ResolvedKey[]): Sql[] => [
  ...renamed(aside, table),
  ...keys.flatMap(({ key, referenced }) => providerOf(table).addForeignKey(table, key, referenced).statements),
]

function renamed(from: Table, to: Table): Sql[] {
  const edges = renameEdges(from, to)
  return [...edges.first, ...providerOf(from).renameTable(from, to), ...edges.last]
}

const providerOf = ({ datasource }: Table): Provider => providers.get(datasource.providerType) as Provider
