/** The bodies and parameters of schema changes, their history and rollbacks. */
import * as z from 'zod'
import { identity } from '../../kernel/http/fixed-members.ts'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { count, errorDetail, id, timestamp, uuid } from '../../kernel/http/openapi/bodies.ts'
import { booleanParam } from '../../kernel/http/params.ts'
import { withFixed } from '../../kernel/http/with-read-only.ts'
import { datatable } from '../datatables/schema.ts'

/** The orderings and the search of the operation history. */
export const listForm = {
  orderings: ['id', 'created_at', 'operation_type', 'execution_time_ms'],
  ordering: '-id',
  searched: 'the description',
} as const satisfies ListForm

const follows = 'It follows from the schema: change `json_schema`.'
const elsewhere = 'Create a datatable in the other datasource.'

/** A datatable keeps its name and its place. What follows from the schema changes with it. */
const fixed = {
  ...identity,
  name: 'Paths contain it: create a datatable with the new name.',
  data_source: elsewhere,
  datasource_slug: elsewhere,
  app_slug: elsewhere,
  datasource_name: 'Change the name of the datasource.',
  app_name: 'Change the name of the app.',
  physical_table_name: 'The service gives it: omit it, or send it as it was read.',
  is_materialized: 'Materialize the datatable with `POST …/materialize/`.',
  is_active: 'Change `is_active` of its datasource, or delete or restore the datatable or its app.',
  is_reference: 'Create a reference with `POST …/datatables/import-reference/`.',
  provider_type: 'Change the table where it is: a reference is stored like its source.',
  schema_format: 'Schemas are Frictionless table schemas.',
  field_names: follows,
  primary_key: follows,
}

/** The body of PUT and PATCH. Omitted members stay unchanged with both. */
export const datatableUpdate = withFixed(
  fixed,
  {
    description: z.string().max(2000).optional(),
    json_schema: z.unknown().optional().describe('The complete new schema, as a Frictionless table schema.'),
  },
  datatable,
)
export type DatatableUpdate = z.infer<typeof datatableUpdate>

/** The query parameters of a change. D8. */
export const updateQuery = z.object({
  dry_run: booleanParam.default(false).describe('`true` changes nothing, and returns the planned steps.'),
  allow_data_loss: booleanParam
    .default(false)
    .describe('`true` allows steps that lose values of existing records.'),
})
/** The parsed query parameters of a change. */
export type UpdateQuery = z.infer<typeof updateQuery>

/** The query parameters of a change of access rules. */
export const accessQuery = z.object({
  dry_run: booleanParam.default(false).describe('`true` changes nothing, and returns the planned steps.'),
})

/** The query parameters of a replacement of the rules of an app. */
export const appAccessQuery = z.object({
  dry_run: booleanParam.default(false).describe('`true` changes nothing, and only checks the rules.'),
})

/** The body of a rollback. */
export const rollbackInput = z.strictObject({
  revision_id: z
    .int()
    .min(1)
    .describe('The id of an operation. All operations of its schema change are undone.'),
})
/** The operation to roll back. */
export type RollbackInput = z.infer<typeof rollbackInput>

/** The query parameters of a rollback. */
export const rollbackQuery = z.object({
  dry_run: booleanParam.default(false).describe('`true` changes nothing, and returns the plan.'),
})
/** The parsed query parameters of a rollback. */
export type RollbackQuery = z.infer<typeof rollbackQuery>

const statuses = ['success', 'failed', 'rolled_back', 'running', 'cancelled'] as const

/** The query parameters of the operation history. */
export const historyQuery = listQuery(listForm, {
  status: z.enum(statuses).optional().describe('Only operations with this status.'),
})
/** The parsed query parameters of the operation history. */
export type HistoryQuery = z.infer<typeof historyQuery>

const change = z
  .object({
    operation: z.string().describe('The kind of step.'),
    description: z.string().describe('A sentence that says what the step does.'),
    sql: z.string().describe('The SQL of the step.'),
    rollback_sql: z.string().describe('The SQL that undoes the step; empty if it cannot be undone.'),
    destructive: z.boolean().meta({ description: 'Whether the step loses values of existing records.' }),
    lost: z
      .object({
        count: count.describe('The number of values.'),
        examined: count
          .optional()
          .describe(
            'Only if examining all records would take longer than ten seconds: the number of those ' +
              'that were examined. The change counts the others.',
          ),
        samples: z
          .array(
            z.object({
              key: z.record(z.string(), z.json()).describe('The primary key of the record.'),
              value: z.string().describe('The value.'),
              becomes: z.string().describe('What it becomes.'),
            }),
          )
          .describe('Some of them.'),
      })
      .optional()
      .describe('Only for a conversion that loses values: those that, converted back, are other values.'),
    online: z
      .literal(true)
      .optional()
      .meta({
        description:
          'True if the step runs before the transaction, while records are read and written. During ' +
          'other steps of an existing table, its readers and writers wait.',
      }),
    blocks_ms: count
      .optional()
      .describe(
        'Only for a step of a large table that runs in the transaction and takes half a second or more: ' +
          'about how long its readers and writers wait, measured on a sample of its records.',
      ),
  })
  .meta({ id: 'SchemaChange', description: 'A planned step of a schema change.' })
