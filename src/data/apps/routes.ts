/** /api/apps */
import { Hono } from 'hono'
import { siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { pageOfItems } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { pageQuery } from '../../http/paging.ts'
import { body, query } from '../../http/validate.ts'
import { datasourceRoutes } from '../datasources/routes.ts'
import { schemaChangeRoutes } from '../datatables/migrations/routes.ts'
import { datatableRoutes } from '../datatables/routes.ts'
import { recordRoutes } from '../records/routes.ts'
import { app, appInput, appListItem } from './schema.ts'
import { createApp, listApps, readApp } from './service.ts'

export const appRoutes = new Hono<AppEnv>()
  .get('/', operation('List apps', { 200: pageOfItems(appListItem) }), siteReaders, query(pageQuery), async (c) =>
    c.json(await listApps(c.var.ctx, c.req.url, c.req.valid('query'))),
  )
  .post('/', operation('Create an app', { 201: app }), siteManagers, body(appInput), async (c) =>
    c.json(await createApp(c.var.ctx, c.req.valid('json')), 201),
  )
  .get('/:app', operation('Read an app', { 200: app }), siteReaders, async (c) => c.json(await readApp(c.var.ctx, c.req.param('app'))))
  .route('/:app/datasources', datasourceRoutes)
  .route('/:app/datatables', datatableRoutes)
  .route('/:app/datatables/:table', schemaChangeRoutes())
  .route('/:app/datasources/:datasource/datatables/:table', schemaChangeRoutes(' of a datasource'))
  .route('/:app/datatables/:table/data', recordRoutes)
