/** Records on the wire, for the reference: what a record is its table's schema says (validate.ts). R1. */
import { z } from 'zod'
import { count } from '../../http/openapi/bodies.ts'
import { rowsMax } from './body.ts'

const anything = z.record(z.string(), z.unknown())

/** In the reference of one app, each table has its own in the place of these. */
const record = anything.meta({ id: 'Record', description: 'A record, shaped by the schema of its table.' })
const newRecord = anything.meta({ id: 'NewRecord', description: 'The fields of a new record.' })
export const recordChange = anything.meta({ id: 'RecordChange', description: 'Fields of a record, in part.' })

export const recordList = z.object({
  data: z.array(record),
  total: count,
  page: z.int(),
  page_size: z.int(),
  meta: z.object({ offset: count, limit: z.int(), count, has_more: z.boolean() }),
})
export const oneRecord = z.object({ data: record })
export const oneOrMany = z.object({ data: z.union([record, z.array(record)]) })
export const newRecords = z.union([newRecord, z.array(newRecord).max(rowsMax)])
export const records = z.object({ data: z.array(record) })
export const recordChanges = z.array(recordChange).max(rowsMax)
export const upsertBody = z.union([recordChange, recordChanges])
export const upsertedRecords = oneOrMany.extend({ created: z.boolean(), created_count: count, updated_count: count })
export const deletedRecords = z.object({
  deleted: count,
  ids: z.array(z.unknown()).optional().meta({ description: 'Which, where they were named by ids, in the order of the request.' }),
})

/** What is wrong with the fields of a write, or the parameters of a query. Spec: Errors, data service writes. */
export const validationFailed = z
  .object({ error: z.literal('Validation failed'), details: z.record(z.string(), z.array(z.string())) })
  .meta({ id: 'ValidationFailed', description: 'What is wrong, by field or parameter; in a bulk write each message begins with its row.' })

export const fieldFailure = z
  .object({ error: z.string(), detail: z.string(), field: z.string() })
  .meta({ id: 'FieldFailure', description: 'What other records have to do with it: a duplicate value, or a reference to none.' })

/** The paging and sorting of a list; any other parameter is a filter: `field=value`, or `field__operator=value`. */
export const listQuery = z.object({
  page: z.string().optional().meta({ type: 'integer', minimum: 1, description: 'Counted from 1.' }),
  page_size: z.string().optional().meta({ type: 'integer', minimum: 1, maximum: 1000, description: '20 when omitted.' }),
  _sort: z.string().optional().meta({ description: 'Fields, separated by commas; a `-` before one sorts it descending.' }),
  _order: z.string().optional().meta({ description: '`asc` or `desc` for each field of `_sort`.' }),
  ordering: z.string().optional().meta({ description: 'As `_sort`.' }),
})

const flag = (description: string) => z.string().optional().meta({ type: 'boolean', description })
const includeDeleted = flag('Soft-deleted records are meant, too. `false` when omitted.')
const hardDelete = flag(
  'Also records of a table with `is_deleted` are gone for good, those that are marked as deleted among them. `false` when omitted.',
)

export const updateQuery = z.object({ include_deleted: includeDeleted })
export const upsertQuery = z.object({
  unique_fields: z
    .string()
    .meta({ description: 'The fields by which a record is found, separated by commas: of a primary key, or a unique constraint or index.' }),
  include_deleted: includeDeleted,
})
export const deleteOneQuery = z.object({ hard_delete: hardDelete })
export const deleteQuery = z.object({
  ids: z.string().optional().meta({ description: 'Primary keys, separated by commas. Those that no record has are left out.' }),
  filter: z.string().optional().meta({ description: 'A filter as JSON, as `{"status": "old", "price__lt": 10}`.' }),
  hard_delete: hardDelete,
})
