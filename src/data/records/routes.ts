/** /api/apps/{app_slug}/datatables/{name}/data */
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { recordMakers, recordWriters, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { errorAndDetails } from '../../http/dialects.ts'
import { namesTag, quotedTag, tagsOf } from '../../http/entity-tags.ts'
import { bareAnswer, bareType, checkedEnvelope, profileAnswers, respond, wantsBare } from '../../http/envelope.ts'
import { detail, errorDetail, validationFailed } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { bodyRefusals } from '../../http/validate.ts'
import { createRecords } from './create.ts'
import { deleteRecord, deleteRecords } from './delete.ts'
import { manyStates } from './errors.ts'
import {
  bareList,
  bareOneOrMany,
  bareRecord,
  bareRecords,
  createQuery,
  deletedRecords,
  deleteOneQuery,
  deleteQuery,
  fieldFailure,
  graph,
  groupList,
  listDescription,
  listQuery,
  newRecord,
  newRecords,
  oneOrMany,
  oneRecord,
  readDescription,
  readQuery,
  recordChange,
  recordChanges,
  recordList,
  records,
  related,
  totals,
  tree,
  updateQuery,
  upsertBody,
  upsertedRecords,
  upsertQuery,
  writeRefused,
} from './schema.ts'
import { listRecords, readRecord } from './service.ts'
import { replaceRecord, updateRecord, updateRecords } from './update.ts'
import { upsertRecords } from './upsert.ts'
import type { RecordBody } from './views.ts'

const writeRefusals = { ...bodyRefusals, 400: z.union([detail, validationFailed, fieldFailure]), 409: fieldFailure, 422: writeRefused }

/** Nothing is written under a condition that would not be looked at. */
const ofMany: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (states(c) !== null) throw manyStates()
  await next()
}

