/** /api/apps/{app_slug}/datasources */
import { Hono } from 'hono'
import { siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { respondBare } from '../../http/lists/envelopes.ts'
import { bareArray, errorDetail } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body, query } from '../../http/validate.ts'
import { tableRoutes } from '../datatables/routes.ts'
import { datasourceTablesQuery, datatable, datatableInput, datatableListItem, materializeQuery, tablesQuery } from '../datatables/schema.ts'
import { createDatatable, listDatatablesIn } from '../datatables/service.ts'
import {
  datasource,
  datasourceChange,
  datasourceInput,
  datasourceListItem,
  datasourceReplacement,
  datasourceStats,
  datasourcesQuery,
} from './schema.ts'
import { changeDatasource, createDatasource, deleteDatasource, listDatasources, readDatasource, readDatasourceStats } from './service.ts'

export const datasourceRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datasources'>()
  .get(
    '/',
    operation('listDatasources', 'List datasources', { 200: bareArray(datasourceListItem) }),
    siteReaders,
    query(datasourcesQuery),
    async (c) => respondBare(c, await listDatasources(c.var.ctx, c.req.param('app'), c.req.valid('query'))),
  )
  .post(
    '/',
    operation('createDatasource', 'Create a datasource', { 201: datasource, 422: errorDetail }),
    siteManagers,
    body(datasourceInput),
    async (c) => c.json(await createDatasource(c.var.ctx, c.req.param('app'), c.req.valid('json')), 201),
  )
  .get('/:datasource', operation('getDatasource', 'Read a datasource', { 200: datasource }), siteReaders, async (c) =>
    c.json(await readDatasource(c.var.ctx, c.req.param())),
  )
  .put(
    '/:datasource',
    operation('replaceDatasource', 'Replace a datasource', { 200: datasource }),
    siteManagers,
    body(datasourceReplacement),
    async (c) => c.json(await changeDatasource(c.var.ctx, c.req.param(), c.req.valid('json'))),
  )
  .patch(
    '/:datasource',
    operation(
      'updateDatasource',
      'Change a datasource',
      { 200: datasource },
      { description: '`{"is_active": true}` brings back one that was deleted, with its tables.' },
    ),
    siteManagers,
    body(datasourceChange),
    async (c) => c.json(await changeDatasource(c.var.ctx, c.req.param(), c.req.valid('json'))),
  )
  .delete(
    '/:datasource',
    operation(
      'deleteDatasource',
      'Delete a datasource',
      { 204: null },
      { description: 'It and its tables become inactive; a change brings them back.' },
    ),
    siteManagers,
    async (c) => {
      await deleteDatasource(c.var.ctx, c.req.param())
      return c.body(null, 204)
    },
  )
  .get(
    '/:datasource/stats',
    operation('getDatasourceStats', 'Count the datatables of a datasource', { 200: datasourceStats }),
    siteReaders,
    async (c) => c.json(await readDatasourceStats(c.var.ctx, c.req.param())),
  )
  .get(
    '/:datasource/tables',
    operation('listDatasourceTables', 'List the tables of a datasource', { 200: bareArray(datatableListItem) }),
    siteReaders,
    query(tablesQuery),
    async (c) => respondBare(c, await listDatatablesIn(c.var.ctx, c.req.param(), { ...c.req.valid('query'), deleted: false })),
  )

  .get(
    '/:datasource/datatables',
    operation('listDatasourceDatatables', 'List the datatables of a datasource', { 200: bareArray(datatableListItem) }),
    siteReaders,
    query(datasourceTablesQuery),
    async (c) => respondBare(c, await listDatatablesIn(c.var.ctx, c.req.param(), c.req.valid('query'))),
  )
  .post(
    '/:datasource/datatables',
    operation('createDatatable', 'Create a datatable', { 201: datatable, 422: errorDetail }),
    siteManagers,
    body(datatableInput),
    query(materializeQuery),
    async (c) => c.json(await createDatatable(c.var.ctx, c.req.param(), c.req.valid('json'), c.req.valid('query').materialize), 201),
  )
  .route('/:datasource/datatables', tableRoutes(' of a datasource'))
