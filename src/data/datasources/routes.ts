/** /api/apps/{app_slug}/datasources */
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { siteManagers, siteReaders } from '../../kernel/access/policies.ts'
import { bareListReply } from '../../kernel/http/lists/envelopes.ts'
import { bareArray, errorDetail } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { deletionQuery } from '../catalog/deletion.ts'
import { createDatatable } from '../datatables/create.ts'
import {
  datasourceTablesQuery,
  datatable,
  datatableInput,
  datatableListItem,
  materializeQuery,
  referenced,
  tablesQuery,
} from '../datatables/schema.ts'
import { listDatatablesIn } from '../datatables/service.ts'
import { checkDatasource, listCollections } from './mongodb.ts'
import {
  collectionsQuery,
  datasource,
  datasourceChange,
  datasourceCheck,
  datasourceInput,
  datasourceListItem,
  datasourceReplacement,
  datasourceStats,
  datasourcesQuery,
  foundCollection,
} from './schema.ts'
import {
  changeDatasource,
  createDatasource,
  deleteDatasource,
  listDatasources,
  readDatasource,
  readDatasourceStats,
} from './service.ts'

/** The routes of datasources, and of the datatables below them. */
export const datasourceRoutes: readonly Route[] = [
  route({
    id: 'listDatasources',
    mayBeTooLong: true,
    summary: 'List datasources',
    method: 'GET',
    path: '/api/apps/:app/datasources',
    auth: signedInOrKey,
    may: siteReaders,
    query: datasourcesQuery,
    answers: { 200: bareArray(datasourceListItem) },
    handle: async ({ ctx, params, query }) => bareListReply(await listDatasources(ctx, params.app, query)),
  }),
  route({
    id: 'createDatasource',
    summary: 'Create a datasource',
    method: 'POST',
    path: '/api/apps/:app/datasources',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    body: datasourceInput,
    answers: { 201: datasource, 422: errorDetail },
    handle: async ({ ctx, params, body }) => ({ 201: await createDatasource(ctx, params.app, body) }),
  }),
  route({
    id: 'listCollections',
    summary: 'List the collections of a datasource in MongoDB',
    description:
      'At most 500, in the order of their names. A table can be made of one that was there before: ' +
      'see creating a datatable.',
    method: 'GET',
    path: '/api/apps/:app/datasources/:datasource/collections',
    auth: signedInOrKey,
    may: siteManagers,
    query: collectionsQuery,
    answers: { 200: bareArray(foundCollection), 422: errorDetail },
    handle: async ({ ctx, params, query }) => bareListReply(await listCollections(ctx, params, query)),
  }),
  route({
    id: 'getDatasource',
    summary: 'Read a datasource',
    method: 'GET',
    path: '/api/apps/:app/datasources/:datasource',
    auth: signedInOrKey,
    may: siteReaders,
    answers: { 200: datasource },
    handle: async ({ ctx, params }) => ({ 200: await readDatasource(ctx, params) }),
  }),
  route({
    id: 'replaceDatasource',
    summary: 'Replace a datasource',
    description:
      'Omitted members get their defaults. `is_active` is unchanged if it is omitted; false deletes the ' +
      'datasource.',
    method: 'PUT',
    path: '/api/apps/:app/datasources/:datasource',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    query: deletionQuery,
    body: datasourceReplacement,
    answers: { 200: datasource, 409: referenced, 422: errorDetail },
    handle: async ({ ctx, params, query, body }) => ({
      200: await changeDatasource(ctx, params, body, query.force),
    }),
  }),
  route({
    id: 'updateDatasource',
    summary: 'Change a datasource',
    description:
      'Omitted members stay unchanged. `{"is_active": true}` restores a deleted datasource with its ' +
      'tables, and false deletes it.',
    method: 'PATCH',
    path: '/api/apps/:app/datasources/:datasource',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    query: deletionQuery,
    body: datasourceChange,
    answers: { 200: datasource, 409: referenced, 422: errorDetail },
    handle: async ({ ctx, params, query, body }) => ({
      200: await changeDatasource(ctx, params, body, query.force),
    }),
  }),
  route({
    id: 'deleteDatasource',
    summary: 'Delete a datasource',
    description:
      'Deactivates the datasource and its tables. To restore them, change `is_active` to true. The answer ' +
      'is 409 if tables outside of it reference its tables.',
    method: 'DELETE',
    path: '/api/apps/:app/datasources/:datasource',
    auth: signedInOrKey,
    may: siteManagers,
    query: deletionQuery,
    answers: { 204: null, 409: referenced },
    handle: async ({ ctx, params, query }) => {
      await deleteDatasource(ctx, params, query.force)
      return { 204: null }
    },
  }),
  route({
    id: 'checkDatasource',
    summary: 'Check the connection of a datasource',
    description:
      'Asks the server that stores the records what it is: for a datasource of the type mongodb, that of ' +
      'its connection. The answer is 422 with the reason if it cannot be used.',
    method: 'POST',
    path: '/api/apps/:app/datasources/:datasource/check',
    auth: signedInOrKey,
    may: siteManagers,
    answers: { 200: datasourceCheck, 422: errorDetail },
    handle: async ({ ctx, params }) => ({ 200: await checkDatasource(ctx, params) }),
  }),
  route({
    id: 'getDatasourceStats',
    summary: 'Count the datatables of a datasource',
    method: 'GET',
    path: '/api/apps/:app/datasources/:datasource/stats',
    auth: signedInOrKey,
    may: siteReaders,
    answers: { 200: datasourceStats },
    handle: async ({ ctx, params }) => ({ 200: await readDatasourceStats(ctx, params) }),
  }),
  route({
    id: 'listDatasourceTables',
    mayBeTooLong: true,
    summary: 'List the tables of a datasource',
    method: 'GET',
    path: '/api/apps/:app/datasources/:datasource/tables',
    auth: signedInOrKey,
    may: siteReaders,
    query: tablesQuery,
    answers: {
      200: bareArray(datatableListItem),
    },
    handle: async ({ ctx, params, query }) =>
      bareListReply(await listDatatablesIn(ctx, params, { ...query, deleted: false })),
  }),
  route({
    id: 'listDatasourceDatatables',
    mayBeTooLong: true,
    summary: 'List the datatables of a datasource',
    method: 'GET',
    path: '/api/apps/:app/datasources/:datasource/datatables',
    auth: signedInOrKey,
    may: siteReaders,
    query: datasourceTablesQuery,
    answers: {
      200: bareArray(datatableListItem),
    },
    handle: async ({ ctx, params, query }) => bareListReply(await listDatatablesIn(ctx, params, query)),
  }),
  route({
    id: 'createDatatable',
    summary: 'Create a datatable',
    method: 'POST',
    path: '/api/apps/:app/datasources/:datasource/datatables',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    query: materializeQuery,
    body: datatableInput,
    answers: { 201: datatable, 422: errorDetail },
    handle: async ({ ctx, params, query, body }) => ({
      201: await createDatatable(ctx, params, body, query.materialize),
    }),
  }),
]
