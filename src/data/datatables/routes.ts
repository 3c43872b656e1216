/** /api/apps/{app_slug}/datatables, and one datatable below it or below its datasource. D13. */

import * as z from 'zod'
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import {
  recordReaders,
  schemaReaders,
  siteDeleters,
  siteManagers,
  siteReaders,
} from '../../kernel/access/policies.ts'
import { namesTag, quotedTag } from '../../kernel/http/entity-tags.ts'
import { bareListReply } from '../../kernel/http/lists/envelopes.ts'
import { bareArray, errorDetail, fieldMessages } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { optionalJson, unstoredJson } from '../../kernel/http/validate.ts'
import { validateData } from '../records/validation.ts'
import { deleteDatatable } from '../schema-changes/delete-datatable.ts'
import { creationPlan, recordsBreakSchema } from '../schema-changes/schema.ts'
import { restoreDatatable } from '../schema-changes/trash/restore.ts'
import { deletionPlan, deletionQuery, restoreInput } from '../schema-changes/trash/schema.ts'
import { asChange } from '../schema-changes/views.ts'
import { tableAddresses } from './addresses.ts'
import { createSchema, planSchema } from './create.ts'
import { materialize } from './materialize.ts'
import { importReference, importReferences } from './reference-tables/import.ts'
import { importInput, importReport } from './reference-tables/schema.ts'
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
import { listDatatables, readDatatable, readDatatableStats, readSchema } from './service.ts'

/** The routes of the datatables of an app. */
export const datatableRoutes: readonly Route[] = [
  route({
    id: 'listDatatables',
    mayBeTooLong: true,
    summary: 'List datatables',
    method: 'GET',
    path: '/api/apps/:app/datatables',
    auth: signedInOrKey,
    may: schemaReaders,
    query: datatablesQuery,
    answers: { 200: bareArray(datatableListItem) },
    handle: async ({ ctx, params, query }) => bareListReply(await listDatatables(ctx, params.app, query)),
  }),
  route({
    id: 'getDatatableStats',
    summary: 'Count datatables',
    method: 'GET',
    path: '/api/apps/:app/datatables/stats',
    auth: signedInOrKey,
    may: siteReaders,
    answers: { 200: datatableStats },
    handle: async ({ ctx, params }) => ({ 200: await readDatatableStats(ctx, params.app) }),
  }),
  route({
    id: 'createSchema',
    summary: 'Create the datatables of a data package',
    description:
      'Creates all datatables, or none. Foreign keys may reference each other. `dry_run=true` is answered ' +
      'with 200 and the planned steps; drafts have none.',
    method: 'POST',
    path: '/api/apps/:app/datatables/create_schema',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    query: packageQuery,
    body: packageInput,
    answers: {
      200: creationPlan,
      201: z.object({
        datatables: z.array(datatable).describe('The datatables, in the order of the request.'),
      }),
      422: errorDetail,
    },
    handle: async ({ ctx, params, query, body }) =>
      query.dry_run
        ? { 200: { changes: (await planSchema(ctx, params.app, body, query)).map(asChange) } }
        : { 201: await createSchema(ctx, params.app, body, query) },
  }),
  route({
    id: 'importReferences',
    summary: 'Import references',
    description: 'Makes tables of another app readable in this one, under the same or another name.',
    method: 'POST',
    path: '/api/apps/:app/datatables/import-reference',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    body: importInput,
    answers: {
      201: datatable,
      207: {
        body: importReport,
        description: 'For an array: the created references, and the errors of the others',
      },
      400: errorDetail,
      422: errorDetail,
    },
    handle: async ({ ctx, params, body }) => {
      return Array.isArray(body)
        ? { 207: await importReferences(ctx, params.app, body) }
        : { 201: await importReference(ctx, params.app, body) }
    },
  }),
]

/** The routes of one datatable, below its app and below its datasource. */
export const tableRoutes: readonly Route[] = tableAddresses.flatMap((at) => [
  route({
    id: `get${at.noun}`,
    summary: `Read a datatable${at.of}`,
    method: 'GET',
    path: at.path,
    auth: signedInOrKey,
    may: recordReaders,
    answers: { 200: datatable },
    handle: async ({ ctx, params }) => ({ 200: await readDatatable(ctx, params) }),
  }),
  route({
    id: `delete${at.noun}`,
    summary: `Delete a datatable${at.of}`,
    description:
      'A deleted datatable can be restored with its records for some days. Deleting a reference does not ' +
      'affect its source, and cannot be undone. `cascade=true` also deletes the tables that reference it. ' +
      '`dry_run=true` is answered with 200 and the plan.',
    method: 'DELETE',
    path: at.path,
    auth: signedInOrKey,
    may: siteDeleters,
    query: deletionQuery,
    answers: { 200: deletionPlan, 204: null, 409: z.union([referenced, errorDetail]) },
    handle: async ({ ctx, params, query }) => {
      if (query.purge) ctx.permission = 'admin_site'
      const plan = await deleteDatatable(ctx, params, query)
      return plan ? { 200: plan } : { 204: null }
    },
  }),
  route({
    id: `restore${at.noun}`,
    summary: `Restore a datatable${at.of}`,
    description: 'Restores a deleted datatable with its records, edges and keys: completely, or not at all.',
    method: 'POST',
    path: `${at.path}/restore`,
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    body: optionalJson(restoreInput),
    answers: { 200: datatable, 409: errorDetail, 422: z.union([recordsBreakSchema, errorDetail]) },
    handle: async ({ ctx, params, body }) => ({ 200: await restoreDatatable(ctx, params, body) }),
  }),
  route({
    id: `materialize${at.noun}`,
    summary: `Materialize a datatable${at.of}`,
    description: 'Creates its physical table, so that it can have records.',
    method: 'POST',
    path: `${at.path}/materialize`,
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    answers: {
      200: datatable,
      400: fieldMessages,
      422: errorDetail,
    },
    handle: async ({ ctx, params }) => ({ 200: await materialize(ctx, params) }),
  }),
  route({
    id: `get${at.noun}Schema`,
    summary: `Read the schema of a datatable${at.of}`,
    method: 'GET',
    path: `${at.path}/schema`,
    auth: signedInOrKey,
    may: recordReaders,
    headers: ['If-None-Match'],
    answers: {
      200: { body: schemaView, headers: ['ETag'] },
      304: { description: 'The schema has not changed', headers: ['ETag'] },
    },
    handle: async ({ ctx, params, c }) => {
      const schema = await readSchema(ctx, params)
      c.header('ETag', quotedTag(schema.schema_hash))
      c.header('Cache-Control', 'private, no-cache')
      return namesTag(c.req.header('If-None-Match'), schema.schema_hash) ? { 304: null } : { 200: schema }
    },
  }),
  route({
    id: `validate${at.rows}`,
    summary: `Validate rows for a datatable${at.of}`,
    description:
      'Runs the checks of a write, including those for duplicate values and missing references. ' +
      'Writes nothing.',
    method: 'POST',
    path: `${at.path}/validate_data`,
    auth: signedInOrKey,
    may: siteReaders,
    body: unstoredJson(validationInput),
    answers: { 200: validation },
    handle: async ({ ctx, params, body }) => ({ 200: await validateData(ctx, params, body.data) }),
  }),
])
