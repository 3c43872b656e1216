/** The operations of /api/apps/{app_slug}/functions/{slug}/versions. */
import { signedInOrKey } from '../../../kernel/access/credentials.ts'
import { siteManagers } from '../../../kernel/access/policies.ts'
import { pageOfItems } from '../../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../../kernel/http/params.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { functionRecord } from '../schema.ts'
import { functionVersion, functionVersionItem, versionsQuery } from './schema.ts'
import { listVersions, readVersion, restoreVersion } from './service.ts'

/** The operations on versions of functions. */
export const versionRoutes: readonly Route[] = [
  route({
    id: 'listFunctionVersions',
    summary: 'List the versions of a function',
    description: 'Each change of its code or its settings creates a version. The newest 50 are kept.',
    method: 'GET',
    path: '/api/apps/:app/functions/:function/versions',
    auth: signedInOrKey,
    may: siteManagers,
    query: versionsQuery,
    answers: { 200: pageOfItems(functionVersionItem) },
    handle: async ({ ctx, params, query, url }) => ({
      200: await listVersions(ctx, params.app, params.function, url, query),
    }),
  }),
  route({
    id: 'getFunctionVersion',
    summary: 'Get a version of a function',
    method: 'GET',
    path: '/api/apps/:app/functions/:function/versions/:version',
    auth: signedInOrKey,
    may: siteManagers,
    answers: { 200: functionVersion },
    handle: async ({ ctx, params }) => ({
      200: await readVersion(ctx, params.app, params.function, parseId(params.version)),
    }),
  }),
  route({
    id: 'restoreFunctionVersion',
    summary: 'Restore a version of a function',
    description:
      'Restores the code and the settings of the version, which creates a new version. Headers and the ' +
      'signing secret do not change.',
    method: 'POST',
    path: '/api/apps/:app/functions/:function/versions/:version/restore',
    auth: signedInOrKey,
    may: siteManagers,
    answers: { 200: functionRecord },
    handle: async ({ ctx, params }) => ({
      200: await restoreVersion(ctx, params.app, params.function, parseId(params.version)),
    }),
  }),
]
