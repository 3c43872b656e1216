/** /api/apps */
import { Hono } from 'hono'
import { siteDeleters, siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { errorDetail, pageOfItems } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body, query } from '../../http/validate.ts'
import { datasourceRoutes } from '../datasources/routes.ts'
import { schemaChangeRoutes } from '../datatables/migrations/routes.ts'
import { datatableRoutes } from '../datatables/routes.ts'
import { edgeRoutes } from '../edges/routes.ts'
import { recordRoutes } from '../records/routes.ts'
import { app, appChange, appInput, appListItem, appRestored, appStats, appsQuery, newApp } from './schema.ts'
import { changeApp, createApp, deleteApp, listApps, readApp, readAppStats, restoreApp } from './service.ts'

export const appRoutes = new Hono<AppEnv>()
  .get('/', operation('listApps', 'List apps', { 200: pageOfItems(appListItem) }), siteReaders, query(appsQuery), async (c) =>
    c.json(await listApps(c.var.ctx, c.req.url, c.req.valid('query'))),
  )
  .post('/', operation('createApp', 'Create an app', { 201: app, 422: errorDetail }), siteManagers, body(newApp), async (c) =>
    c.json(await createApp(c.var.ctx, c.req.valid('json')), 201),
  )
  .get('/:app', operation('getApp', 'Read an app', { 200: app }), siteReaders, async (c) => c.json(await readApp(c.var.ctx, c.req.param('app'))))
  .put('/:app', operation('replaceApp', 'Replace an app', { 200: app }), siteManagers, body(appInput), async (c) =>
    c.json(await changeApp(c.var.ctx, c.req.param('app'), c.req.valid('json'))),
  )
  .patch('/:app', operation('updateApp', 'Change an app', { 200: app }), siteManagers, body(appChange), async (c) =>
    c.json(await changeApp(c.var.ctx, c.req.param('app'), c.req.valid('json'))),
  )
  .delete(
    '/:app',
    operation('deleteApp', 'Delete an app', { 204: null }, { description: 'It can be restored, with all that it has.' }),
    siteDeleters,
    async (c) => {
      await deleteApp(c.var.ctx, c.req.param('app'))
      return c.body(null, 204)
    },
  )
  .post('/:app/restore', operation('restoreApp', 'Restore a deleted app', { 200: appRestored }), siteManagers, async (c) =>
    c.json(await restoreApp(c.var.ctx, c.req.param('app'))),
  )
  .get('/:app/stats', operation('getAppStats', 'Count what an app has', { 200: appStats }), siteReaders, async (c) =>
    c.json(await readAppStats(c.var.ctx, c.req.param('app'))),
  )
  .route('/:app/datasources', datasourceRoutes)
  .route('/:app/datatables', datatableRoutes)
  .route('/:app/datatables/:table', schemaChangeRoutes())
  .route('/:app/datasources/:datasource/datatables/:table', schemaChangeRoutes(' of a datasource'))
  .route('/:app/datatables/:table/data', recordRoutes)
  .route('/:app/datatables/:table/edges', edgeRoutes)
