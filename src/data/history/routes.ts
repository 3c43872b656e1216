/** /api/apps/{app_slug}/datatables/{name}/data/{record}/history and …/restore/{version}: the versions of a record. */

import * as z from 'zod'
import { signedIn, signedInOrKey, signedInOrKeyOrAnybody } from '../../kernel/access/credentials.ts'
import { recordRestorers, recordVisitors, siteManagers } from '../../kernel/access/policies.ts'
import { errorAndDetails } from '../../kernel/http/dialects.ts'
import { bareAnswer, checkEnvelope } from '../../kernel/http/envelope.ts'
import { errorDetail, validationFailed } from '../../kernel/http/openapi/bodies.ts'
import { preparedJson, type Route, route } from '../../kernel/http/route.ts'
import { lateQuery, rawQuery } from '../../kernel/http/validate.ts'
import { historyBuilding } from '../catalog/schema.ts'
import { ifMatchTags, rejectionsWithoutBody, respondToWrite } from '../records/responses.ts'
import { oneRecord, record } from '../records/schema.ts'
import { readFlags } from '../write/parse/parameters.ts'
import { eraseVersions } from './erase.ts'
import { erased, erasureQuery, restoreQuery, versionList, versionsQuery } from './schema.ts'
import { listVersions, restoreVersion } from './service.ts'

/** The routes of versions. */
export const historyRoutes: readonly Route[] = [
  route({
    id: 'listRecordVersions',
    summary: 'List the versions of a record',
    description: 'Requires a table with `"history": true`. A deleted record keeps its versions.',
    method: 'GET',
    path: '/api/apps/:app/datatables/:table/data/:record/history',
    auth: signedInOrKeyOrAnybody,
    may: recordVisitors,
    dialect: errorAndDetails,
    mayBeOld: true,
    query: lateQuery(versionsQuery),
    answers: {
      200: versionList,
      400: validationFailed,
      404: errorDetail,
      409: historyBuilding,
      422: errorDetail,
    },
    handle: async ({ ctx, params, query, c }) => preparedJson(c, 200, await listVersions(ctx, params, query)),
  }),
  route({
    id: 'eraseRecordVersions',
    summary: 'Erase the versions of a record',
    description:
      'Permanently erases the versions of a record, also of a deleted one. If the record exists, its ' +
      'latest version is kept, because it equals the record. The audit log has an entry for this.',
    method: 'DELETE',
    path: '/api/apps/:app/datatables/:table/data/:record/history',
    auth: signedIn,
    may: siteManagers,
    dialect: errorAndDetails,
    query: rawQuery(erasureQuery),
    answers: {
      200: erased,
      400: validationFailed,
      403: errorDetail,
      404: errorDetail,
      409: historyBuilding,
      422: errorDetail,
    },
    handle: async ({ ctx, params, query }) => ({ 200: await eraseVersions(ctx, params, readFlags(query)) }),
  }),
  route({
    id: 'restoreRecordVersion',
    summary: 'Restore a version of a record',
    description:
      'Writes the fields of the version to the record. As for any change, this checks them, raises ' +
      'an event and ' +
      'creates a version. A deleted record is created again with its key.',
    method: 'POST',
    path: '/api/apps/:app/datatables/:table/data/:record/restore/:version',
    auth: signedInOrKey,
    may: recordRestorers,
    dialect: errorAndDetails,
    headers: ['If-Match'],
    repeatable: true,
    query: rawQuery(restoreQuery),
    answers: {
      ...rejectionsWithoutBody,
      200: [{ body: oneRecord, headers: ['ETag'] }, bareAnswer(record)],
      404: errorDetail,
      409: z.union([historyBuilding, rejectionsWithoutBody[409]]),
      412: errorDetail,
      422: z.union([rejectionsWithoutBody[422], errorDetail]),
    },
    checks: [checkEnvelope],
    handle: async ({ ctx, params, query, c }) => {
      const { isDry } = readFlags(query)
      return respondToWrite(c, 200, await restoreVersion(ctx, params, { isDry, ifMatch: ifMatchTags(c) }))
    },
  }),
]
