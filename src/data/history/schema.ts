/** The bodies and parameters of the versions of a record, for the OpenAPI document and for lists. */
import * as z from 'zod'
import { envelopeQuery } from '../../kernel/http/envelope.ts'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { count, id, timestamp } from '../../kernel/http/openapi/bodies.ts'
import { dryRunMark, record } from '../records/schema.ts'
import { dryRun } from '../records/write-query-schema.ts'

/** The orderings and the search of a history. */
export const listForm = {
  orderings: ['number'],
  ordering: '-number',
  searched: 'the operation and the name of the user',
} as const satisfies ListForm

/** The kinds of operations that create versions. */
const operations = ['create', 'update', 'delete', 'schema'] as const

/** The query parameters of a history. */
export const versionsQuery = listQuery(listForm, {
  operation: z.enum(operations).optional().describe('Only versions of this kind of operation.'),
})
/** The parsed query parameters of a history. */
export type VersionsQuery = z.infer<typeof versionsQuery>

const version = z
  .object({
    number: count.describe('The number of the version, from 1 on.'),
    valid_from: timestamp.describe('The time of the change.'),
    valid_to: timestamp.nullable().describe('The time of the next version; null for the last one.'),
    operation: z
      .enum(operations)
      .describe(
        'The kind of operation. `schema`: a schema change that began the history or changed the record.',
      ),
    changed: z.array(z.string()).nullable().meta({
      description:
        'The fields that differ from the previous version; null if there is none, or if it was a deletion.',
    }),
    changed_by: z
      .object({ id, username: z.string().nullable().describe('The name of the user at that time.') })
      .nullable()
      .describe('The user who made the change; null if it was the service.'),
    record: record.nullable().describe('The record, with the current fields of its table; null if deleted.'),
  })
  .meta({ id: 'RecordVersion', description: 'A version of a record.' })

/** A page of a history. */
export const versionList = z.object({
  data: z.array(version).describe('The versions of the page, by default the newest first.'),
  total: count.describe('The number of versions on all pages.'),
  page: count.describe('The number of the page, counted from 1.'),
  page_size: count.describe('The maximum number of versions on a page.'),
})

/** The query parameters of restoring a version. */
export const restoreQuery = z.object({ ...envelopeQuery, ...dryRun })

/** The query parameters of erasing versions. */
export const erasureQuery = z.object(dryRun)

/** The answer of erasing versions. */
export const erased = z
  .object({ erased: count.describe('The number of erased versions.'), ...dryRunMark })
  .meta({ id: 'ErasedVersions', description: 'The number of erased versions.' })
/** The number of erased versions. */
export type Erased = z.infer<typeof erased>
