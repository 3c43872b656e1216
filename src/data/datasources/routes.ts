/** /api/apps/{app_slug}/datasources */
import { Hono } from 'hono'
import { siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { body, query } from '../../http/validate.ts'
import { datatableInput, materializeQuery } from '../datatables/schema.ts'
import { createDatatable, listDatatables, materialize, readDatatable } from '../datatables/service.ts'
import { datasourceInput } from './schema.ts'
import { createDatasource, listDatasources, readDatasource } from './service.ts'

export const datasourceRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datasources'>()
  .get('/', siteReaders, async (c) => c.json(await listDatasources(c.var.ctx, c.req.param('app'))))
  .post('/', siteManagers, body(datasourceInput), async (c) =>
    c.json(await createDatasource(c.var.ctx, c.req.param('app'), c.req.valid('json')), 201),
  )
  .get('/:datasource', siteReaders, async (c) => c.json(await readDatasource(c.var.ctx, c.req.param('app'), c.req.param('datasource'))))

  .get('/:datasource/datatables', siteReaders, async (c) => c.json(await listDatatables(c.var.ctx, c.req.param())))
  .post('/:datasource/datatables', siteManagers, body(datatableInput), query(materializeQuery), async (c) =>
    c.json(await createDatatable(c.var.ctx, c.req.param(), c.req.valid('json'), c.req.valid('query').materialize), 201),
  )
  .get('/:datasource/datatables/:table', siteReaders, async (c) => c.json(await readDatatable(c.var.ctx, c.req.param())))
  .post('/:datasource/datatables/:table/materialize', siteManagers, async (c) => c.json(await materialize(c.var.ctx, c.req.param())))
