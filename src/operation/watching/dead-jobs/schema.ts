/** Dead jobs in the API: messages that the queues have given up. */
import * as z from 'zod'
import { count } from '../../../kernel/http/openapi/bodies.ts'

/** The body of a replay of dead jobs. */
export const deadJobsReplay = z.strictObject({
  kind: z.string().max(100).optional().describe('Only messages of this kind.'),
  limit: z.int().min(1).max(1_000).default(100).describe('The maximum number to queue, oldest first.'),
  dry_run: z.boolean().default(false).describe('Whether to count them without queueing them.'),
})
/** The parsed body. */
export type DeadJobsReplay = z.infer<typeof deadJobsReplay>

/** The answer to a replay of dead jobs. */
export const replayedJobs = z
  .object({
    matched: count.describe('The number of dead jobs of this kind.'),
    replayed: count.describe('The number that was queued again.'),
  })
  .meta({ id: 'ReplayedJobs', description: 'The result of a replay.' })
/** The answer to a replay of dead jobs. */
export type ReplayedJobs = z.infer<typeof replayedJobs>
