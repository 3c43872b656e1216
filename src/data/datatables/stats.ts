/** Counts the tables of an app and of its datasources in the catalog, without a query. */
import type { Catalog } from '../catalog/load-catalog.ts'
import { tablesOf, totalsOf } from '../catalog/stats.ts'
import type { DatatableStats } from './schema.ts'

/** Returns the counts of all tables of an app, including references, and of each datasource by its slug. */
export const asStats = (catalog: Catalog): DatatableStats => ({
  ...totalsOf([...catalog.tables.values()]),
  datasource_count: catalog.datasources.length,
  datasources: Object.fromEntries(
    catalog.datasources.map((datasource) => {
      const { total_tables, materialized_tables } = totalsOf(tablesOf(catalog, datasource))
      const { name, slug, providerType } = datasource
      return [
        slug,
        {
          name,
          provider_type: providerType,
          table_count: total_tables,
          materialized_count: materialized_tables,
        },
      ]
    }),
  ),
})
