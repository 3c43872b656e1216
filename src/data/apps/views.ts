/** What clients see of an app. Spec: App. */
export interface AppRow {
  id: number
  name: string
  slug: string
  description: string
  datasource_count: number
  table_count: number
  datasources: { id: number; name: string; slug: string; provider_type: string; table_count: number }[]
  created_at: string
  updated_at: string
  created_by: number
  modified_by: number | null
}

export const asApp = (row: AppRow) => ({
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

/** In lists: without the tables and the datasources themselves. */
export function asListItem(row: AppRow) {
  const { table_count, datasources, ...item } = asApp(row)
  return item
}
