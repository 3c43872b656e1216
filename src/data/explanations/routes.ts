/** /api/apps/{app_slug}/datatables/{name}/access/explain: why a caller may do something with records, or may not. */
import * as z from 'zod'
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { siteManagers } from '../../kernel/access/policies.ts'
import { detail, errorDetail } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { explainInput, explanation } from './schema.ts'
import { explainAccess } from './service.ts'

/** The route that explains access rules. */
export const explanationRoutes: readonly Route[] = [
  route({
    id: 'explainDatatableAccess',
    summary: 'Explain access to records',
    description:
      'Says whether a caller may read, create, change or delete a record, and by which rules. If not, it ' +
      'says which condition of each rule fails, with the values of the record. Nothing is written.',
    method: 'POST',
    path: '/api/apps/:app/datatables/:table/access/explain',
    auth: signedInOrKey,
    may: siteManagers,
    body: explainInput,
    answers: { 200: explanation, 404: z.union([detail, errorDetail]), 422: errorDetail },
    handle: async ({ ctx, params, body }) => ({ 200: await explainAccess(ctx, params, body) }),
  }),
]
