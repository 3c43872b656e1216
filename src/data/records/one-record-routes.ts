/** /api/apps/{app_slug}/datatables/{name}/data/{record}: one record of a datatable. */

import * as z from 'zod'
import { signedInOrKeyOrAnybody } from '../../kernel/access/credentials.ts'
import { recordDeleters, recordVisitors, recordWriters } from '../../kernel/access/policies.ts'
import { errorAndDetails } from '../../kernel/http/dialects.ts'
import { namesTag, quotedTag } from '../../kernel/http/entity-tags.ts'
import {
  bareAnswer,
  bareType,
  checkEnvelope,
  profileAnswers,
  wantsBareData,
} from '../../kernel/http/envelope.ts'
import { liveAnswer } from '../../kernel/http/live-answer.ts'
import { errorDetail, validationFailed } from '../../kernel/http/openapi/bodies.ts'
import type { Answers } from '../../kernel/http/openapi/describe.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { rawQuery, textBody } from '../../kernel/http/validate.ts'
import { historyBuilding } from '../catalog/schema.ts'
import { asksForWalk } from '../graph/parse.ts'
import { walkFrom } from '../graph/service.ts'
import { requests } from '../write/requests.ts'
import { runWrite } from '../write/run.ts'
import { readDescription, readQuery } from './query-schema.ts'
import {
  entityTagFor,
  rejections,
  respondToWrite,
  respondWithRecord,
  schemaHeader,
  sentIn,
  tellSchema,
} from './responses.ts'
import {
  bareOneOrMany,
  graph,
  oneRecord,
  record,
  recordChange,
  recordReplacement,
  related,
  tree,
} from './schema.ts'
import { readRecord } from './service.ts'
import { deleteOneQuery, updateOneQuery } from './write-query-schema.ts'
import { minimal } from './write-schema.ts'

const changeAnswers = {
  ...rejections,
  200: [
    { body: oneRecord, headers: ['ETag'] },
    ...profileAnswers({ minimal: minimal.updated }),
    bareAnswer(record),
  ],
  403: errorDetail,
  404: errorDetail,
  412: errorDetail,
} satisfies Answers

export const oneRecordRoutes: readonly Route[] = [
  route({
    id: 'getRecord',
    summary: 'Read a record',
    description: readDescription,
    method: 'GET',
    path: '/api/apps/:app/datatables/:table/data/:record',
    auth: signedInOrKeyOrAnybody,
    may: recordVisitors,
    dialect: errorAndDetails,
    mayBeOld: true,
    isViewable: true,
    headers: ['If-None-Match'],
    query: rawQuery(readQuery),
    answers: {
      200: [
        { body: oneRecord, headers: ['ETag', schemaHeader] },
        ...profileAnswers({ include: related, tree, graph }),
        bareAnswer(bareOneOrMany),
        liveAnswer,
      ],
      304: { headers: ['ETag'] },
      400: z.union([validationFailed, errorDetail]),
      404: errorDetail,
      409: historyBuilding,
      422: errorDetail,
    },
    checks: [checkEnvelope],
    handle: async ({ ctx, params, query, c }) => {
      const read = await (asksForWalk(query) ? walkFrom : readRecord)(ctx, params, query)
      const tag = entityTagFor(c, read)
      tellSchema(c)
      if (tag === null || read.isPopulated || !namesTag(c.req.header('if-none-match'), tag))
        return respondWithRecord(c, 200, read)
      return { 304: null, headers: { ETag: quotedTag(tag) } }
    },
  }),
  route({
    id: 'updateRecord',
    summary: 'Change a record',
    description: 'Omitted fields keep their values.',
    method: 'PATCH',
    path: '/api/apps/:app/datatables/:table/data/:record',
    auth: signedInOrKeyOrAnybody,
    may: recordWriters,
    dialect: errorAndDetails,
    headers: ['If-Match'],
    repeatable: true,
    query: rawQuery(updateOneQuery),
    body: textBody(recordChange),
    answers: changeAnswers,
    checks: [checkEnvelope],
    handle: async ({ ctx, params, query, body, c }) =>
      respondToWrite(c, 200, await runWrite(ctx, params, requests.update, sentIn(c, query, body))),
  }),
  route({
    id: 'replaceRecord',
    summary: 'Replace a record',
    description:
      'Omitted fields get their defaults. The primary key and `created_at` stay unchanged. A record can ' +
      'be sent ' +
      'back as it was read.',
    method: 'PUT',
    path: '/api/apps/:app/datatables/:table/data/:record',
    auth: signedInOrKeyOrAnybody,
    may: recordWriters,
    dialect: errorAndDetails,
    headers: ['If-Match'],
    repeatable: true,
    query: rawQuery(updateOneQuery),
    body: textBody(recordReplacement),
    answers: changeAnswers,
    checks: [checkEnvelope],
    handle: async ({ ctx, params, query, body, c }) =>
      respondToWrite(c, 200, await runWrite(ctx, params, requests.replace, sentIn(c, query, body))),
  }),
  route({
    id: 'deleteRecord',
    summary: 'Delete a record',
    description:
      'In a table with `is_deleted`, the record is only marked as deleted. ' +
      `With \`return=records\` the answer contains the record; with \`Accept: ${bareType}\` it is ` +
      `the record.`,
    method: 'DELETE',
    path: '/api/apps/:app/datatables/:table/data/:record',
    auth: signedInOrKeyOrAnybody,
    may: recordDeleters,
    dialect: errorAndDetails,
    headers: ['If-Match'],
    repeatable: true,
    query: rawQuery(deleteOneQuery),
    answers: {
      200: [{ body: oneRecord }, ...profileAnswers({ minimal: minimal.deleted }), bareAnswer(record)],
      204: null,
      400: validationFailed,
      403: errorDetail,
      404: errorDetail,
      412: errorDetail,
      422: errorDetail,
    },
    handle: async ({ ctx, params, query, c }) => {
      const sent = { ...sentIn(c, query), returns: wantsBareData(c) }
      const deleted = await runWrite(ctx, params, requests.delete, sent)
      return deleted ? respondToWrite(c, 200, deleted) : { 204: null }
    },
  }),
]
