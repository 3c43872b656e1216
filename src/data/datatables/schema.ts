/** The bodies and parameters of datatables. */
import * as z from 'zod'
import { tableRecords } from '../../kernel/http/json-shape.ts'
import { type ListForm, type ListQuery, listQuery } from '../../kernel/http/lists/list.ts'
import { count, errorCode, id, provenance, timestamp } from '../../kernel/http/openapi/bodies.ts'
import { activeByDefault, booleanParam } from '../../kernel/http/params.ts'
import { withReadOnly } from '../../kernel/http/with-read-only.ts'
import { tableTotals } from '../catalog/schema.ts'

/** The orderings and the search of the list. */
export const listForm = {
  orderings: ['name', 'created_at', 'updated_at'],
  ordering: 'name',
  searched: 'the name',
  isWhole: true,
} as const satisfies ListForm

const deletedFields = ['deleted_at', 'drop_at'] as const

/** The same for the list that can also show deleted datatables. */
export const deletedListForm = {
  ...listForm,
  orderings: [...listForm.orderings, ...deletedFields],
  ordering: '-deleted_at',
} as const satisfies ListForm

/** The query parameters of creating a datatable. */
export const materializeQuery = z.object({
  materialize: booleanParam.default(false).describe('`true` also creates the physical table.'),
})

const deleted = booleanParam.default(false).meta({
  description: '`true` lists the deleted datatables that can be restored, by default the latest first.',
})

/** The query parameters of a list that can show deleted datatables. */
export interface DeletedQuery extends ListQuery {
  deleted: boolean
}

/** Rejects an ordering by the deletion for datatables that are not deleted. */
function checkOrdering({ deleted, ordering = [] }: DeletedQuery, refinement: z.RefinementCtx): void {
  const onlyDeleted: readonly string[] = deletedFields
  if (deleted || !ordering.some(({ field }) => onlyDeleted.includes(field))) return
  refinement.addIssue({
    code: 'custom',
    path: ['ordering'],
    message: 'Ordering by deletion requires deleted=true.',
  })
}

/** The query parameters of the tables of a datasource. */
export const tablesQuery = listQuery(listForm, {})

/** The query parameters of the datatables of a datasource. */
export const datasourceTablesQuery = listQuery(deletedListForm, { deleted }).superRefine(checkOrdering)

/** The query parameters of the datatables of an app. */
export const datatablesQuery = listQuery(deletedListForm, {
  deleted,
  datasource: z
    .string()
    .optional()
    .meta({ description: 'Only datatables of the datasource with this slug.' }),
  is_materialized: booleanParam
    .optional()
    .describe('Only datatables with (`true`) or without (`false`) a physical table.'),
  ...activeByDefault,
}).superRefine(checkOrdering)
/** The parsed query parameters of the datatables of an app. */
export type DatatablesQuery = z.infer<typeof datatablesQuery>

/** The body of a validation. The schema of the table decides about the rows. */
export const validationInput = z.strictObject({
  data: z
    .array(z.unknown().register(tableRecords, { isTable: true }))
    .describe('The rows to check. They are not stored.'),
})

/**
 * The body of `create_schema`: a Frictionless data package. Members that describe no schema are ignored. D7.
 */
export const packageInput = z.object({
  resources: z
    .array(
      z.object({
        name: z
          .string()
          .describe(
            'The name of the datatable. Capitals become lower case; ' +
              'hyphens, dots and spaces become underscores.',
          ),
        title: z.string().optional().describe('A title for people.'),
        description: z.string().max(2000).default('').describe('A description of the datatable.'),
        schema: z.unknown().describe('A Frictionless table schema.'),
      }),
    )
    .min(1)
    .max(200)
    .describe('The datatables to create, at most 200.'),
})
export type PackageInput = z.infer<typeof packageInput>

/** The query parameters of `create_schema`. */
export const packageQuery = z.object({
  materialize: booleanParam.default(false).describe('`true` also creates the physical tables.'),
  dry_run: booleanParam.default(false).describe('`true` creates nothing, and returns the planned steps.'),
  datasource: z
    .string()
    .optional()
    .describe(
      'The slug of the datasource. Default: the first `flat_table` datasource of the app, or a new one.',
    ),
})
/** The parsed query parameters of `create_schema`. */
export type PackageQuery = z.infer<typeof packageQuery>

/** A stored schema. See model/table-schema.ts for the members that are kept. */
const tableSchema = z
  .looseObject({
    fields: z
      .array(
        z.looseObject({
          name: z.string().describe('The name of the field.'),
          type: z.string().describe('The type of its values.'),
        }),
      )
      .describe('The fields.'),
    primaryKey: z.array(z.string()).describe('The fields of the primary key.'),
  })
  .meta({
    id: 'TableSchema',
    description: 'A Frictionless table schema: the fields, keys and indexes of a table.',
  })

