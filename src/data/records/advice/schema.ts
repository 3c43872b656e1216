/** Advice about indexes in the API. */
import * as z from 'zod'
import { count, timestamp } from '../../../kernel/http/openapi/bodies.ts'

const wantedIndex = z.object({
  fields: z.array(z.string()).describe('The fields of the index, in their order.'),
  method: z
    .enum(['trigram'])
    .optional()
    .describe('`trigram` for filters on parts of texts. Omitted: `btree`.'),
  descending: z.array(z.string()).optional().describe('The fields that it has in descending order.'),
})
/** An index as the schema writes it, without its name. */
export type WantedIndex = z.infer<typeof wantedIndex>

const milliseconds = z.number().min(0)
const cost = z.number().describe('The cost of such a list, as Postgres expects it.')

/** An index that would make slow lists fast. */
const indexAdvice = z
  .object({
    index: wantedIndex
      .extend({ name: z.string().describe('A name that no index of the schema has.') })
      .describe('The index as the schema writes it.'),
    count: count.describe('The number of slow lists that it would have made fast.'),
    max_ms: milliseconds.describe('The duration of the slowest one in Postgres.'),
    seen_at: timestamp.describe('The time of one of the last ones.'),
    trial: z
      .object({ cost_before: cost, cost_after: cost })
      .nullable()
      .describe(
        'What Postgres expects with the index, from the extension `hypopg`. Null: it was not tried, or ' +
          'cannot be.',
      ),
  })
  .meta({ id: 'IndexAdvice', description: 'An index that would make slow lists of a datatable fast.' })
/** An index that a datatable lacks, in responses. */
export type IndexAdvice = z.infer<typeof indexAdvice>

/** The answer about a datatable: an object, so that other kinds of advice can be added. */
export const datatableAdvice = z
  .object({ indexes: z.array(indexAdvice).describe('The indexes, those of the slowest lists first.') })
  .meta({ id: 'DatatableAdvice', description: 'What would make slow lists of a datatable fast.' })
