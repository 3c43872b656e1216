/** /api/apps/{app_slug}/datatables/{name}/data */
import { type Context, Hono } from 'hono'
import { recordMakers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { createRecords, listRecords, readRecord } from './service.ts'

export const recordRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datatables/:table/data'>()
  .get('/', siteReaders, async (c) => {
    const { body, total } = await listRecords(c.var.ctx, c.req.param(), new URL(c.req.url).searchParams)
    c.header('X-Total-Count', String(total))
    return json(c, body)
  })
  .post('/', recordMakers, async (c) => json(c, await createRecords(c.var.ctx, c.req.param(), await c.req.text()), 201))
  .get('/:id', siteReaders, async (c) => json(c, await readRecord(c.var.ctx, c.req.param(), c.req.param('id'))))

/** A body that is JSON already. */
const json = (c: Context, text: string, status: 200 | 201 = 200) => c.body(text, status, { 'Content-Type': 'application/json' })
