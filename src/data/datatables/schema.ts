import { z } from 'zod'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'

/** The `json_schema` itself is checked by table-schema.ts, which knows how to say what is wrong with it. */
export const datatableInput = z.strictObject({
  name: z.string(),
  description: z.string().max(2000).default(''),
  json_schema: z.unknown(),
})
export type DatatableInput = z.infer<typeof datatableInput>

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

export const materializeQuery = z.object({ materialize: flag })

/** A Frictionless data package; what of it describes no schema is left aside. D7. */
export const packageInput = z.object({
  resources: z
    .array(z.object({ name: z.string(), description: z.string().max(2000).default(''), schema: z.unknown() }))
    .min(1)
    .max(200),
})
export type PackageInput = z.infer<typeof packageInput>

export const packageQuery = z.object({ materialize: flag, datasource: z.string().optional() })
export type PackageQuery = z.infer<typeof packageQuery>

/** What is kept of a `json_schema`: table-schema.ts. */
const tableSchema = z
  .looseObject({ fields: z.array(z.looseObject({ name: z.string(), type: z.string() })), primaryKey: z.array(z.string()) })
  .meta({ id: 'TableSchema', description: 'Fields, keys and indexes of a table, as a Frictionless table schema.' })

/** Spec: Datatable. */
export const datatable = z
  .object({
    id,
    data_source: id,
    datasource_name: z.string(),
    datasource_slug: z.string(),
    app_name: z.string(),
    app_slug: z.string(),
    name: z.string(),
    description: z.string(),
    json_schema: tableSchema,
    physical_table_name: z.string(),
    is_materialized: z.boolean(),
    is_active: z.boolean(),
    schema_hash: z.string(),
    field_count: count,
    field_names: z.array(z.string()),
    primary_key: z.array(z.string()),
    is_reference: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
    created_by: id,
    modified_by: id.nullable(),
  })
  .meta({ id: 'Datatable' })
export type Datatable = z.infer<typeof datatable>

export const datatableListItem = datatable
  .omit({
    data_source: true,
    description: true,
    json_schema: true,
    schema_hash: true,
    field_names: true,
    primary_key: true,
    is_reference: true,
    created_by: true,
    modified_by: true,
  })
  .meta({ id: 'DatatableListItem' })
export type DatatableListItem = z.infer<typeof datatableListItem>
