import { z } from 'zod'
import { type ListQuery, listQuery } from '../../http/lists/list.ts'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'
import { flag, inactiveHidden } from '../../http/params.ts'
import { returnable } from '../../http/returnable.ts'
import { list } from './store.ts'
import { deletedList } from './trash/store.ts'

export const materializeQuery = z.object({ materialize: flag.default(false).describe('`true` makes the physical table at once.') })

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
  is_materialized: flag.optional().describe('`true` or `false` shows the datatables with or without a physical table.'),
  ...inactiveHidden,
}).superRefine(deletedOrder)
export type DatatablesQuery = z.infer<typeof datatablesQuery>

/** The rows are judged by the table's schema. */
export const validationInput = z.strictObject({ data: z.array(z.unknown()).describe('The rows. None of them is stored.') })

/** A Frictionless data package; what of it describes no schema is left aside. D7. */
export const packageInput = z.object({
  resources: z
    .array(
      z.object({
        name: z.string().describe('The name of the datatable. Capitals become small; hyphens, dots and spaces become underscores.'),
        title: z.string().optional().describe('A title for people.'),
        description: z.string().max(2000).default('').describe('A description for people.'),
        schema: z.unknown().describe('A Frictionless table schema.'),
      }),
    )
    .min(1)
    .max(200)
    .describe('The tables.'),
})
export type PackageInput = z.infer<typeof packageInput>

export const packageQuery = z.object({
  materialize: flag.default(false).describe('`true` makes the physical tables at once.'),
  datasource: z.string().optional().describe('The slug of the datasource. Omitted: the default one of the app.'),
})
export type PackageQuery = z.infer<typeof packageQuery>

/** What is kept of a `json_schema`: table-schema.ts. */
const tableSchema = z
  .looseObject({
    fields: z
      .array(z.looseObject({ name: z.string().describe('The name of the field.'), type: z.string().describe('The type of its values.') }))
      .describe('The fields.'),
    primaryKey: z.array(z.string()).describe('The fields of the primary key.'),
  })
  .meta({ id: 'TableSchema', description: 'Fields, keys and indexes of a table, as a Frictionless table schema.' })

/** What only references have: tables of other apps under a name of this one. */
const reference = {
  provider_type: z.string().optional().describe('Of a reference: how its table is stored.'),
  schema_format: z.literal('frictionless').optional().describe('Of a reference: the form of the schema.'),
  source_info: z
    .object({
      id: id.describe('The id of the table.'),
      app: z.string().describe('The slug of its app.'),
      table: z.string().describe('The name of the table.'),
      physical_table_name: z.string().describe('The name of its physical table.'),
    })
    .optional()
    .describe('The table that the reference leads to.'),
}

/** Spec: Datatable. */
export const datatable = z
  .object({
    id: id.describe('The id of the datatable.'),
    /** A reference is in no datasource of its app. */
    data_source: id.nullable().describe('The id of its datasource; null: it is a reference.'),
    datasource_name: z.string().nullable().describe('The name of its datasource; null: it is a reference.'),
    datasource_slug: z.string().nullable().describe('The slug of its datasource; null: it is a reference.'),
    app_name: z.string().describe('The name of its app.'),
    app_slug: z.string().describe('The slug of its app.'),
    name: z.string().describe('The name, which stands in paths.'),
    description: z.string().describe('A description for people.'),
    json_schema: tableSchema.describe('The schema of the table.'),
    physical_table_name: z.string().describe('The name of the table in Postgres.'),
    is_materialized: z.boolean().describe('Whether there is a physical table, and so records.'),
    is_active: z.boolean().describe('Whether it is in use.'),
    schema_hash: z.string().describe('The SHA-256 of the schema, which changes with it.'),
    field_count: count.describe('How many fields there are.'),
    field_names: z.array(z.string()).describe('The names of the fields.'),
    primary_key: z.array(z.string()).describe('The fields of the primary key.'),
    ...reference,
    is_reference: z.boolean().describe('Whether it leads to a table of another app.'),
    created_at: timestamp.describe('When it was created.'),
    updated_at: timestamp.describe('When it was last changed.'),
    created_by: id.describe('The id of the account that created it.'),
    modified_by: id.nullable().describe('The id of the account that changed it last; null: nobody.'),
  })
  .meta({ id: 'Datatable', description: 'A table of an app.' })
export type Datatable = z.infer<typeof datatable>

/** The `json_schema` itself is checked by table-schema.ts, which knows how to say what is wrong with it. */
export const datatableInput = returnable(
  {
    name: z.string(),
    description: z.string().max(2000).default(''),
    json_schema: z.unknown().describe('A Frictionless table schema: fields, primary key, foreign keys, indexes.'),
  },
  datatable,
)
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
    is_reference: z.literal(true).optional().describe('Only of what leads to a table of another app.'),
    deleted_at: timestamp.optional().meta({ description: 'This and what follows: of a deleted one alone.' }),
    deleted_by: id.optional().describe('The id of the account that deleted it.'),
    drop_at: timestamp.optional().meta({ description: 'From then on it cannot be restored.' }),
  })
  .meta({ id: 'DatatableListItem', description: 'A datatable in a list.' })
export type DatatableListItem = z.infer<typeof datatableListItem>

export const schemaView = datatable
  .pick({ name: true, schema_hash: true, field_count: true })
  .extend({ schema: tableSchema.describe('The schema of the table.') })
export type SchemaView = z.infer<typeof schemaView>

export const tableTotals = z.object({
  total_tables: count.describe('How many datatables there are.'),
  materialized_tables: count.describe('How many have a physical table.'),
  unmaterialized_tables: count.describe('How many have none.'),
})
export type TableTotals = z.infer<typeof tableTotals>

export const datatableStats = tableTotals
  .extend({
    datasource_count: count.describe('How many datasources there are.'),
    datasources: z
      .record(
        z.string(),
        z.object({
          name: z.string().describe('The name of the datasource.'),
          provider_type: z.string().describe('How tables are stored.'),
          table_count: count.describe('How many datatables it has.'),
          materialized_count: count.describe('How many of them have a physical table.'),
        }),
      )
      .meta({ description: 'By the slug of the datasource.' }),
  })
  .meta({ id: 'DatatableStats', description: 'How many tables there are.' })
export type DatatableStats = z.infer<typeof datatableStats>

export const validation = z
  .object({
    is_valid: z.boolean().describe('Whether all rows fit the schema.'),
    errors: z.array(z.string()).describe('What is wrong.'),
    validated_rows: count.describe('How many rows were checked.'),
  })
  .meta({ id: 'Validation', description: 'Each error begins with the row and the field it is about, as `rows[3].price: …`.' })
export type Validation = z.infer<typeof validation>

/** D10 */
export const referenced = z
  .object({
    error: z.string().describe('The kind of failure.'),
    detail: z.string().describe('What failed.'),
    referenced_by: z.array(z.string()).describe('What references the table.'),
  })
  .meta({ id: 'Referenced', description: 'What references the table: tables of its app by their names, references in other apps as `<app>/<name>`.' })
