/** /api/apps/{app_slug}/datatables */
import { Hono } from 'hono'
import { siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { body, query } from '../../http/validate.ts'
import { packageInput, packageQuery } from './schema.ts'
import { createSchema, listDatatables, materialize, readDatatable } from './service.ts'

export const datatableRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datatables'>()
  .get('/', siteReaders, async (c) => c.json(await listDatatables(c.var.ctx, { app: c.req.param('app') })))
  .post('/create_schema', siteManagers, body(packageInput), query(packageQuery), async (c) =>
    c.json(await createSchema(c.var.ctx, c.req.param('app'), c.req.valid('json'), c.req.valid('query')), 201),
  )
  .get('/:table', siteReaders, async (c) => c.json(await readDatatable(c.var.ctx, { app: c.req.param('app'), table: c.req.param('table') })))
  .post('/:table/materialize', siteManagers, async (c) =>
    c.json(await materialize(c.var.ctx, { app: c.req.param('app'), table: c.req.param('table') })),
  )
