/** The counts of tables, computed from the catalog. */
import type { Table } from '../model/table.ts'
import type { Catalog, Datasource } from './load-catalog.ts'
import type { TableTotals } from './schema.ts'

/** Counts tables with and without a physical table. */
export function totalsOf(tables: readonly Table[]): TableTotals {
  const materialized = tables.filter((table) => table.isMaterialized).length
  return {
    total_tables: tables.length,
    materialized_tables: materialized,
    unmaterialized_tables: tables.length - materialized,
  }
}

export const tablesOf = (catalog: Catalog, datasource: Datasource): Table[] =>
  [...catalog.tables.values()].filter((table) => table.datasource.slug === datasource.slug)
