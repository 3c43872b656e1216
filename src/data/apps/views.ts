/** Creates the answers about apps. Spec: App. */

import type { Catalog } from '../catalog/load-catalog.ts'
import { tablesOf, totalsOf } from '../catalog/stats.ts'
import type { App, AppListItem, AppStats } from './schema.ts'

/** An app as a row of the query. */
export type AppRow = App

/** Returns an app in full. */
export const asApp = (row: AppRow): App => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  datasource_count: row.datasource_count,
  table_count: row.table_count,
  datasources: row.datasources,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  modified_by: row.modified_by,
})

/** Returns an app as a member of a list. */
export function asListItem(row: AppRow): AppListItem {
  const { table_count, datasources, ...item } = asApp(row)
  return item
}

/** Returns the counts of the datasources and tables of an app. */
export const asStats = (catalog: Catalog): AppStats => ({
  app_name: catalog.app.name,
  app_slug: catalog.app.slug,
  total_datasources: catalog.datasources.length,
  ...totalsOf([...catalog.tables.values()]),
  datasources: catalog.datasources.map((datasource) => {
    const { total_tables, materialized_tables } = totalsOf(tablesOf(catalog, datasource))
    return {
      name: datasource.name,
      slug: datasource.slug,
      provider_type: datasource.providerType,
      total_tables,
      materialized_tables,
    }
  }),
})
