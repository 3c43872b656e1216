/** Dead letters in the API: invocations that have failed permanently. E5. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { count, id, timestamp } from '../../../kernel/http/openapi/bodies.ts'
import { reasonNames } from './reasons.ts'

/** How clients can sort and search the list of dead letters. */
export const listForm = {
  orderings: ['id', 'failed_at'],
  ordering: '-id',
  searched: 'the name or the slug of the function',
} as const satisfies ListForm

const triggerTypes = ['api', 'event', 'schedule'] as const
const moment = z.iso.datetime({
  offset: true,
  error: 'Send a date and time with an offset, for example 2027-01-31T18:30:00Z.',
})

const filters = {
  function_slug: z.string().max(100).optional().describe('Only failures of the function with this slug.'),
  trigger_type: z
    .enum(triggerTypes)
    .optional()
    .describe('Only failures of runs that were triggered in this way.'),
  event: z.string().max(100).optional().describe('Only failures of runs that this event triggered.'),
  reason: z.enum(reasonNames).optional().describe('Only failures for this reason.'),
  since: moment.optional().describe('Only failures at this time or later.'),
  until: moment.optional().describe('Only failures before this time.'),
}

/** The query parameters of the list of dead letters. */
export const deadLettersQuery = listQuery(listForm, filters)
/** The parsed query parameters. */
export type DeadLettersQuery = z.infer<typeof deadLettersQuery>

/** A dead letter in responses. */
export const deadLetter = z
  .object({
    id: id.describe('The id of the invocation.'),
    function: id.meta({ description: 'The id of the function, which may have been deleted since.' }),
    function_name: z.string().describe('The name of the function.'),
    function_slug: z.string().describe('The slug of the function.'),
    trigger_type: z.enum(triggerTypes).describe('The trigger: a request, an event or a schedule.'),
    event: z.string().nullable().describe('The name of the event; null for other triggers.'),
    attempts: count.describe('The number of attempts.'),
    error: z.string().nullable().describe('The error of the last attempt.'),
    reason: z.enum(reasonNames).describe('The kind of the error.'),
    advice: z.string().describe('Advice on how to fix it.'),
    created_at: timestamp.describe('When the invocation was created.'),
    failed_at: timestamp.nullable().describe('When its last attempt failed.'),
  })
  .meta({ id: 'DeadLetter', description: 'An invocation that has failed permanently.' })
/** A dead letter in responses. */
export type DeadLetter = z.infer<typeof deadLetter>

const idsMax = 1_000
const replayedMax = 10_000

/** The body of a replay by filter. */
export const replayInput = z.strictObject({
  ...filters,
  ids: z.array(id).min(1).max(idsMax).optional().describe('Only the invocations with these ids.'),
  limit: z
    .int()
    .min(1)
    .max(replayedMax)
    .default(1_000)
    .describe('The maximum number to replay, oldest first.'),
  dry_run: z.boolean().default(false).describe('Whether to count them without replaying them.'),
})
/** The parsed body of a replay by filter. */
export type ReplayInput = z.infer<typeof replayInput>

/** The answer to a replay by filter. */
export const replayed = z
  .object({
    matched: count.describe('The number of matching dead letters.'),
    replayed: count.describe('The number that was queued again.'),
    left: count.describe('The number of matching dead letters that were not queued.'),
  })
  .meta({ id: 'Replayed', description: 'The result of a replay.' })
/** The answer to a replay by filter. */
export type Replayed = z.infer<typeof replayed>