/** The members that only references have. */
const reference = {
  provider_type: z.string().optional().describe('Only for references: how the source table is stored.'),
  schema_format: z
    .literal('frictionless')
    .optional()
    .describe('Only for references: the format of the schema.'),
  source_info: z
    .object({
      id: id.describe('The id of the table.'),
      app: z.string().describe('The slug of its app.'),
      table: z.string().describe('The name of the table.'),
      physical_table_name: z.string().describe('The name of its physical table.'),
    })
    .optional()
    .describe('Only for references: the source table.'),
}

/** Spec: Datatable. */
export const datatable = z
  .object({
    id: id.describe('The id of the datatable.'),
    data_source: id.nullable().describe('The id of its datasource; null for a reference.'),
    datasource_name: z.string().nullable().describe('The name of its datasource; null for a reference.'),
    datasource_slug: z.string().nullable().describe('The slug of its datasource; null for a reference.'),
    app_name: z.string().describe('The name of its app.'),
    app_slug: z.string().describe('The slug of its app.'),
    name: z.string().describe('The name, which paths contain.'),
    description: z.string().describe('A description.'),
    json_schema: tableSchema.describe('The schema of the table.'),
    physical_table_name: z.string().describe('The name of the table in Postgres.'),
    is_materialized: z.boolean().describe('Whether it has a physical table, and can have records.'),
    is_active: z.boolean().describe('Whether its datasource and its app are active.'),
    schema_hash: z.string().describe('The SHA-256 of the schema.'),
    field_count: count.describe('The number of fields.'),
    field_names: z.array(z.string()).describe('The names of the fields.'),
    primary_key: z.array(z.string()).describe('The fields of the primary key.'),
    ...reference,
    is_reference: z.boolean().describe('Whether it is a reference to a table of another app.'),
    findings: z
      .array(z.string())
      .optional()
      .describe(
        'Only for a new table of a collection of MongoDB: what of the sampled documents does not fit.',
      ),
    ...provenance,
  })
  .meta({ id: 'Datatable', description: 'A table of an app.' })
/** A datatable in full. */
export type Datatable = z.infer<typeof datatable>

/** The body of creating a datatable. model/table-schema.ts checks the `json_schema`. */
export const datatableInput = withReadOnly(
  {
    name: z.string(),
    description: z.string().max(2000).default(''),
    json_schema: z.unknown().optional().meta({
      type: 'object',
      description: 'A Frictionless table schema: fields, primary key, foreign keys, indexes.',
    }),
    collection: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Instead of `json_schema`, in a datasource of the type `mongodb`: a collection that is there ' +
          'already. The schema is proposed from its documents, and nothing in it is changed.',
      ),
    sample: z
      .int()
      .min(1)
      .max(10_000)
      .default(1_000)
      .describe('How many documents of the collection are read to propose the schema.'),
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
    is_reference: z.literal(true).optional().describe('Only present for references.'),
    deleted_at: timestamp
      .optional()
      .meta({ description: 'Only for deleted datatables: the time of the deletion.' }),
    deleted_by: id.optional().describe('Only for deleted datatables: the id of the account that deleted it.'),
    drop_at: timestamp
      .optional()
      .meta({ description: 'Only for deleted datatables: the time from which on it cannot be restored.' }),
  })
  .meta({ id: 'DatatableListItem', description: 'A datatable in a list.' })
export type DatatableListItem = z.infer<typeof datatableListItem>

export const schemaView = datatable
  .pick({ name: true, schema_hash: true, field_count: true })
  .extend({ schema: tableSchema.describe('The schema of the table.') })
export type SchemaView = z.infer<typeof schemaView>

/** The counts of the datatables of an app. */
export const datatableStats = tableTotals
  .extend({
    datasource_count: count.describe('The number of datasources.'),
    datasources: z
      .record(
        z.string(),
        z.object({
          name: z.string().describe('The name of the datasource.'),
          provider_type: z.string().describe('How tables are stored.'),
          table_count: count.describe('The number of its datatables.'),
          materialized_count: count.describe('The number of its datatables with a physical table.'),
        }),
      )
      .meta({ description: 'The counts of each datasource, by its slug.' }),
  })
  .meta({ id: 'DatatableStats', description: 'The counts of the datatables of an app.' })
/** The counts of the datatables of an app. */
export type DatatableStats = z.infer<typeof datatableStats>

/** The answer of a validation. */
export const validation = z
  .object({
    is_valid: z.boolean().describe('Whether all rows match the schema.'),
    errors: z.array(z.string()).describe('The problems.'),
    validated_rows: count.describe('The number of checked rows.'),
  })
  .meta({
    id: 'Validation',
    description:
      'The result of a validation. Each error begins with its row and field, ' +
      'for example `rows[3].price: …`.',
  })
/** The result of a validation. */
export type Validation = z.infer<typeof validation>

/** The error for deleting a table that others reference. D10. */
export const referenced = z
  .object({
    error: z.string().describe('The kind of failure.'),
    detail: z.string().describe('What failed.'),
    code: errorCode,
    referenced_by: z
      .array(z.string())
      .describe('The referencing tables: names, in other apps `<app>/<name>`.'),
  })
  .meta({
    id: 'Referenced',
    description: 'Other tables reference the table.',
  })
