/** What clients see of a datatable. Spec: Datatable. */
import type { Datatable, DatatableListItem } from './schema.ts'
import type { TableSchema } from './table-schema.ts'

export type DatatableRow = Omit<Datatable, 'json_schema' | 'field_count' | 'field_names' | 'primary_key' | 'is_reference'> & {
  json_schema: TableSchema
}

export const asDatatable = (row: DatatableRow): Datatable => ({
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

export const asListItem = (row: DatatableRow): DatatableListItem => ({
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
