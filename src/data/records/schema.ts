/** Records on the wire, for the reference: what a record is its table's schema says (validate.ts). R1. */
import { z } from 'zod'
import { count } from '../../http/openapi/bodies.ts'

const anything = z.record(z.string(), z.unknown())

/** In the reference of one app, each table has its own in the place of these. */
const record = anything.meta({ id: 'Record', description: 'A record, shaped by the schema of its table.' })
const newRecord = anything.meta({ id: 'NewRecord', description: 'The fields of a new record.' })

export const recordList = z.object({
  data: z.array(record),
  total: count,
  page: z.int(),
  page_size: z.int(),
  meta: z.object({ offset: count, limit: z.int(), count, has_more: z.boolean() }),
})
export const oneRecord = z.object({ data: record })
export const oneOrMany = z.object({ data: z.union([record, z.array(record)]) })
export const newRecords = z.union([newRecord, z.array(newRecord).max(10_000)])

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
