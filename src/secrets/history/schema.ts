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
    user: z.string(),
    timestamp,
    key: z.string(),
    changes: z.record(z.string(), z.unknown()).meta({ description: 'What was changed, `old` and `new`; of a value only that it was.' }),
  })
  .meta({ id: 'SecretHistoryRecord' })

export const secretHistory = z
  .object({
    key: z.string(),
    app: z.string().nullable(),
    results: z.array(historyRecord),
    total_count: count,
    limit: z.int(),
    offset: count,
    has_next: z.boolean(),
    has_previous: z.boolean(),
  })
  .meta({ id: 'SecretHistory' })
export type SecretHistory = z.infer<typeof secretHistory>
