/** /api/apps */
import * as z from 'zod'
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { schemaReaders, siteDeleters, siteManagers, siteReaders } from '../../kernel/access/policies.ts'
import { errorDetail, pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { deletionQuery } from '../catalog/deletion.ts'
import { referenced } from '../datatables/schema.ts'
import {
  app,
  appChange,
  appInput,
  appListItem,
  appReplacement,
  appRestored,
  appStats,
  appsQuery,
} from './schema.ts'
import { changeApp, createApp, deleteApp, listApps, readApp, readAppStats, restoreApp } from './service.ts'

export const appRoutes: readonly Route[] = [
  route({
    id: 'listApps',
    mayBeTooLong: true,
    summary: 'List apps',
    method: 'GET',
    path: '/api/apps',
    auth: signedInOrKey,
    may: schemaReaders,
    query: appsQuery,
    answers: { 200: pageOfItems(appListItem) },
    handle: async ({ ctx, query, url }) => ({ 200: await listApps(ctx, url, query) }),
  }),
  route({
    id: 'createApp',
    summary: 'Create an app',
    method: 'POST',
    path: '/api/apps',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    body: appInput,
    answers: { 201: app, 422: errorDetail },
    handle: async ({ ctx, body }) => ({ 201: await createApp(ctx, body) }),
  }),
  route({
    id: 'getApp',
    summary: 'Read an app',
    method: 'GET',
    path: '/api/apps/:app',
    auth: signedInOrKey,
    may: siteReaders,
    answers: { 200: app },
    handle: async ({ ctx, params }) => ({ 200: await readApp(ctx, params.app) }),
  }),
  route({
    id: 'replaceApp',
    summary: 'Replace an app',
    description: 'An omitted description becomes empty. The slug stays unchanged.',
    method: 'PUT',
    path: '/api/apps/:app',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    body: appReplacement,
    answers: { 200: app },
    handle: async ({ ctx, params, body }) => ({ 200: await changeApp(ctx, params.app, body) }),
  }),
  route({
    id: 'updateApp',
    summary: 'Change an app',
    description: 'Omitted members stay unchanged, and so does the slug.',
    method: 'PATCH',
    path: '/api/apps/:app',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    body: appChange,
    answers: { 200: app },
    handle: async ({ ctx, params, body }) => ({ 200: await changeApp(ctx, params.app, body) }),
  }),
  route({
    id: 'deleteApp',
    summary: 'Delete an app',
    description:
      'Deactivates the app with its datasources and datatables. It can be restored. The answer is 409 if ' +
      'tables of other apps reference its tables.',
    method: 'DELETE',
    path: '/api/apps/:app',
    auth: signedInOrKey,
    may: siteDeleters,
    query: deletionQuery,
    answers: {
      204: null,
      409: {
        body: z.union([referenced, errorDetail]),
        description: 'Other apps reference its tables, or one of its functions guards an event',
      },
    },
    handle: async ({ ctx, params, query }) => {
      await deleteApp(ctx, params.app, query.force)
      return { 204: null }
    },
  }),
  route({
    id: 'restoreApp',
    summary: 'Restore a deleted app',
    description: 'Does nothing to an active app.',
    method: 'POST',
    path: '/api/apps/:app/restore',
    auth: signedInOrKey,
    may: siteManagers,
    repeatable: true,
    answers: { 200: appRestored },
    handle: async ({ ctx, params }) => ({ 200: await restoreApp(ctx, params.app) }),
  }),
  route({
    id: 'getAppStats',
    summary: 'Count the datasources and datatables of an app',
    method: 'GET',
    path: '/api/apps/:app/stats',
    auth: signedInOrKey,
    may: siteReaders,
    answers: { 200: appStats },
    handle: async ({ ctx, params }) => ({ 200: await readAppStats(ctx, params.app) }),
  }),
]
