/** The answers of writes, for the OpenAPI document. R8, R9. */
import * as z from 'zod'
import { count } from '../../kernel/http/openapi/bodies.ts'
import { dryRunMark, oneOrMany, record } from './schema.ts'

const ignoredCounts = {
  created_count: count.optional().describe('The number of created records.'),
  ignored_count: count.optional().describe('With `on_conflict=ignore`: the number of skipped records.'),
  ignored: z
    .array(count)
    .optional()
    .describe('With `on_conflict=ignore`: the positions of the skipped records, from 0.'),
}
/** The answer of a creation. */
export const created = oneOrMany.extend(ignoredCounts)
/** The answer of a creation that created nothing: a dry run, or all records were left out. */
export const notCreated = created.meta({
  id: 'NotCreatedRecords',
  description:
    'No record was created. `data` is an empty array, or in a dry run the records that would be created.',
})
const createdCount = { created_count: count.describe('The number of created records.') }
const updatedCount = { updated_count: count.describe('The number of changed records.') }
const upsertedCounts = {
  created: z.boolean().describe('Whether any record was created.'),
  ...createdCount,
  ...updatedCount,
}
/** The answer of an upsert. */
export const upsertedRecords = oneOrMany.extend(upsertedCounts)
const failures = {
  failed_count: count.describe('The number of records that were not written.'),
  failed: z
    .array(
      z.looseObject({
        index: count.describe('The position of the record in the body, from 0.'),
        line: z.int().optional().describe('In a CSV or JSON lines body: the line on which it begins.'),
        status: z.int().describe('The status that the record would have got alone.'),
      }),
    )
    .describe('The records that were not written, each with the body that it would have got alone.'),
}
const partCounts = {
  ...ignoredCounts,
  updated_count: count.optional().describe('The number of changed records.'),
  created: z.boolean().optional().describe('Of an upsert: whether any record was created.'),
  ...failures,
  ...dryRunMark,
}
/** The answer of a write with `atomic=false`. */
export const partlyWritten = z
  .object({
    data: z.array(record).describe('The written records, in the order of the request.'),
    ...partCounts,
  })
  .meta({
    id: 'PartlyWrittenRecords',
    description: 'The written records, and the invalid ones.',
  })
/** The answers of writes with `return=minimal`. */
export const minimal = {
  created: z
    .object({ ...ignoredCounts, ...createdCount, ...dryRunMark })
    .meta({ id: 'CreatedCount', description: 'How many records were created.' }),
  partial: z
    .object(partCounts)
    .meta({ id: 'PartlyWrittenCounts', description: 'The number of written records, and the invalid ones.' }),
  updated: z
    .object({ ...updatedCount, ...dryRunMark })
    .meta({ id: 'UpdatedCount', description: 'How many records were changed.' }),
  upserted: z
    .object({ ...upsertedCounts, ...dryRunMark })
    .meta({ id: 'UpsertedCounts', description: 'How many records were created and changed.' }),
  deleted: z
    .object({ deleted: count.describe('The number of deleted records.'), ...dryRunMark })
    .meta({ id: 'DeletedCount', description: 'How many records would be deleted.' }),
}
/** The answer of a bulk deletion. */
export const deletedRecords = z.object({
  deleted: count.describe('The number of deleted records.'),
  ids: z.array(z.unknown()).optional().meta({
    description: 'With `ids`: the primary keys of the deleted records, in the order of the request.',
  }),
  data: z.array(record).optional().meta({
    description:
      'With `return=records`: the deleted records, in the order of the request or of their primary keys.',
  }),
  ...dryRunMark,
})
