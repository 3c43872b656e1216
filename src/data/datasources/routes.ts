/** /api/apps/{app_slug}/datasources */
import { Hono } from 'hono'
import { z } from 'zod'
import { siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { errorDetail, fieldMessages } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body, query } from '../../http/validate.ts'
import { datatable, datatableInput, datatableListItem, materializeQuery } from '../datatables/schema.ts'
import { createDatatable, listDatatables, materialize, readDatatable } from '../datatables/service.ts'
import { datasource, datasourceInput, datasourceListItem } from './schema.ts'
import { createDatasource, listDatasources, readDatasource } from './service.ts'

export const datasourceRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datasources'>()
  .get('/', operation('List datasources', { 200: z.array(datasourceListItem) }), siteReaders, async (c) =>
    c.json(await listDatasources(c.var.ctx, c.req.param('app'))),
  )
  .post('/', operation('Create a datasource', { 201: datasource, 422: errorDetail }), siteManagers, body(datasourceInput), async (c) =>
    c.json(await createDatasource(c.var.ctx, c.req.param('app'), c.req.valid('json')), 201),
  )
  .get('/:datasource', operation('Read a datasource', { 200: datasource }), siteReaders, async (c) =>
    c.json(await readDatasource(c.var.ctx, c.req.param('app'), c.req.param('datasource'))),
  )

  .get('/:datasource/datatables', operation('List the datatables of a datasource', { 200: z.array(datatableListItem) }), siteReaders, async (c) =>
    c.json(await listDatatables(c.var.ctx, c.req.param())),
  )
  .post(
    '/:datasource/datatables',
    operation('Create a datatable', { 201: datatable, 422: errorDetail }),
    siteManagers,
    body(datatableInput),
    query(materializeQuery),
    async (c) => c.json(await createDatatable(c.var.ctx, c.req.param(), c.req.valid('json'), c.req.valid('query').materialize), 201),
  )
  .get('/:datasource/datatables/:table', operation('Read a datatable of a datasource', { 200: datatable }), siteReaders, async (c) =>
    c.json(await readDatatable(c.var.ctx, c.req.param())),
  )
  .post(
    '/:datasource/datatables/:table/materialize',
    operation('Materialize a datatable of a datasource', { 200: datatable, 400: fieldMessages, 422: errorDetail }),
    siteManagers,
    async (c) => c.json(await materialize(c.var.ctx, c.req.param())),
  )
