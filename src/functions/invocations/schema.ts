/** What is seen of the runs of functions, and how they are looked for. E3. */
import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'
import { list } from './store.ts'

const statuses = ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'SKIPPED'] as const
const triggerTypes = ['api', 'event', 'schedule'] as const

export const invocationsQuery = listQuery(list, {
  function_slug: z.string().optional(),
  status: z.enum(statuses).optional(),
  trigger_type: z.enum(triggerTypes).optional(),
})
export type InvocationsQuery = z.infer<typeof invocationsQuery>

export const invocation = z
  .object({
    id,
    function: id.meta({ description: 'The id of the function, which may be gone.' }),
    function_name: z.string(),
    function_slug: z.string(),
    trigger_type: z.enum(triggerTypes),
    event: z.string().nullable(),
    status: z.enum(statuses),
    attempts: count,
    params: z.unknown(),
    result: z.unknown(),
    error: z.string().nullable(),
    logs: z.array(z.object({ at: timestamp, level: z.string(), message: z.string() })),
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    duration_ms: count.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Invocation' })
export type Invocation = z.infer<typeof invocation>
