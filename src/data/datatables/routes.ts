/** /api/apps/{app_slug}/datatables */
import { Hono } from 'hono'
import { z } from 'zod'
import { siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { errorDetail, fieldMessages } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body, query } from '../../http/validate.ts'
import { datatable, datatableListItem, packageInput, packageQuery } from './schema.ts'
import { createSchema, listDatatables, materialize, readDatatable } from './service.ts'

export const datatableRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datatables'>()
  .get('/', operation('List datatables', { 200: z.array(datatableListItem) }), siteReaders, async (c) =>
    c.json(await listDatatables(c.var.ctx, { app: c.req.param('app') })),
  )
  .post(
    '/create_schema',
    operation('Create the datatables of a data package', { 201: z.object({ datatables: z.array(datatable) }), 422: errorDetail }),
    siteManagers,
    body(packageInput),
    query(packageQuery),
    async (c) => c.json(await createSchema(c.var.ctx, c.req.param('app'), c.req.valid('json'), c.req.valid('query')), 201),
  )
  .get('/:table', operation('Read a datatable', { 200: datatable }), siteReaders, async (c) =>
    c.json(await readDatatable(c.var.ctx, { app: c.req.param('app'), table: c.req.param('table') })),
  )
  .post(
    '/:table/materialize',
    operation('Materialize a datatable', { 200: datatable, 400: fieldMessages, 422: errorDetail }),
    siteManagers,
    async (c) => c.json(await materialize(c.var.ctx, { app: c.req.param('app'), table: c.req.param('table') })),
  )
