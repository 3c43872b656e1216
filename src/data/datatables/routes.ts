/** /api/apps/{app_slug}/datatables, and one datatable below it or below its datasource. D13. */
import { Hono } from 'hono'
import { z } from 'zod'
import { siteDeleters, siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { namesTag, quotedTag } from '../../http/entity-tags.ts'
import { respondBare } from '../../http/lists/envelopes.ts'
import { bareArray, errorDetail, fieldMessages } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body, optionalBody, passingBody, query } from '../../http/validate.ts'
import { validateData } from '../records/validation.ts'
import { recordsBreakSchema } from './migrations/schema.ts'
import { importReference, importReferences } from './reference-tables/import.ts'
import { importInput, importReport } from './reference-tables/schema.ts'
import { deleteDatatable } from './removal.ts'
import {
  datatable,
  datatableListItem,
  datatableStats,
  datatablesQuery,
  packageInput,
  packageQuery,
  referenced,
  schemaView,
  validation,
  validationInput,
} from './schema.ts'
import { createSchema, listDatatables, materialize, readDatatable, readDatatableStats, readSchema } from './service.ts'
import { restoreDatatable } from './trash/restore.ts'
import { deletionPlan, deletionQuery, restoreInput } from './trash/schema.ts'

/** Stands at both addresses; `place` tells in their summaries which of the two it is. */
export const tableRoutes = (place: '' | ' of a datasource') =>
  new Hono<AppEnv, Record<never, never>, '/:app/datasources/:datasource?'>()
    .get('/:table', operation(`getDatatable${place && 'OfDatasource'}`, `Read a datatable${place}`, { 200: datatable }), siteReaders, async (c) =>
      c.json(await readDatatable(c.var.ctx, c.req.param())),
    )
    .delete(
      '/:table',
      operation(
        `deleteDatatable${place && 'OfDatasource'}`,
        `Delete a datatable${place}`,
        { 200: deletionPlan, 204: null, 409: z.union([referenced, errorDetail]) },
        {
          description:
            'It can be restored for some days, with its records. Of a reference, the reference alone is deleted, for good. Tables that reference each other are deleted by `cascade=true`. 200 is the answer to `dry_run=true`.',
        },
      ),
      siteDeleters,
      query(deletionQuery),
      async (c) => {
        const asked = c.req.valid('query')
        if (asked.purge) c.var.ctx.permission = 'admin_site'
        const plan = await deleteDatatable(c.var.ctx, c.req.param(), asked)
        return plan ? c.json(plan) : c.body(null, 204)
      },
    )
    .post(
      '/:table/restore',
      operation(
        `restoreDatatable${place && 'OfDatasource'}`,
        `Restore a datatable${place}`,
        { 200: datatable, 409: errorDetail, 422: z.union([recordsBreakSchema, errorDetail]) },
        { description: 'Brings a deleted datatable back, with its records, edges and keys: all of it, or nothing changes.' },
      ),
      siteManagers,
      optionalBody(restoreInput),
      async (c) => c.json(await restoreDatatable(c.var.ctx, c.req.param(), c.req.valid('json'))),
    )
    .post(
      '/:table/materialize',
      operation(`materializeDatatable${place && 'OfDatasource'}`, `Materialize a datatable${place}`, {
        200: datatable,
        400: fieldMessages,
        422: errorDetail,
      }),
      siteManagers,
      async (c) => c.json(await materialize(c.var.ctx, c.req.param())),
    )
    .get(
      '/:table/schema',
      operation(
        `getDatatableSchema${place && 'OfDatasource'}`,
        `Read the schema of a datatable${place}`,
        { 200: { body: schemaView, headers: ['ETag'] }, 304: { description: 'The caller has it already', headers: ['ETag'] } },
        { headers: ['If-None-Match'] },
      ),
      siteReaders,
      async (c) => {
        const schema = await readSchema(c.var.ctx, c.req.param())
        c.header('ETag', quotedTag(schema.schema_hash))
        c.header('Cache-Control', 'private, no-cache')
        return namesTag(c.req.header('If-None-Match'), schema.schema_hash) ? c.body(null, 304) : c.json(schema)
      },
    )
    .post(
      '/:table/validate_data',
      operation(
        `validateRows${place && 'OfDatasource'}`,
        `Validate rows for a datatable${place}`,
        { 200: validation },
        { description: 'By the checks of a write, values that are taken and references to nothing among them; no row is touched.' },
      ),
      siteReaders,
      passingBody(validationInput),
      async (c) => c.json(await validateData(c.var.ctx, c.req.param(), c.req.valid('json').data)),
    )

export const datatableRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datatables'>()
  .get('/', operation('listDatatables', 'List datatables', { 200: bareArray(datatableListItem) }), siteReaders, query(datatablesQuery), async (c) =>
    respondBare(c, await listDatatables(c.var.ctx, c.req.param('app'), c.req.valid('query'))),
  )
  .get('/stats', operation('getDatatableStats', 'Count datatables', { 200: datatableStats }), siteReaders, async (c) =>
    c.json(await readDatatableStats(c.var.ctx, c.req.param('app'))),
  )
  .post(
    '/create_schema',
    operation('createSchema', 'Create the datatables of a data package', {
      201: z.object({ datatables: z.array(datatable).describe('The datatables, in the order of the request.') }),
      422: errorDetail,
    }),
    siteManagers,
    body(packageInput),
    query(packageQuery),
    async (c) => c.json(await createSchema(c.var.ctx, c.req.param('app'), c.req.valid('json'), c.req.valid('query')), 201),
  )
  .post(
    '/import-reference',
    operation(
      'importReferences',
      'Import references',
      {
        201: datatable,
        207: { body: importReport, description: 'Of an array: those that were made, and why others were not' },
        400: errorDetail,
        422: errorDetail,
      },
      { description: 'Makes tables of another app readable in this one, under the same name or another.' },
    ),
    siteManagers,
    body(importInput),
    async (c) => {
      const [ctx, app, input] = [c.var.ctx, c.req.param('app'), c.req.valid('json')]
      return Array.isArray(input) ? c.json(await importReferences(ctx, app, input), 207) : c.json(await importReference(ctx, app, input), 201)
    },
  )
  .route('/', tableRoutes(''))
