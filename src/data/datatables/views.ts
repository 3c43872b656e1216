/** Creates the answers about datatables. Spec: Datatable. */
import type { Rows } from '../../kernel/db/batch.ts'
import { trashedTableName } from '../model/names.ts'
import type { TableSchema } from '../model/schema-form.ts'
import type { Datatable, DatatableListItem, SchemaView } from './schema.ts'

/**
 * A datatable as a row of the query. For a reference, it has the schema and the physical table of the source.
 */
export type DatatableRow = Omit<
  Datatable,
  | 'json_schema'
  | 'field_count'
  | 'field_names'
  | 'primary_key'
  | 'is_reference'
  | 'provider_type'
  | 'schema_format'
  | 'source_info'
> & {
  json_schema: TableSchema
  provider_type: string
  /** The id of the source of a reference; null for other tables. */
  source_id: number | null
  source_app: string
  source_name: string
}

/** Returns a datatable in full. */
export const asDatatable = (row: DatatableRow): Datatable => ({
  id: row.id,
  data_source: row.data_source,
  ...asPlace(row),
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
  ...(asReference(row) ?? { is_reference: false }),
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  modified_by: row.modified_by,
})

/** Creates the datatable of an earlier request from its rows. */
export const datatableAgain = ({ datatable }: { datatable: Rows<DatatableRow> }) => ({
  result: asDatatable(datatable.one),
})

/** Returns a datatable as a member of a list. */
export const asListItem = (row: DatatableRow): DatatableListItem => ({
  id: row.id,
  name: row.name,
  ...asPlace(row),
  physical_table_name: row.physical_table_name,
  is_materialized: row.is_materialized,
  is_active: row.is_active,
  field_count: row.json_schema.fields.length,
  ...asReference(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** A deleted datatable as a row of the query. */
export type DeletedRow = Pick<
  DatatableRow,
  | 'id'
  | 'name'
  | 'datasource_name'
  | 'datasource_slug'
  | 'app_name'
  | 'app_slug'
  | 'json_schema'
  | 'physical_table_name'
  | 'is_materialized'
  | 'created_at'
  | 'updated_at'
> &
  Required<Pick<DatatableListItem, 'deleted_at' | 'deleted_by' | 'drop_at'>>

/** Returns a deleted datatable as a member of a list. D17. */
export const asDeletedItem = (row: DeletedRow): DatatableListItem => ({
  id: row.id,
  name: row.name,
  datasource_name: row.datasource_name,
  datasource_slug: row.datasource_slug,
  app_name: row.app_name,
  app_slug: row.app_slug,
  physical_table_name: row.is_materialized ? trashedTableName(row.id) : row.physical_table_name,
  is_materialized: row.is_materialized,
  is_active: false,
  field_count: row.json_schema.fields.length,
  created_at: row.created_at,
  updated_at: row.updated_at,
  deleted_at: row.deleted_at,
  deleted_by: row.deleted_by,
  drop_at: row.drop_at,
})

export const asSchema = (row: DatatableRow): SchemaView => ({
  name: row.name,
  schema: row.json_schema,
  schema_hash: row.schema_hash,
  field_count: row.json_schema.fields.length,
})

const asPlace = (row: DatatableRow) => ({
  datasource_name: row.source_id === null ? row.datasource_name : null,
  datasource_slug: row.source_id === null ? row.datasource_slug : null,
  app_name: row.app_name,
  app_slug: row.app_slug,
})

/** Returns the members that only references have. */
const asReference = (row: DatatableRow) =>
  row.source_id === null
    ? undefined
    : {
        provider_type: row.provider_type,
        schema_format: 'frictionless' as const,
        is_reference: true as const,
        source_info: {
          id: row.source_id,
          app: row.source_app,
          table: row.source_name,
          physical_table_name: row.physical_table_name,
        },
      }
