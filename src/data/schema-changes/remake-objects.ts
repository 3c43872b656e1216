/** Makes what the service generates for an app again: views and functions of guests, triggers, statistics. */
import type { Sql } from '../../kernel/db/sql.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { remakeViews } from '../guests/remake.ts'
import type { Table } from '../model/table.ts'
import { edgeTriggers } from '../providers/ddl/edge-table.ts'
import { createStatistics } from '../providers/ddl/statistics.ts'
import { keyTriggers } from '../providers/ddl/trigger-keys.ts'
import { historyTriggers } from '../providers/history/history-table.ts'

/** Returns the statements, in their order. The catalog has all tables of the app. */
export function remakeObjects(
  catalog: Catalog,
): Record<'dropped' | 'triggers' | 'statistics' | 'created', Sql[]> {
  const { dropped, created } = remakeViews(catalog, {})
  const tables = [...catalog.tables.values()].filter(
    ({ isMaterialized, source }) => isMaterialized && source === null,
  )
  return {
    dropped,
    triggers: tables.flatMap((table) => triggersOf(catalog, table)),
    statistics: tables.flatMap(createStatistics),
    created,
  }
}

function triggersOf({ tables }: Catalog, table: Table): Sql[] {
  const keys = (table.schema.foreignKeys ?? []).flatMap((key) => {
    const { resource } = key.reference
    const referenced = resource === '' ? table : tables.get(resource)
    return referenced ? keyTriggers({ table, key, referenced }) : []
  })
  return [...historyTriggers(table), ...edgeTriggers(table), ...keys]
}
