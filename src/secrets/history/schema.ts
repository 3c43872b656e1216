import { z } from 'zod'
import { count, timestamp } from '../../http/openapi/bodies.ts'

const wholeNumber = (rule: string, pattern: RegExp) => z.string().regex(pattern, rule)

/** Spec: Limits, secret history. */
export const historyQuery = z.object({
  app: z.string().optional().meta({ description: 'The slug of an app: its level is looked at first.' }),
  limit: wholeNumber('A limit is a whole number from 1.', /^[1-9]\d{0,8}$/)
    .default('10')
    .transform((text) => Math.min(Number(text), 100)),
  offset: wholeNumber('An offset is a whole number from 0.', /^\d{1,9}$/)
    .default('0')
    .transform(Number),
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
