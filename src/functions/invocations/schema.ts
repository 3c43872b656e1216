/** What is seen of the runs of functions, and how they are looked for. E3. */
import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'
import { list } from './store.ts'

const statuses = ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'SKIPPED'] as const
const triggerTypes = ['api', 'event', 'schedule'] as const

export const invocationsQuery = listQuery(list, {
  function_slug: z.string().optional().describe('Runs of the function with this slug.'),
  status: z.enum(statuses).optional().describe('Runs of this status.'),
  trigger_type: z.enum(triggerTypes).optional().describe('Runs that were started in this way.'),
})
export type InvocationsQuery = z.infer<typeof invocationsQuery>

export const invocation = z
  .object({
    id: id.describe('The id of the run.'),
    function: id.meta({ description: 'The id of the function, which may be gone.' }),
    function_name: z.string().describe('The name of the function.'),
    function_slug: z.string().describe('The slug of the function.'),
    trigger_type: z.enum(triggerTypes).describe('How the run was started: by a request, an event or a schedule.'),
    event: z.string().nullable().describe('The name of the event; null: it was none.'),
    status: z.enum(statuses).describe('What became of the run.'),
    attempts: count.describe('How often it was tried.'),
    params: z.unknown().describe('What the function was given.'),
    result: z.unknown().describe('What the function returned.'),
    error: z.string().nullable().describe('Why it failed; null: it did not.'),
    logs: z
      .array(
        z.object({
          at: timestamp.describe('When it was printed.'),
          level: z.string().describe('`log`, `info`, `warn` or `error`.'),
          message: z.string().describe('The line.'),
        }),
      )
      .describe('What it printed.'),
    started_at: timestamp.nullable().describe('When the last attempt began; null: none did.'),
    finished_at: timestamp.nullable().describe('When it ended; null: it has not.'),
    duration_ms: count.nullable().describe('How long the last attempt took, in milliseconds.'),
    created_at: timestamp.describe('When the run was asked for.'),
  })
  .meta({ id: 'Invocation', description: 'A run of a function.' })
export type Invocation = z.infer<typeof invocation>
