/** /api/cloud/organizations/{organization}/records: the records of all sites of an organization. */
import * as z from 'zod'
import { signedIn } from '../../kernel/access/credentials.ts'
import { errorAndDetails } from '../../kernel/http/dialects.ts'
import { detail, errorDetail, validationFailed } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { rawQuery } from '../../kernel/http/validate.ts'
import { aggregatesOfSites, description, query, recordsOfSites } from './schema.ts'
import { readSites } from './service.ts'

/** The read in several sites. */
export const acrossSitesRoutes: readonly Route[] = [
  route({
    id: 'listRecordsOfSites',
    summary: 'List records of all sites',
    description,
    method: 'GET',
    path: '/api/cloud/organizations/:organization/records',
    auth: signedIn,
    dialect: errorAndDetails,
    query: rawQuery(query),
    answers: {
      200: z.union([recordsOfSites, aggregatesOfSites]),
      400: validationFailed,
      403: detail,
      404: detail,
      422: errorDetail,
    },
    handle: async ({ ctx, params, query }) => ({ 200: await readSites(ctx, params.organization, query) }),
  }),
]
