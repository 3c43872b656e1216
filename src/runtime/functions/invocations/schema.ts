/** Invocations in the API, and the query parameters of their list. E3. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { count, id, timestamp } from '../../../kernel/http/openapi/bodies.ts'

/** How clients can sort and search the list of invocations. */
export const listForm = {
  orderings: ['id', 'created_at', 'started_at', 'finished_at', 'duration_ms'],
  ordering: '-id',
  searched: 'the name or the slug of the function',
} as const satisfies ListForm

const statuses = ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'SKIPPED'] as const
const triggerTypes = ['api', 'event', 'schedule'] as const

/** The query parameters of the list of invocations. */
export const invocationsQuery = listQuery(listForm, {
  function_slug: z.string().optional().describe('Only invocations of the function with this slug.'),
  status: z.enum(statuses).optional().describe('Only invocations with this status.'),
  trigger_type: z.enum(triggerTypes).optional().describe('Only invocations that were triggered in this way.'),
})
/** The parsed query parameters. */
export type InvocationsQuery = z.infer<typeof invocationsQuery>

/** An invocation in responses. */
export const invocation = z
  .object({
    id: id.describe('The id of the invocation.'),
    function: id.meta({ description: 'The id of the function, which may have been deleted since.' }),
    function_name: z.string().describe('The name of the function.'),
    function_slug: z.string().describe('The slug of the function.'),
    trigger_type: z.enum(triggerTypes).describe('The trigger: a request, an event or a schedule.'),
    event: z.string().nullable().describe('The name of the event; null for other triggers.'),
    status: z.enum(statuses).describe('The status.'),
    attempts: count.describe('The number of attempts.'),
    params: z.unknown().describe('The first argument of the function.'),
    result: z.unknown().describe('The return value of the function.'),
    error: z.string().nullable().describe('The reason of a failure; null if the function did not fail.'),
    logs: z
      .array(
        z.object({
          at: timestamp.describe('When the line was printed.'),
          level: z.string().describe('`log`, `info`, `warn` or `error`.'),
          message: z.string().describe('The text of the line.'),
        }),
      )
      .describe('The lines that the last attempt printed.'),
    started_at: timestamp.nullable().describe('When the last attempt started; null before the first one.'),
    finished_at: timestamp.nullable().describe('When the invocation finished; null until then.'),
    duration_ms: count.nullable().describe('The duration of the last attempt, in milliseconds.'),
    created_at: timestamp.describe('When the invocation was created.'),
    publish: z
      .object({
        event: z.string().describe('The name of the event.'),
        task_ids: z
          .array(
            z.object({
              function_id: id.describe('The id of the function.'),
              function_name: z.string().describe('The name of the function.'),
              task_id: z.string().nullable().describe('The id of its task; null if it could not be started.'),
              invocation_id: id.describe('The id of its invocation.'),
              status: z.literal('error').optional().describe('`error`: it could not be started.'),
              error: z.string().nullable().optional().describe('Why it could not be started.'),
            }),
          )
          .describe('The runs of all functions that were subscribed to the event.'),
        total_subscribers: count.describe('The number of these functions.'),
      })
      .nullable()
      .describe('The result of publishing the event; null for other triggers.'),
  })
  .meta({ id: 'Invocation', description: 'An invocation of a function.' })
/** An invocation in responses. */
export type Invocation = z.infer<typeof invocation>
