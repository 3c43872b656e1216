/** How many tables there are. Read off the catalog: no rows are counted. */
import type { Catalog, Datasource } from '../catalog.ts'
import type { DatatableStats, TableTotals } from './schema.ts'
import type { Table } from './table.ts'

export function totalsOf(tables: readonly Table[]): TableTotals {
  const materialized = tables.filter((table) => table.isMaterialized).length
  return { total_tables: tables.length, materialized_tables: materialized, unmaterialized_tables: tables.length - materialized }
}

export const tablesOf = (catalog: Catalog, datasource: Datasource): Table[] =>
  [...catalog.tables.values()].filter((table) => table.datasource.slug === datasource.slug)

/** Of all tables of an app, references among them, and of each datasource by its slug. */
export const asStats = (catalog: Catalog): DatatableStats => ({
  ...totalsOf([...catalog.tables.values()]),
  datasource_count: catalog.datasources.length,
  datasources: Object.fromEntries(
    catalog.datasources.map((datasource) => {
      const { total_tables, materialized_tables } = totalsOf(tablesOf(catalog, datasource))
      const { name, slug, providerType } = datasource
      return [slug, { name, provider_type: providerType, table_count: total_tables, materialized_count: materialized_tables }]
    }),
  ),
})
