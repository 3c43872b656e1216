import { z } from 'zod'
import { listQuery } from '../../../http/lists/list.ts'
import { count, errorDetail, id, timestamp, uuid } from '../../../http/openapi/bodies.ts'
import { flag } from '../../../http/params.ts'
import { returnable } from '../../../http/returnable.ts'
import { datatable } from '../schema.ts'
import { list } from './store.ts'

/** Each is optional, with PUT and with PATCH: what is left out stays as it is. */
export const datatableUpdate = returnable(
  {
    description: z.string().max(2000).optional(),
    json_schema: z.unknown().optional().describe('The whole new schema, as a Frictionless table schema.'),
  },
  datatable,
)
export type DatatableUpdate = z.infer<typeof datatableUpdate>

/** D8. */
export const updateQuery = z.object({
  dry_run: flag.default(false).describe('`true` changes nothing, and answers the steps that the change would take.'),
  allow_data_loss: flag.default(false).describe('`true` allows steps that lose values of records.'),
})
export type UpdateQuery = z.infer<typeof updateQuery>

export const rollbackInput = z.strictObject({
  revision_id: z.int().min(1).describe('The id of the operation that is undone; with it all of the same migration and all later ones.'),
})
export type RollbackInput = z.infer<typeof rollbackInput>

export const rollbackQuery = z.object({
  dry_run: flag.default(false).describe('`true` changes nothing, and answers the steps that the rollback would take.'),
})
export type RollbackQuery = z.infer<typeof rollbackQuery>

const statuses = ['success', 'failed', 'rolled_back'] as const

export const historyQuery = listQuery(list, { status: z.enum(statuses).optional().describe('Operations of this status.') })
export type HistoryQuery = z.infer<typeof historyQuery>

const change = z
  .object({
    operation: z.string().describe('The kind of step.'),
    description: z.string().describe('What the step does, in a sentence.'),
    sql: z.string().describe('The SQL of the step.'),
    rollback_sql: z.string().describe('The SQL that undoes it; empty: it cannot be undone.'),
    destructive: z.boolean().meta({ description: 'Values that records have are lost.' }),
  })
  .meta({ id: 'SchemaChange', description: 'A step of a change of a table.' })
export type Change = z.infer<typeof change>

/** What a dry run answers. D13. */
export const changes = z.object({ changes: z.array(change).describe('The steps, in the order in which they would be taken.') })
export type Changes = z.infer<typeof changes>

const warnings = z.array(z.string()).meta({ description: 'Values that records had and that do not come back.' })

/** `warnings`: where there are any. */
export const rolledBack = datatable.extend({ warnings: warnings.optional() }).meta({ id: 'RolledBackDatatable' })
export type RolledBack = z.infer<typeof rolledBack>

export const rollbackPlan = changes.extend({ warnings })
export type RollbackPlan = z.infer<typeof rollbackPlan>

const primaryKey = z.record(z.string(), z.json()).meta({ description: 'The primary key of a record.' })

const violation = z.object({
  fields: z.array(z.string()).describe('The fields concerned.'),
  rule: z.string().describe('The rule, as `required` or `maxLength`.'),
  detail: z.string().describe('What is wrong, in a sentence.'),
  records: z.array(primaryKey).meta({ description: 'Ten of the records at most.' }),
})
export type Violation = z.infer<typeof violation>

export const recordsBreakSchema = errorDetail
  .extend({ violations: z.array(violation).describe('The rules that records break.') })
  .meta({ id: 'SchemaViolations', description: 'Records do not fit the schema.' })

const reference = z.object({
  table: z.string().describe('The table that references.'),
  fields: z.array(z.string()).describe('Its fields that reference.'),
})

const fieldsReferenced = errorDetail.extend({
  referenced_by: z
    .array(
      reference.extend({
        referenced_fields: z.array(z.string()).describe('The fields that are referenced.'),
        problem: z.string().describe('Why the change is not possible.'),
      }),
    )
    .describe('The foreign keys that stand against the change.'),
})

export const changeConflict = errorDetail
export const changeRefusal = z.union([
  errorDetail.extend({ changes: z.array(change).describe('The steps, those that lose values among them.') }),
  recordsBreakSchema,
  fieldsReferenced,
  errorDetail,
])

export const rollbackConflict = z.union([
  errorDetail.extend({ revisions: z.array(id).describe('The ids of the operations that have to be undone first.') }),
  errorDetail.extend({ referenced_by: z.array(reference).describe('The foreign keys that stand against it.') }),
  errorDetail,
])
export const rollbackRefusal = z.union([recordsBreakSchema, fieldsReferenced, errorDetail])

/** Spec: Migration operation status; D9. */
const operation = z
  .object({
    id: id.describe('The id, by which the operation is rolled back.'),
    operation_type: z.enum(['create_table', 'alter_table', 'drop_table', 'rollback']).describe('The kind of operation.'),
    description: z.string().describe('What the step does, in a sentence.'),
    sql: z.string().describe('The SQL of the step.'),
    rollback_sql: z.string().describe('The SQL that undoes it; empty: it cannot be undone.'),
    status: z.enum(statuses).describe('What became of it.'),
    execution_time_ms: count.describe('How long it took, in milliseconds.'),
    created_at: timestamp.describe('When it was made.'),
    migration_id: uuid.nullable().meta({ description: 'Operations of one migration are rolled back together.' }),
  })
  .meta({ id: 'Operation', description: 'A step of a change of a table, as it was made.' })
export type Operation = z.infer<typeof operation>

export const operationHistory = z.object({
  data: z.array(operation).describe('The page, the newest operation first.'),
  total: count.describe('How many there are on all pages.'),
  page: count.describe('The number of the page, counted from 1.'),
  page_size: count.describe('How many a page has at most.'),
})
export type OperationHistory = z.infer<typeof operationHistory>
