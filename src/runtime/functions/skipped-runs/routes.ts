/** The operation of /api/skipped-runs. */
import { signedInOrKey } from '../../../kernel/access/credentials.ts'
import { siteReaders } from '../../../kernel/access/policies.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { pageOf } from '../../../kernel/http/lists/envelopes.ts'
import { pageOfItems } from '../../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { skippedRuns, skippedRunsQuery } from './schema.ts'
import { list, selectSkippedRuns } from './store.ts'

/** The operation on skipped runs. E8. */
export const skippedRunRoutes: readonly Route[] = [
  route({
    id: 'listSkippedRuns',
    summary: 'List skipped runs',
    description:
      'Counts the skipped runs of all functions, by function, reason and day. The newest 20 of each count ' +
      'are also in the list of invocations, for 7 days.',
    method: 'GET',
    path: '/api/skipped-runs',
    auth: signedInOrKey,
    may: siteReaders,
    query: skippedRunsQuery,
    answers: { 200: pageOfItems(skippedRuns) },
    handle: async ({ ctx, query, url }) => {
      const page = await inTenant(ctx, 'read', selectSkippedRuns(query))
      return { 200: pageOf(page, url, list, query, (row) => row) }
    },
  }),
]
