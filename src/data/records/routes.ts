/** /api/apps/{app_slug}/datatables/{name}/data: the records of a datatable. */

import type { MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { signedInOrKeyOrAnybody } from '../../kernel/access/credentials.ts'
import {
  recordCreators,
  recordDeleters,
  recordUpserters,
  recordVisitors,
  recordWriters,
} from '../../kernel/access/policies.ts'
import type { AppEnv } from '../../kernel/http/app-env.ts'
import { errorAndDetails } from '../../kernel/http/dialects.ts'
import { bareAnswer, checkEnvelope, profileAnswers, respond } from '../../kernel/http/envelope.ts'
import { liveAnswer } from '../../kernel/http/live-answer.ts'
import { detail, errorDetail, validationFailed } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { streamFormOf } from '../../kernel/http/stream-forms.ts'
import { respondWithStream, streamAnswers, varyByAccept } from '../../kernel/http/streamed.ts'
import { rawQuery, textBody } from '../../kernel/http/validate.ts'
import { historyBuilding } from '../catalog/schema.ts'
import { manyStates } from '../failures/errors.ts'
import { asksForForm, asksForWalk } from '../graph/parse.ts'
import { listWithNodes, walkFromRoots } from '../graph/service.ts'
import { selectsRecords } from '../write/parse/matching.ts'
import { requests } from '../write/requests.ts'
import { runWrite } from '../write/run.ts'
import { oneRecordRoutes } from './one-record-routes.ts'
import { listDescription, listQuery } from './query-schema.ts'
import {
  ifMatchTags,
  rejections,
  respondToWrites,
  respondWithText,
  schemaHeader,
  sentIn,
  tellSchema,
} from './responses.ts'
import {
  bareList,
  bareOneOrMany,
  bareRecords,
  graph,
  groupList,
  lines,
  newRecords,
  recordChanges,
  recordList,
  records,
  totals,
  tree,
  upsertBody,
} from './schema.ts'
import { listRecords } from './service.ts'
import { openStream } from './stream.ts'
import { createQuery, deleteQuery, updateQuery, upsertQuery } from './write-query-schema.ts'
import {
  created,
  deletedRecords,
  minimal,
  notCreated,
  partlyWritten,
  upsertedRecords,
} from './write-schema.ts'

/** Rejects If-Match on operations that would ignore it because they write many records. */
const rejectIfMatch: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (ifMatchTags(c) !== null) throw manyStates()
  await next()
}

const partialDescription = 'With `atomic=false`: some records are invalid and were not written.'
const partialAnswers = [
  { body: partlyWritten, description: partialDescription },
  ...profileAnswers({ minimal: minimal.partial }),
]

const createAnswers = (body: z.ZodType) => [
  { body, headers: ['ETag'] },
  ...profileAnswers({ minimal: minimal.created }),
  bareAnswer(bareOneOrMany),
]

const upsertAnswers = [
  { body: upsertedRecords, headers: ['ETag'] },
  ...profileAnswers({ minimal: minimal.upserted }),
  bareAnswer(bareOneOrMany),
]

