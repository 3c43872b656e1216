/** /api/apps/{app_slug}/datatables/{name}/advice: the indexes that slow lists of a datatable lack. */
import { signedIn } from '../../../kernel/access/credentials.ts'
import { siteManagers } from '../../../kernel/access/policies.ts'
import { errorDetail } from '../../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { datatableAdvice } from './schema.ts'
import { readAdvice } from './service.ts'

/** The operation that managers of a site use to see which indexes a datatable lacks. */
export const adviceRoutes: readonly Route[] = [
  route({
    id: 'getDatatableAdvice',
    summary: 'Advise indexes for a datatable',
    description:
      'Returns the indexes that slow lists of the last 7 days lacked, as the schema writes them, those of ' +
      'the slowest lists first. Postgres has explained these lists: it read or sorted the whole table.',
    method: 'GET',
    path: '/api/apps/:app/datatables/:table/advice',
    auth: signedIn,
    may: siteManagers,
    answers: { 200: datatableAdvice, 404: errorDetail },
    handle: async ({ ctx, params }) => ({ 200: { indexes: await readAdvice(ctx, params) } }),
  }),
]
