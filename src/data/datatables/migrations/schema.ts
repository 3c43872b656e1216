import { z } from 'zod'
import { listQuery } from '../../../http/lists/list.ts'
import { count, errorDetail, id, timestamp, uuid } from '../../../http/openapi/bodies.ts'
import { flag } from '../../../http/params.ts'
import { returnable } from '../../../http/returnable.ts'
import { datatable } from '../schema.ts'
import { list } from './store.ts'

/** Each is optional, with PUT and with PATCH: what is left out stays as it is. */
export const datatableUpdate = returnable({ description: z.string().max(2000).optional(), json_schema: z.unknown().optional() }, datatable)
export type DatatableUpdate = z.infer<typeof datatableUpdate>

/** D8. */
export const updateQuery = z.object({ dry_run: flag.default(false), allow_data_loss: flag.default(false) })
export type UpdateQuery = z.infer<typeof updateQuery>

export const rollbackInput = z.strictObject({ revision_id: z.int().min(1) })
export type RollbackInput = z.infer<typeof rollbackInput>

export const rollbackQuery = z.object({ dry_run: flag.default(false) })
export type RollbackQuery = z.infer<typeof rollbackQuery>

const statuses = ['success', 'failed', 'rolled_back'] as const

export const historyQuery = listQuery(list, { status: z.enum(statuses).optional() })
export type HistoryQuery = z.infer<typeof historyQuery>

const change = z
  .object({
    operation: z.string(),
    description: z.string(),
    sql: z.string(),
    rollback_sql: z.string(),
    destructive: z.boolean().meta({ description: 'Values that records have are lost.' }),
  })
  .meta({ id: 'SchemaChange', description: 'A step of a change of a table.' })
export type Change = z.infer<typeof change>

/** What a dry run answers. D13. */
export const changes = z.object({ changes: z.array(change) })
export type Changes = z.infer<typeof changes>

const warnings = z.array(z.string()).meta({ description: 'Values that records had and that do not come back.' })

/** `warnings`: where there are any. */
export const rolledBack = datatable.extend({ warnings: warnings.optional() }).meta({ id: 'RolledBackDatatable' })
export type RolledBack = z.infer<typeof rolledBack>

export const rollbackPlan = changes.extend({ warnings })
export type RollbackPlan = z.infer<typeof rollbackPlan>

const primaryKey = z.record(z.string(), z.json()).meta({ description: 'The primary key of a record.' })

const violation = z.object({
  fields: z.array(z.string()),
  rule: z.string(),
  detail: z.string(),
  records: z.array(primaryKey).meta({ description: 'Ten of the records at most.' }),
})
export type Violation = z.infer<typeof violation>

export const recordsBreakSchema = errorDetail.extend({ violations: z.array(violation) }).meta({ id: 'SchemaViolations' })

const reference = z.object({ table: z.string(), fields: z.array(z.string()) })

const fieldsReferenced = errorDetail.extend({
  referenced_by: z.array(reference.extend({ referenced_fields: z.array(z.string()), problem: z.string() })),
})

export const changeConflict = errorDetail
export const changeRefusal = z.union([errorDetail.extend({ changes: z.array(change) }), recordsBreakSchema, fieldsReferenced, errorDetail])

export const rollbackConflict = z.union([
  errorDetail.extend({ revisions: z.array(id) }),
  errorDetail.extend({ referenced_by: z.array(reference) }),
  errorDetail,
])
export const rollbackRefusal = z.union([recordsBreakSchema, fieldsReferenced, errorDetail])

/** Spec: Migration operation status; D9. */
const operation = z
  .object({
    id,
    operation_type: z.enum(['create_table', 'alter_table', 'drop_table', 'rollback']),
    description: z.string(),
    sql: z.string(),
    rollback_sql: z.string(),
    status: z.enum(statuses),
    execution_time_ms: count,
    created_at: timestamp,
    migration_id: uuid.nullable().meta({ description: 'Operations of one migration are rolled back together.' }),
  })
  .meta({ id: 'Operation', description: 'A step of a change of a table, as it was made.' })
export type Operation = z.infer<typeof operation>

export const operationHistory = z.object({ data: z.array(operation), total: count, page: count, page_size: count })
export type OperationHistory = z.infer<typeof operationHistory>