export const recordRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datatables/:table/data'>()
  .use(errorAndDetails)
  .get(
    '/',
    operation(
      'listRecords',
      'List records',
      { 200: { body: recordList, headers: ['X-Total-Count'] }, 400: z.union([validationFailed, errorDetail]), 422: errorDetail },
      { query: listQuery, description: listDescription },
    ),
    profileAnswers(200, { aggregate: totals, group: groupList, tree, graph }),
    bareAnswer(200, bareList),
    siteReaders,
    checkedEnvelope,
    async (c) => {
      const list = await listRecords(c.var.ctx, c.req.param(), parameters(c))
      if (list.total !== undefined) c.header('X-Total-Count', String(list.total))
      return respond(c, list)
    },
  )
  .post(
    '/',
    operation(
      'createRecord',
      'Create records',
      { ...writeRefusals, 201: { body: oneOrMany, headers: ['ETag'] } },
      { body: newRecords, query: createQuery, description: 'One, or an array of them: every one is created, or none. One comes with its ETag.' },
    ),
    bareAnswer(201, bareOneOrMany),
    recordMakers,
    checkedEnvelope,
    async (c) => record(c, await createRecords(c.var.ctx, c.req.param(), await c.req.text()), 201),
  )
  .patch(
    '/',
    operation(
      'updateRecords',
      'Change records',
      { ...writeRefusals, 200: records, 404: errorDetail, 412: errorDetail },
      {
        body: recordChanges,
        query: updateQuery,
        description: 'Each names itself by its primary key, which may be called `id` if it is one field: every one is changed, or none.',
      },
    ),
    bareAnswer(200, bareRecords),
    recordWriters,
    checkedEnvelope,
    ofMany,
    async (c) => record(c, await updateRecords(c.var.ctx, c.req.param(), await c.req.text(), parameters(c))),
  )
  .delete(
    '/',
    operation(
      'deleteRecords',
      'Delete records',
      { 200: deletedRecords, 400: validationFailed, 403: errorDetail, 412: errorDetail, 413: detail, 422: errorDetail },
      { query: deleteQuery, description: 'Those of `ids`, or those that `filter` matches: all of them, or none. At most 10,000.' },
    ),
    recordWriters,
    ofMany,
    async (c) => json(c, await deleteRecords(c.var.ctx, c.req.param(), parameters(c))),
  )
  .post(
    '/upsert',
    operation(
      'upsertRecords',
      'Upsert records',
      {
        ...writeRefusals,
        200: { body: upsertedRecords, headers: ['ETag'] },
        201: { body: upsertedRecords, headers: ['ETag'] },
        412: errorDetail,
      },
      {
        body: upsertBody,
        query: upsertQuery,
        description: 'Changes the records that there are, creates the others: every one, or none. 201 when it created any.',
      },
    ),
    bareAnswer(200, bareOneOrMany),
    bareAnswer(201, bareOneOrMany),
    recordMakers,
    checkedEnvelope,
    ofMany,
    async (c) => {
      const upserted = await upsertRecords(c.var.ctx, c.req.param(), await c.req.text(), parameters(c))
      return record(c, upserted, upserted.created ? 201 : 200)
    },
  )
  .get(
    '/:record',
    operation(
      'getRecord',
      'Read a record',
      {
        200: { body: oneRecord, headers: ['ETag'] },
        304: { headers: ['ETag'] },
        400: z.union([validationFailed, errorDetail]),
        404: errorDetail,
        422: errorDetail,
      },
      {
        query: readQuery,
        headers: ['If-None-Match'],
        description: readDescription,
      },
    ),
    profileAnswers(200, { include: related, tree, graph }),
    bareAnswer(200, bareOneOrMany),
    siteReaders,
    checkedEnvelope,
    async (c) => {
      const read = await readRecord(c.var.ctx, c.req.param(), parameters(c))
      if (c.req.query('populate') || read.etag === null || !namesTag(c.req.header('if-none-match'), read.etag)) return record(c, read)
      return c.body(null, 304, { ETag: quotedTag(read.etag) })
    },
  )
  .patch(
    '/:record',
    operation(
      'updateRecord',
      'Change a record',
      { ...writeRefusals, 200: { body: oneRecord, headers: ['ETag'] }, 404: errorDetail, 412: errorDetail },
      { body: recordChange, query: updateQuery, headers: ['If-Match'], description: 'Fields that are left out keep their values.' },
    ),
    bareAnswer(200, bareRecord),
    recordWriters,
    checkedEnvelope,
    async (c) => record(c, await updateRecord(c.var.ctx, c.req.param(), await c.req.text(), parameters(c), states(c))),
  )
  .put(
    '/:record',
    operation(
      'replaceRecord',
      'Replace a record',
      { ...writeRefusals, 200: { body: oneRecord, headers: ['ETag'] }, 404: errorDetail, 412: errorDetail },
      {
        body: newRecord,
        query: updateQuery,
        headers: ['If-Match'],
        description: 'Fields that are left out get their defaults. The primary key and `created_at` stay. A record that was read can be sent back.',
      },
    ),
    bareAnswer(200, bareRecord),
    recordWriters,
    checkedEnvelope,
    async (c) => record(c, await replaceRecord(c.var.ctx, c.req.param(), await c.req.text(), parameters(c), states(c))),
  )
  .delete(
    '/:record',
    operation(
      'deleteRecord',
      'Delete a record',
      { 204: null, 400: validationFailed, 403: errorDetail, 404: errorDetail, 412: errorDetail, 422: errorDetail },
      {
        query: deleteOneQuery,
        headers: ['If-Match'],
        description: `In a table with \`is_deleted\` it is marked as deleted, and stays. With \`Accept: ${bareType}\` the answer is the record.`,
      },
    ),
    bareAnswer(200, bareRecord),
    recordWriters,
    async (c) => {
      const deleted = await deleteRecord(c.var.ctx, c.req.param(), parameters(c), states(c), wantsBare(c))
      return deleted ? respond(c, deleted) : c.body(null, 204)
    },
  )

const parameters = (c: Context) => new URL(c.req.url).searchParams

/** The states that If-Match names; `*` asks for no more than the record itself. */
function states(c: Context): readonly string[] | null {
  const tags = tagsOf(c.req.header('if-match'))
  return tags === '*' ? null : tags
}

/** A body that is JSON already. */
const json = (c: Context, text: string, status: 200 | 201 = 200) => c.body(text, status, { 'Content-Type': 'application/json' })

function record(c: Context, answer: RecordBody, status: 200 | 201 = 200) {
  if (answer.etag !== null) c.header('ETag', quotedTag(answer.etag))
  return respond(c, answer, status)
}
