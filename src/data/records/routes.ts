/** /api/apps/{app_slug}/datatables/{name}/data */
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { recordMakers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { detail, errorDetail } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { bodyRefusals } from '../../http/validate.ts'
import { fieldFailure, listQuery, newRecords, oneOrMany, oneRecord, recordList, validationFailed } from './schema.ts'
import { createRecords, listRecords, readRecord } from './service.ts'

export const recordRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datatables/:table/data'>()
  .get(
    '/',
    operation(
      'List records',
      { 200: { body: recordList, headers: ['X-Total-Count'] }, 400: validationFailed, 422: errorDetail },
      { query: listQuery, description: 'Any other parameter is a filter: `field=value`, or `field__operator=value`.' },
    ),
    siteReaders,
    async (c) => {
      const { body, total } = await listRecords(c.var.ctx, c.req.param(), new URL(c.req.url).searchParams)
      c.header('X-Total-Count', String(total))
      return json(c, body)
    },
  )
  .post(
    '/',
    operation(
      'Create records',
      { ...bodyRefusals, 201: oneOrMany, 400: z.union([detail, validationFailed, fieldFailure]), 409: fieldFailure, 422: errorDetail },
      { body: newRecords, description: 'One, or an array of them: every one is created, or none.' },
    ),
    recordMakers,
    async (c) => json(c, await createRecords(c.var.ctx, c.req.param(), await c.req.text()), 201),
  )
  .get('/:record', operation('Read a record', { 200: oneRecord, 404: errorDetail, 422: errorDetail }), siteReaders, async (c) =>
    json(c, await readRecord(c.var.ctx, c.req.param(), c.req.param('record'))),
  )

/** A body that is JSON already. */
const json = (c: Context, text: string, status: 200 | 201 = 200) => c.body(text, status, { 'Content-Type': 'application/json' })
