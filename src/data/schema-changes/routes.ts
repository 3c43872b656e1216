/**
 * /api/apps/{app_slug}/datatables/{name}, and the same below its datasource: changes and their history. D13.
 */

import * as z from 'zod'
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { siteManagers, siteReaders } from '../../kernel/access/policies.ts'
import { errorDetail } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { tableAddresses } from '../datatables/addresses.ts'
import { datatable } from '../datatables/schema.ts'
import { rollBack } from './roll-back.ts'
import {
  changeConflict,
  changeErrors,
  changes,
  datatableUpdate,
  historyQuery,
  operationHistory,
  rollbackConflict,
  rollbackErrors,
  rollbackInput,
  rollbackPlan,
  rollbackQuery,
  rolledBack,
  updateQuery,
} from './schema.ts'
import { listOperations, updateDatatable } from './service.ts'

const description =
  'Omitted members stay unchanged. A new `json_schema` also changes the physical table of a materialized ' +
  'datatable: completely, or not at all. To rename a field, send its old name as `"x-rename-from"`. With ' +
  '`dry_run`, the answer lists the planned steps. `If-Match` takes the `schema_hash` as an ETag: a new ' +
  '`json_schema` is rejected with 412 if the schema has changed.'

const answers = {
  200: z.union([datatable, changes]),
  409: changeConflict,
  412: errorDetail,
  422: changeErrors,
}

const updates = [
  { id: 'replace', summary: 'Update', method: 'PUT' },
  { id: 'update', summary: 'Change', method: 'PATCH' },
] as const

/** The routes that change a datatable and show its history, below its app and below its datasource. */
export const schemaChangeRoutes: readonly Route[] = tableAddresses.flatMap((at) => [
  ...updates.map(({ id, summary, method }) =>
    route({
      id: `${id}${at.noun}`,
      summary: `${summary} a datatable${at.of}`,
      description,
      method,
      path: at.path,
      auth: signedInOrKey,
      may: siteManagers,
      headers: ['If-Match'],
      repeatable: true,
      query: updateQuery,
      body: datatableUpdate,
      answers,
      handle: async ({ ctx, params, query, body, c }) => ({
        200: await updateDatatable(ctx, params, body, query, c.req.header('If-Match')),
      }),
    }),
  ),
  route({
    id: `rollBack${at.noun}`,
    summary: `Roll back a change of a datatable${at.of}`,
    description:
      'Undoes all steps of the change that the operation belongs to. Later changes must be rolled back ' +
      'first. A dropped field is restored without its values; `warnings` name such losses. With `dry_run`, ' +
      'the answer is the plan.',
    method: 'POST',
    path: `${at.path}/rollback`,
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    query: rollbackQuery,
    body: rollbackInput,
    answers: {
      200: z.union([rolledBack, rollbackPlan]),
      404: errorDetail,
      409: rollbackConflict,
      422: rollbackErrors,
    },
    handle: async ({ ctx, params, query, body }) => ({ 200: await rollBack(ctx, params, body, query) }),
  }),
  route({
    id: `list${at.noun}Operations`,
    mayBeTooLong: true,
    summary: `List the operations of a datatable${at.of}`,
    method: 'GET',
    path: `${at.path}/operation-history`,
    auth: signedInOrKey,
    may: siteReaders,
    query: historyQuery,
    answers: {
      200: operationHistory,
    },
    handle: async ({ ctx, params, query }) => ({ 200: await listOperations(ctx, params, query) }),
  }),
])