/** A planned step. */
export type Change = z.infer<typeof change>

/** The answer of a dry run. D13. */
export const changes = z.object({
  changes: z.array(change).describe('The steps, in the order in which they would run.'),
})
/** The answer of a dry run that would create tables. */
export const creationPlan = changes.meta({
  id: 'CreationPlan',
  description: 'The steps that would create tables.',
})
/** The planned steps of a change. */
export type Changes = z.infer<typeof changes>

const warnings = z.array(z.string()).meta({ description: 'The values that the rollback cannot restore.' })

/** The answer of a rollback. `warnings` is present if values are lost. */
export const rolledBack = datatable
  .extend({ warnings: warnings.optional() })
  .meta({ id: 'RolledBackDatatable', description: 'A datatable after a rollback.' })
/** A datatable after a rollback. */
export type RolledBack = z.infer<typeof rolledBack>

/** The answer of a dry run of a rollback. */
export const rollbackPlan = changes.extend({ warnings })
export type RollbackPlan = z.infer<typeof rollbackPlan>

const primaryKey = z
  .record(z.string(), z.json())
  .meta({ description: 'The primary key of a record, by field.' })

const violation = z.object({
  fields: z.array(z.string()).describe('The fields concerned.'),
  rule: z.string().describe('The rule, for example `required` or `maxLength`.'),
  detail: z.string().describe('A sentence that says what is wrong.'),
  records: z
    .array(primaryKey)
    .meta({ description: 'The primary keys of at most ten records that break the rule.' }),
})
/** A rule that existing records break, with a sample of these. */
export type Violation = z.infer<typeof violation>

/** The error for records that do not fit the new schema. */
export const recordsBreakSchema = errorDetail
  .extend({ violations: z.array(violation).describe('The rules that existing records break.') })
  .meta({ id: 'SchemaViolations', description: 'Existing records do not fit the new schema.' })

const reference = z.object({
  table: z.string().describe('The referencing table.'),
  fields: z.array(z.string()).describe('The fields of its foreign key.'),
})

const fieldsReferenced = errorDetail.extend({
  referenced_by: z
    .array(
      reference.extend({
        referenced_fields: z.array(z.string()).describe('The referenced fields.'),
        problem: z.string().describe('Why the change is not possible.'),
      }),
    )
    .describe('The foreign keys that prevent the change.'),
})

/** The body of a 409 for a change of a schema. */
export const changeConflict = errorDetail
/** The body of a 422 for a change of a schema. */
export const changeErrors = z.union([
  errorDetail.extend({ changes: z.array(change).describe('The steps that would lose values.') }),
  recordsBreakSchema,
  fieldsReferenced,
  errorDetail,
])

/** The 409 of a rollback. */
export const rollbackConflict = z.union([
  errorDetail.extend({
    revisions: z.array(id).describe('The operations to roll back first, the latest first.'),
  }),
  errorDetail.extend({
    referenced_by: z.array(reference).describe('The foreign keys that prevent the rollback.'),
  }),
  errorDetail,
])
/** The 422 of a rollback. */
export const rollbackErrors = z.union([recordsBreakSchema, fieldsReferenced, errorDetail])

/** Spec: Migration operation status; D9. */
const operation = z
  .object({
    id: id.describe('The id, which a rollback takes as `revision_id`.'),
    operation_type: z
      .enum(['create_table', 'alter_table', 'drop_table', 'rollback'])
      .describe('The kind of operation.'),
    description: z.string().describe('A sentence that says what the step does.'),
    sql: z.string().describe('The SQL of the step.'),
    rollback_sql: z.string().describe('The SQL that undoes the step; empty if it cannot be undone.'),
    status: z.enum(statuses).describe('The result of the operation.'),
    execution_time_ms: count.describe('The duration in milliseconds.'),
    created_at: timestamp.describe('The time of the operation.'),
    progress: z
      .object({
        rows_done: count.describe('The number of records that the present step is through with.'),
        rows_total: count.describe('About how many records there are.'),
      })
      .optional()
      .describe('Only for a change of a large table that is running.'),
    migration_id: uuid
      .nullable()
      .meta({ description: 'The id of the schema change. Its operations are rolled back together.' }),
  })
  .meta({ id: 'Operation', description: 'A step of a schema change that was run, or a rollback.' })
/** An operation of the history. */
export type Operation = z.infer<typeof operation>

/** The answer of a change that takes long: it goes on as a job. D20. */
export const runningChange = datatable
  .extend({
    operation: z
      .object({
        id: id.describe('The id. A rollback of it cancels the change.'),
        status: z.literal('running').describe('The change goes on.'),
      })
      .describe('The operation of the history that shows how the change goes on.'),
  })
  .meta({ id: 'RunningChange', description: 'A datatable as it stands, while it is being changed.' })
/** A datatable as it stands, and the operation that changes it. */
export type RunningChange = z.infer<typeof runningChange>

/** A page of the operation history. */
export const operationHistory = z.object({
  data: z.array(operation).describe('The operations of the page, by default the latest first.'),
  total: count.describe('The number of operations on all pages.'),
  page: count.describe('The number of the page, counted from 1.'),
  page_size: count.describe('The maximum number of operations on a page.'),
})
/** A page of the operation history. */
export type OperationHistory = z.infer<typeof operationHistory>
