import { z } from 'zod'
import { type ListQuery, listQuery } from '../../http/lists/list.ts'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'
import { flag, inactiveHidden } from '../../http/params.ts'
import { returnable } from '../../http/returnable.ts'
import { list } from './store.ts'
import { deletedList } from './trash/store.ts'

export const materializeQuery = z.object({ materialize: flag.default(false) })

/** D17 */
const deleted = flag.default(false).meta({ description: '`true` shows what was deleted and can be restored, the last one first.' })

export interface DeletedQuery extends ListQuery {
  deleted: boolean
}

function deletedOrder({ deleted, ordering = [] }: DeletedQuery, refinement: z.RefinementCtx): void {
  if (deleted || !ordering.some(({ field }) => deletedList.orderings.has(field) && !list.orderings.has(field))) return
  refinement.addIssue({
    code: 'custom',
    path: ['ordering'],
    message: 'Only deleted datatables, of deleted=true, can be ordered by when they were deleted.',
  })
}

export const tablesQuery = listQuery(list, {})

export const datasourceTablesQuery = listQuery(deletedList, { deleted }).superRefine(deletedOrder)

export const datatablesQuery = listQuery(deletedList, {
  deleted,
  datasource: z.string().optional().meta({ description: 'The slug of a datasource.' }),
  is_materialized: flag.optional(),
  ...inactiveHidden,
}).superRefine(deletedOrder)
export type DatatablesQuery = z.infer<typeof datatablesQuery>

/** The rows are judged by the table's schema. */
export const validationInput = z.strictObject({ data: z.array(z.unknown()) })

/** A Frictionless data package; what of it describes no schema is left aside. D7. */
export const packageInput = z.object({
  resources: z
    .array(
      z.object({
        name: z.string().meta({ description: 'That of the table: capitals become small, and hyphens, dots and spaces underscores.' }),
        title: z.string().optional(),
        description: z.string().max(2000).default(''),
        schema: z.unknown(),
      }),
    )
    .min(1)
    .max(200),
})
export type PackageInput = z.infer<typeof packageInput>

export const packageQuery = z.object({ materialize: flag.default(false), datasource: z.string().optional() })
export type PackageQuery = z.infer<typeof packageQuery>

/** What is kept of a `json_schema`: table-schema.ts. */
const tableSchema = z
  .looseObject({ fields: z.array(z.looseObject({ name: z.string(), type: z.string() })), primaryKey: z.array(z.string()) })
  .meta({ id: 'TableSchema', description: 'Fields, keys and indexes of a table, as a Frictionless table schema.' })

/** What only references have: tables of other apps under a name of this one. */
const reference = {
  provider_type: z.string().optional(),
  schema_format: z.literal('frictionless').optional(),
  source_info: z.object({ id, app: z.string(), table: z.string(), physical_table_name: z.string() }).optional(),
}

/** Spec: Datatable. */
export const datatable = z
  .object({
    id,
    /** A reference is in no datasource of its app. */
    data_source: id.nullable(),
    datasource_name: z.string().nullable(),
    datasource_slug: z.string().nullable(),
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
    ...reference,
    is_reference: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
    created_by: id,
    modified_by: id.nullable(),
  })
  .meta({ id: 'Datatable' })
export type Datatable = z.infer<typeof datatable>

/** The `json_schema` itself is checked by table-schema.ts, which knows how to say what is wrong with it. */
export const datatableInput = returnable({ name: z.string(), description: z.string().max(2000).default(''), json_schema: z.unknown() }, datatable)
export type DatatableInput = z.infer<typeof datatableInput>

export const datatableListItem = datatable
  .omit({
    data_source: true,
    description: true,
    json_schema: true,
    schema_hash: true,
    field_names: true,
    primary_key: true,
    created_by: true,
    modified_by: true,
  })
  .extend({
    is_reference: z.literal(true).optional(),
    deleted_at: timestamp.optional().meta({ description: 'This and what follows: of a deleted one alone.' }),
    deleted_by: id.optional(),
    drop_at: timestamp.optional().meta({ description: 'From then on it cannot be restored.' }),
  })
  .meta({ id: 'DatatableListItem' })
export type DatatableListItem = z.infer<typeof datatableListItem>

export const schemaView = datatable.pick({ name: true, schema_hash: true, field_count: true }).extend({ schema: tableSchema })
export type SchemaView = z.infer<typeof schemaView>

export const tableTotals = z.object({ total_tables: count, materialized_tables: count, unmaterialized_tables: count })
export type TableTotals = z.infer<typeof tableTotals>

export const datatableStats = tableTotals
  .extend({
    datasource_count: count,
    datasources: z
      .record(z.string(), z.object({ name: z.string(), provider_type: z.string(), table_count: count, materialized_count: count }))
      .meta({ description: 'By the slug of the datasource.' }),
  })
  .meta({ id: 'DatatableStats' })
export type DatatableStats = z.infer<typeof datatableStats>

export const validation = z
  .object({ is_valid: z.boolean(), errors: z.array(z.string()), validated_rows: count })
  .meta({ id: 'Validation', description: 'Each error begins with the row and the field it is about, as `rows[3].price: …`.' })
export type Validation = z.infer<typeof validation>

/** D10 */
export const referenced = z
  .object({ error: z.string(), detail: z.string(), referenced_by: z.array(z.string()) })
  .meta({ id: 'Referenced', description: 'What references the table: tables of its app by their names, references in other apps as `<app>/<name>`.' })
