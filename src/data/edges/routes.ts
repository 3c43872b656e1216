/** The endpoints of edges: /api/apps/{app_slug}/datatables/{name}/edges/. */

import * as z from 'zod'
import { signedInOrKeyOrAnybody } from '../../kernel/access/credentials.ts'
import { edgeWriters, recordVisitors } from '../../kernel/access/policies.ts'
import { errorAndDetails } from '../../kernel/http/dialects.ts'
import { detail, errorDetail, validationFailed } from '../../kernel/http/openapi/bodies.ts'
import { preparedJson, type Route, route } from '../../kernel/http/route.ts'
import { bodyErrors, lateQuery, rawQuery, textBody } from '../../kernel/http/validate.ts'
import { respondWithText, sentIn } from '../records/responses.ts'
import { fieldFailure } from '../records/schema.ts'
import { edgeRequests } from '../write/edge-requests.ts'
import { runWrite } from '../write/run.ts'
import {
  createdEdges,
  deletedEdges,
  edgeIds,
  edgeList,
  edgesQuery,
  newEdge,
  newEdges,
  oneEdge,
  writeQuery,
} from './schema.ts'
import { listEdges } from './service.ts'

const errors = {
  ...bodyErrors,
  400: z.union([detail, validationFailed]),
  403: errorDetail,
  422: errorDetail,
}
const rules =
  'The database enforces the rules of each type: ' +
  '`max_outgoing`, `max_incoming`, and no cycles in a hierarchy.'

/** The endpoints. */
export const edgeRoutes: readonly Route[] = [
  route({
    id: 'listEdges',
    summary: 'List edges',
    method: 'GET',
    path: '/api/apps/:app/datatables/:table/edges',
    auth: signedInOrKeyOrAnybody,
    may: recordVisitors,
    dialect: errorAndDetails,
    mayBeOld: true,
    isViewable: true,
    query: lateQuery(edgesQuery),
    answers: { 200: edgeList, 400: validationFailed, 422: errorDetail },
    handle: async ({ ctx, params, query, c }) => preparedJson(c, 200, await listEdges(ctx, params, query)),
  }),
  route({
    id: 'createEdges',
    summary: 'Create edges',
    description: `Creates all edges of the array, or none. ${rules}`,
    method: 'POST',
    path: '/api/apps/:app/datatables/:table/edges',
    auth: signedInOrKeyOrAnybody,
    may: edgeWriters,
    dialect: errorAndDetails,
    repeatable: true,
    query: rawQuery(writeQuery),
    body: textBody(newEdges),
    answers: { ...errors, 200: createdEdges, 201: createdEdges, 409: fieldFailure },
    handle: async ({ ctx, params, query, body, c }) =>
      respondWithText(c, 201, await runWrite(ctx, params, edgeRequests.create, sentIn(c, query, body))),
  }),
  route({
    id: 'deleteEdges',
    summary: 'Delete edges',
    description: 'Ids that no edge has are ignored.',
    method: 'DELETE',
    path: '/api/apps/:app/datatables/:table/edges',
    auth: signedInOrKeyOrAnybody,
    may: edgeWriters,
    dialect: errorAndDetails,
    repeatable: true,
    query: rawQuery(writeQuery),
    body: textBody(edgeIds),
    answers: { ...errors, 200: deletedEdges },
    handle: async ({ ctx, params, query, body, c }) =>
      respondWithText(c, 200, await runWrite(ctx, params, edgeRequests.delete, sentIn(c, query, body))),
  }),
  route({
    id: 'updateEdge',
    summary: 'Replace an edge',
    description: `Replaces everything but the id. Without \`metadata\`, the edge loses it. ${rules}`,
    method: 'PATCH',
    path: '/api/apps/:app/datatables/:table/edges/:edge',
    auth: signedInOrKeyOrAnybody,
    may: edgeWriters,
    dialect: errorAndDetails,
    repeatable: true,
    query: rawQuery(writeQuery),
    body: textBody(newEdge),
    answers: { ...errors, 200: oneEdge, 404: errorDetail, 409: fieldFailure },
    handle: async ({ ctx, params, query, body, c }) =>
      respondWithText(c, 200, await runWrite(ctx, params, edgeRequests.replace, sentIn(c, query, body))),
  }),
]
