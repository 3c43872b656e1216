import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { count, timestamp } from '../../http/openapi/bodies.ts'
import { list } from './store.ts'

export const historyQuery = listQuery(list, {
  app: z.string().optional().meta({ description: 'The slug of an app: its level is looked at first.' }),
})
export type HistoryQuery = z.infer<typeof historyQuery>

/** Spec: Secret history record. */
const historyRecord = z
  .object({
    action: z.enum(['+', '~', '-']).meta({ description: '`+` created, `~` changed, `-` deleted.' }),
    user: z.string().describe('The user name of whoever did it.'),
    timestamp: timestamp.describe('When it was done.'),
    key: z.string().describe('The key of the secret at that time.'),
    changes: z.record(z.string(), z.unknown()).meta({ description: 'What was changed, `old` and `new`; of a value only that it was.' }),
  })
  .meta({ id: 'SecretHistoryRecord', description: 'A change of a secret.' })

export const secretHistory = z
  .object({
    key: z.string().describe('The key of the secret.'),
    app: z.string().nullable().describe('The slug of its app; null: of the site.'),
    results: z.array(historyRecord).describe('The changes, the newest first.'),
    total_count: count.describe('How many changes there are in all.'),
    limit: z.int().describe('How many changes an answer has at most.'),
    offset: count.describe('How many changes come before these.'),
    has_next: z.boolean().describe('Whether there are changes after these.'),
    has_previous: z.boolean().describe('Whether there are changes before these.'),
  })
  .meta({ id: 'SecretHistory', description: 'The changes of a secret.' })
export type SecretHistory = z.infer<typeof secretHistory>