export const recordRoutes: readonly Route[] = [
  route({
    id: 'listRecords',
    summary: 'List records',
    description: listDescription,
    method: 'GET',
    path: '/api/apps/:app/datatables/:table/data',
    auth: signedInOrKeyOrAnybody,
    may: recordVisitors,
    dialect: errorAndDetails,
    mayBeOld: true,
    isViewable: true,
    query: rawQuery(listQuery),
    answers: {
      200: [
        { body: recordList, headers: ['X-Total-Count', schemaHeader] },
        ...profileAnswers({ aggregate: totals, group: groupList, tree, graph }),
        bareAnswer(bareList),
        ...streamAnswers(lines),
        liveAnswer,
      ],
      400: z.union([validationFailed, errorDetail]),
      409: historyBuilding,
      422: errorDetail,
    },
    checks: [varyByAccept, checkEnvelope],
    handle: async ({ ctx, params, query, c }) => {
      const form = streamFormOf(c.req.header('accept'))
      if (form) return respondWithStream(c, form, params.table, await openStream(ctx, params, query, form))
      const list = await listFunction(query)(ctx, params, query)
      if (list.total !== undefined) c.header('X-Total-Count', String(list.total))
      tellSchema(c)
      return respond(c, 200, list)
    },
  }),
  route({
    id: 'createRecord',
    summary: 'Create records',
    description:
      'Creates one record or an array: all, or none. A single record is returned with its ETag. ' +
      'New related ' +
      'records can be nested in a record, under the names of relationships. With ' +
      '`on_conflict=ignore`, records whose unique values are taken are skipped; the status is 200 if no ' +
      'record was created.',
    method: 'POST',
    path: '/api/apps/:app/datatables/:table/data',
    auth: signedInOrKeyOrAnybody,
    may: recordCreators,
    dialect: errorAndDetails,
    repeatable: true,
    query: rawQuery(createQuery),
    body: textBody(newRecords, lines),
    answers: {
      ...rejections,
      403: errorDetail,
      200: createAnswers(notCreated),
      201: createAnswers(created),
      207: partialAnswers,
    },
    checks: [checkEnvelope],
    handle: async ({ ctx, params, query, body, c }) => {
      const answer = await runWrite(ctx, params, requests.create, sentIn(c, query, body))
      return respondToWrites(c, answer.created ? 201 : 200, answer)
    },
  }),
  route({
    id: 'updateRecords',
    summary: 'Change records',
    description:
      'Changes all records of the array, or none. Each contains its primary key, or `id` instead: an array ' +
      'of the values of a composite key. With `filter`, the body is one object: the change of all records ' +
      'that match, at most 10,000; with `all=true` and without a filter, that of every record.',
    method: 'PATCH',
    path: '/api/apps/:app/datatables/:table/data',
    auth: signedInOrKeyOrAnybody,
    may: recordWriters,
    dialect: errorAndDetails,
    repeatable: true,
    query: rawQuery(updateQuery),
    body: textBody(recordChanges, lines),
    answers: {
      207: partialAnswers,
      ...rejections,
      200: [{ body: records }, ...profileAnswers({ minimal: minimal.updated }), bareAnswer(bareRecords)],
      403: errorDetail,
      404: errorDetail,
      412: errorDetail,
    },
    checks: [checkEnvelope, rejectIfMatch],
    handle: async ({ ctx, params, query, body, c }) => {
      const request = selectsRecords(query) ? requests.updateMatching : requests.updateEach
      return respondToWrites(c, 200, await runWrite(ctx, params, request, sentIn(c, query, body)))
    },
  }),
  route({
    id: 'deleteRecords',
    summary: 'Delete records',
    description:
      'Deletes the records of `ids`, those that match `filter`, or with `all=true` every record: all, or ' +
      'none. At most 10,000.',
    method: 'DELETE',
    path: '/api/apps/:app/datatables/:table/data',
    auth: signedInOrKeyOrAnybody,
    may: recordDeleters,
    dialect: errorAndDetails,
    repeatable: true,
    query: rawQuery(deleteQuery),
    answers: {
      200: deletedRecords,
      400: validationFailed,
      403: errorDetail,
      412: errorDetail,
      413: detail,
      422: errorDetail,
    },
    checks: [rejectIfMatch],
    handle: async ({ ctx, params, query, c }) =>
      respondWithText(c, 200, await runWrite(ctx, params, requests.deleteMany, sentIn(c, query))),
  }),
  route({
    id: 'upsertRecords',
    summary: 'Upsert records',
    description:
      'Changes existing records and creates the others: all, or none. The status is 201 if any record was ' +
      'created.',
    method: 'POST',
    path: '/api/apps/:app/datatables/:table/data/upsert',
    auth: signedInOrKeyOrAnybody,
    may: recordUpserters,
    dialect: errorAndDetails,
    repeatable: true,
    query: rawQuery(upsertQuery),
    body: textBody(upsertBody, lines),
    answers: {
      ...rejections,
      200: upsertAnswers,
      201: upsertAnswers,
      207: partialAnswers,
      403: errorDetail,
      412: errorDetail,
    },
    checks: [checkEnvelope, rejectIfMatch],
    handle: async ({ ctx, params, query, body, c }) => {
      const upserted = await runWrite(ctx, params, requests.upsert, sentIn(c, query, body))
      return respondToWrites(c, upserted.created ? 201 : 200, upserted)
    },
  }),
  ...oneRecordRoutes,
]

/**
 * Returns the function for a list: a tree or graph from all roots, records with the nodes of their walks, or
 * plain records.
 */
function listFunction(query: URLSearchParams) {
  if (asksForForm(query)) return walkFromRoots
  return asksForWalk(query) ? listWithNodes : listRecords
}
