/** /api/apps/{app_slug}/datatables/{name}/data */
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { recordMakers, recordWriters, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { errorAndDetails } from '../../http/dialects.ts'
import { namesTag, quotedTag, tagsOf } from '../../http/entity-tags.ts'
import { detail, errorDetail, validationFailed } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { bodyRefusals } from '../../http/validate.ts'
import { createRecords } from './create.ts'
import { deleteRecord, deleteRecords } from './delete.ts'
import { manyStates } from './errors.ts'
import {
  deletedRecords,
  deleteOneQuery,
  deleteQuery,
  fieldFailure,
  listDescription,
  listQuery,
  newRecords,
  oneOrMany,
  oneRecord,
  readDescription,
  readQuery,
  readRecord as readRecordBody,
  recordChange,
  recordChanges,
  recordList,
  records,
  updateQuery,
  upsertBody,
  upsertedRecords,
  upsertQuery,
  writeRefused,
} from './schema.ts'
import { listRecords, readRecord } from './service.ts'
import { updateRecord, updateRecords } from './update.ts'
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
      'List records',
      { 200: { body: recordList, headers: ['X-Total-Count'] }, 400: z.union([validationFailed, errorDetail]), 422: errorDetail },
      { query: listQuery, description: listDescription },
    ),
    siteReaders,
    async (c) => {
      const { body, total } = await listRecords(c.var.ctx, c.req.param(), parameters(c))
      if (total !== undefined) c.header('X-Total-Count', String(total))
      return json(c, body)
    },
  )
  .post(
    '/',
    operation(
      'Create records',
      { ...writeRefusals, 201: { body: oneOrMany, headers: ['ETag'] } },
      { body: newRecords, description: 'One, or an array of them: every one is created, or none. One comes with its ETag.' },
    ),
    recordMakers,
    async (c) => record(c, await createRecords(c.var.ctx, c.req.param(), await c.req.text()), 201),
  )
  .patch(
    '/',
    operation(
      'Change records',
      { ...writeRefusals, 200: records, 404: errorDetail, 412: errorDetail },
      { body: recordChanges, query: updateQuery, description: 'Each names itself by its primary key: every one is changed, or none.' },
    ),
    recordWriters,
    ofMany,
    async (c) => record(c, await updateRecords(c.var.ctx, c.req.param(), await c.req.text(), parameters(c))),
  )
  .delete(
    '/',
    operation(
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
    recordWriters,
    ofMany,
    async (c) => {
      const upserted = await upsertRecords(c.var.ctx, c.req.param(), await c.req.text(), parameters(c))
      return record(c, upserted, upserted.created ? 201 : 200)
    },
  )
  .get(
    '/:record',
    operation(
      'Read a record',
      {
        200: { body: readRecordBody, headers: ['ETag'] },
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
    siteReaders,
    async (c) => {
      const read = await readRecord(c.var.ctx, c.req.param(), parameters(c))
      if (c.req.query('populate') || read.etag === null || !namesTag(c.req.header('if-none-match'), read.etag)) return record(c, read)
      return c.body(null, 304, { ETag: quotedTag(read.etag) })
    },
  )
  .patch(
    '/:record',
    operation(
      'Change a record',
      { ...writeRefusals, 200: { body: oneRecord, headers: ['ETag'] }, 404: errorDetail, 412: errorDetail },
      { body: recordChange, query: updateQuery, headers: ['If-Match'], description: 'Fields that are left out keep their values.' },
    ),
    recordWriters,
    async (c) => record(c, await updateRecord(c.var.ctx, c.req.param(), await c.req.text(), parameters(c), states(c))),
  )
  .delete(
    '/:record',
    operation(
      'Delete a record',
      { 204: null, 400: validationFailed, 403: errorDetail, 404: errorDetail, 412: errorDetail, 422: errorDetail },
      { query: deleteOneQuery, headers: ['If-Match'], description: 'In a table with `is_deleted` it is marked as deleted, and stays.' },
    ),
    recordWriters,
    async (c) => {
      await deleteRecord(c.var.ctx, c.req.param(), parameters(c), states(c))
      return c.body(null, 204)
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

function record(c: Context, { body, etag }: RecordBody, status: 200 | 201 = 200) {
  if (etag !== null) c.header('ETag', quotedTag(etag))
  return json(c, body, status)
}
