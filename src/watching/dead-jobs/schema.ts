/** Dead jobs on the wire: messages of the queues that were given up. */
import { z } from 'zod'
import { count } from '../../http/openapi/bodies.ts'

/** The body of a replay of dead jobs. */
export const deadJobsReplay = z.strictObject({
  kind: z.string().max(100).optional().describe('Only messages of this kind.'),
  limit: z.int().min(1).max(1_000).default(100).describe('How many are queued at most, the oldest first.'),
  dry_run: z.boolean().default(false).describe('Whether they are counted and not queued.'),
})
/** The parsed body. */
export type DeadJobsReplay = z.infer<typeof deadJobsReplay>

/** The answer to a replay of dead jobs. */
export const replayedJobs = z
  .object({
    matched: count.describe('How many dead jobs there are of the kind.'),
    replayed: count.describe('How many are queued again.'),
  })
  .meta({ id: 'ReplayedJobs', description: 'What a replay has queued.' })
/** The answer to a replay of dead jobs. */
export type ReplayedJobs = z.infer<typeof replayedJobs>
