/** The history of a secret in the API. Spec: Secret history record. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { count, timestamp } from '../../kernel/http/openapi/bodies.ts'

/** How clients can sort and search the history. Spec: Limits, secret history. */
export const listForm = {
  orderings: ['timestamp'],
  ordering: '-timestamp',
  searched: 'the user name or the key',
  pageSize: 10,
} as const satisfies ListForm

/** The query parameters of the history. */
export const historyQuery = listQuery(listForm, {
  app: z
    .string()
    .optional()
    .meta({ description: 'The slug of an app. Its level is searched before that of the site.' }),
})
/** The parsed query parameters. */
export type HistoryQuery = z.infer<typeof historyQuery>

const historyRecord = z
  .object({
    action: z.enum(['+', '~', '-']).meta({ description: '`+`: created. `~`: changed. `-`: deleted.' }),
    user: z.string().describe('The name of the user who made the change.'),
    timestamp: timestamp.describe('When the change was made.'),
    key: z.string().describe('The key of the secret at that time.'),
    changes: z.record(z.string(), z.unknown()).meta({
      description: 'The changed attributes with their `old` and `new` values. Values of secrets are hidden.',
    }),
  })
  .meta({ id: 'SecretHistoryRecord', description: 'A change of a secret.' })

/** A page of the history. */
export const secretHistory = z
  .object({
    key: z.string().describe('The key of the secret.'),
    app: z.string().nullable().describe('The slug of its app; null at the site level.'),
    results: z.array(historyRecord).describe('The changes, the newest first.'),
    total_count: count.describe('The number of all changes.'),
    limit: z.int().describe('The maximum number of changes in a response.'),
    offset: count.describe('The number of changes before these.'),
    has_next: z.boolean().describe('Whether there are changes after these.'),
    has_previous: z.boolean().describe('Whether there are changes before these.'),
  })
  .meta({ id: 'SecretHistory', description: 'The changes of a secret.' })
/** A page of the history. */
export type SecretHistory = z.infer<typeof secretHistory>
