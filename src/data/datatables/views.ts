/** What clients see of a datatable. Spec: Datatable. */
import type { TableSchema } from './table-schema.ts'

export interface DatatableRow {
  id: number
  data_source: number
  datasource_name: string
  datasource_slug: string
  app_name: string
  app_slug: string
  name: string
  description: string
  json_schema: TableSchema
  schema_hash: string
  physical_table_name: string
  is_materialized: boolean
  is_active: boolean
  created_at: string
  updated_at: string
  created_by: number
  modified_by: number | null
}

export const asDatatable = (row: DatatableRow) => ({
  id: row.id,
  data_source: row.data_source,
  datasource_name: row.datasource_name,
  datasource_slug: row.datasource_slug,
  app_name: row.app_name,
  app_slug: row.app_slug,
  name: row.name,
  description: row.description,
  json_schema: row.json_schema,
  physical_table_name: row.physical_table_name,
  is_materialized: row.is_materialized,
  is_active: row.is_active,
  schema_hash: row.schema_hash,
  field_count: row.json_schema.fields.length,
  field_names: row.json_schema.fields.map((field) => field.name),
  primary_key: row.json_schema.primaryKey,
  is_reference: false,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  modified_by: row.modified_by,
})

export const asListItem = (row: DatatableRow) => ({
  id: row.id,
  name: row.name,
  datasource_name: row.datasource_name,
  datasource_slug: row.datasource_slug,
  app_name: row.app_name,
  app_slug: row.app_slug,
  physical_table_name: row.physical_table_name,
  is_materialized: row.is_materialized,
  is_active: row.is_active,
  field_count: row.json_schema.fields.length,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
