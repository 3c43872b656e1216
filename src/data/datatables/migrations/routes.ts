/** /api/apps/{app_slug}/datatables/{name}, and the same below its datasource (D13): how a datatable changes, and its history. */
import { Hono } from 'hono'
import { z } from 'zod'
import { siteManagers, siteReaders } from '../../../access/policies.ts'
import type { AppEnv } from '../../../http/app-env.ts'
import { errorDetail } from '../../../http/openapi/bodies.ts'
import { operation } from '../../../http/openapi/describe.ts'
import { body, query } from '../../../http/validate.ts'
import { datatable } from '../schema.ts'
import { rollBack } from './roll-back.ts'
import {
  changeConflict,
  changeRefusal,
  changes,
  datatableUpdate,
  historyQuery,
  operationHistory,
  rollbackConflict,
  rollbackInput,
  rollbackPlan,
  rollbackQuery,
  rollbackRefusal,
  rolledBack,
  updateQuery,
} from './schema.ts'
import { listOperations, updateDatatable } from './service.ts'

type Path = '/:app/datatables/:table'

/** `of` tells the two addresses apart in the API's reference. */
export const schemaChangeRoutes = (of = '') => {
  const answers = { 200: z.union([datatable, changes]), 409: changeConflict, 422: changeRefusal }
  return new Hono<AppEnv, Record<never, never>, Path>()
    .put(
      '/',
      operation(`replaceDatatable${of && 'OfDatasource'}`, `Update a datatable${of}`, answers, { description }),
      siteManagers,
      body(datatableUpdate),
      query(updateQuery),
      async (c) => c.json(await updateDatatable(c.var.ctx, c.req.param(), c.req.valid('json'), c.req.valid('query'))),
    )
    .patch(
      '/',
      operation(`updateDatatable${of && 'OfDatasource'}`, `Change a datatable${of}`, answers, { description }),
      siteManagers,
      body(datatableUpdate),
      query(updateQuery),
      async (c) => c.json(await updateDatatable(c.var.ctx, c.req.param(), c.req.valid('json'), c.req.valid('query'))),
    )
    .post(
      '/rollback',
      operation(
        `rollBackDatatable${of && 'OfDatasource'}`,
        `Roll back a change of a datatable${of}`,
        { 200: z.union([rolledBack, rollbackPlan]), 404: errorDetail, 409: rollbackConflict, 422: rollbackRefusal },
        {
          description:
            'Undoes all steps of the change that the operation belongs to; later changes have to be rolled back before. A field that was dropped comes back without its values, as `warnings` say. With `dry_run` the answer is what would be done.',
        },
      ),
      siteManagers,
      body(rollbackInput),
      query(rollbackQuery),
      async (c) => c.json(await rollBack(c.var.ctx, c.req.param(), c.req.valid('json'), c.req.valid('query'))),
    )
    .get(
      '/operation-history',
      operation(`listDatatableOperations${of && 'OfDatasource'}`, `List the operations of a datatable${of}`, { 200: operationHistory }),
      siteReaders,
      query(historyQuery),
      async (c) => c.json(await listOperations(c.var.ctx, c.req.param(), c.req.valid('query'))),
    )
}

const description =
  'What is left out stays. A materialized table is brought to another `json_schema`, or stays as it is. A field that was renamed says `"x-rename-from"`. With `dry_run` the answer is the steps that would be made.'
