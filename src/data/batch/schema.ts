/** The shapes of batches in requests and responses. */
import * as z from 'zod'
import { edge, newEdge } from '../edges/schema.ts'
import { dryRunMark, operationData, record, recordReference } from '../records/schema.ts'
import { dryRun, returned } from '../records/write-query-schema.ts'
import { operationsMax } from '../write/parse/operations.ts'

const key = z.union([z.string(), z.number()])
const table = z.string().describe('The name of the table.')
const as = z.string().optional().describe('A name with which later operations refer to the record.')
const part = z.union([key, recordReference])
const id = z
  .union([part, z.array(part).min(1)])
  .describe('The primary key of the record. A composite key is an array of its values.')
const if_match = z
  .string()
  .optional()
  .describe('The ETags that are accepted. The record must have one of them.')
const include_deleted = z.boolean().optional().describe('Includes soft-deleted records. Default: false.')

const operation = z
  .discriminatedUnion('op', [
    z.object({ op: z.literal('create'), table, data: operationData, as }),
    z.object({ op: z.literal('update'), table, id, data: operationData, as, if_match, include_deleted }),
    z.object({
      op: z.literal('upsert'),
      table,
      unique_fields: z.array(z.string()).min(1).describe('The fields that identify a record.'),
      data: operationData,
      as,
      include_deleted,
    }),
    z.object({
      op: z.literal('delete'),
      table,
      id,
      if_match,
      hard_delete: z
        .boolean()
        .optional()
        .describe('Deletes the record itself instead of marking it. Default: false.'),
    }),
    z.object({ op: z.literal('create_edge'), table, data: newEdge }),
    z.object({ op: z.literal('delete_edge'), table, id: z.string().describe('The id of the edge.') }),
  ])
  .meta({
    id: 'BatchOperation',
    description: 'A write of a record or of an edge.',
  })

export const batchBody = z.array(operation).min(1).max(operationsMax)

/** The query parameters of a batch. */
export const batchQuery = z.object({ return: returned('records'), ...dryRun })

const status = z.int().describe('The status of the operation: 200, 201 or 204.')
const etag = z.string().optional().describe('The ETag of the record.')
const recordKey = z.unknown().describe('The primary key of the record.')

/** The answer of a batch. */
export const batchResults = z
  .object({
    data: z
      .array(
        z.object({
          status,
          data: z.union([record, edge]).optional().describe('The record or the edge, unless it was deleted.'),
          id: recordKey.optional().describe('The key of the deleted record, or the id of the deleted edge.'),
          etag,
        }),
      )
      .describe('The results, in the order of the operations.'),
    ...dryRunMark,
  })
  .meta({ id: 'BatchResults', description: 'The results of the operations.' })

/** The answer of a batch with `return=minimal`. */
export const minimalResults = z
  .object({
    data: z
      .array(z.object({ status, id: recordKey.describe('The key of the record or the edge.'), etag }))
      .describe('The results, in the order of the operations.'),
    ...dryRunMark,
  })
  .meta({ id: 'BatchKeys', description: 'The keys of the records and edges that the operations wrote.' })
