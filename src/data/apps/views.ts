/** What clients see of an app. Spec: App. */
import type { App, AppListItem } from './schema.ts'

export type AppRow = App

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

export function asListItem(row: AppRow): AppListItem {
  const { table_count, datasources, ...item } = asApp(row)
  return item
}
