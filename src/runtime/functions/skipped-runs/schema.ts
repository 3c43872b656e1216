/** Skipped runs in the API: counts by function, reason and day. E8. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { count, id } from '../../../kernel/http/openapi/bodies.ts'

/** How clients can sort and search the list of skipped runs. */
export const listForm = {
  orderings: ['day', 'count'],
  ordering: '-day',
  searched: 'the name or the slug of the function',
} as const satisfies ListForm

/** Why a run is skipped. */
const reasons = ['conditions', 'inactive', 'paused'] as const
const reason = z.enum(reasons)

/** The query parameters of the list of skipped runs. */
export const skippedRunsQuery = listQuery(listForm, {
  function_slug: z.string().optional().describe('Only skipped runs of the function with this slug.'),
  reason: reason.optional().describe('Only runs that were skipped for this reason.'),
})
/** The parsed query parameters. */
export type SkippedRunsQuery = z.infer<typeof skippedRunsQuery>

/** The skipped runs of a function for a reason on a day, in responses. */
export const skippedRuns = z
  .object({
    function: id.meta({ description: 'The id of the function, which may have been deleted since.' }),
    function_name: z.string().describe('The name of the function.'),
    function_slug: z.string().describe('The slug of the function.'),
    reason: reason.describe(
      '`conditions`: its filter conditions were false. `inactive`: it or its app was not active. `paused`: ' +
        'the site was paused.',
    ),
    day: z.string().meta({ format: 'date', description: 'The day in UTC.' }),
    count: count.describe('The number of skipped runs.'),
  })
  .meta({ id: 'SkippedRuns', description: 'The skipped runs of a function on a day.' })
/** The skipped runs of a function for a reason on a day. */
export type SkippedRuns = z.infer<typeof skippedRuns>
