/** The operations of /api/secrets. */

import * as z from 'zod'
import { signedInOrAnybody, signedInOrSession } from '../../kernel/access/credentials.ts'
import { siteManagers, siteReaders, siteVisitors } from '../../kernel/access/policies.ts'
import { errorAndDetail } from '../../kernel/http/dialects.ts'
import { errorDetail, fieldErrorDetail, itemsPage } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { exactJson } from '../../kernel/http/validate.ts'
import { historyQuery, secretHistory } from '../history/schema.ts'
import { readHistory } from '../history/service.ts'
import { confirmation, duplicateValue, immutableField } from '../schema.ts'
import { changeSecret, createSecret, deleteSecret } from './change.ts'
import {
  levelQuery,
  readQuery,
  secret,
  secretChange,
  secretInput,
  secretsByKey,
  secretsQuery,
} from './schema.ts'
import { listSecrets, readSecret, readSecrets } from './service.ts'

const unreadable = { 500: { body: errorDetail, description: 'A stored value cannot be decrypted' } }

const exactLevel =
  'Acts only on one level: that of the app with `app`, otherwise that of the site. If that level ' +
  'does not have the key, the response is 404, even if the other level has it.'

/** The operations on secrets. */
export const secretRoutes: readonly Route[] = [
  route({
    id: 'listSecrets',
    mayBeTooLong: true,
    summary: 'List secrets or read several of them',
    method: 'GET',
    path: '/api/secrets',
    auth: signedInOrSession,
    may: siteReaders,
    dialect: errorAndDetail,
    query: secretsQuery,
    answers: {
      200: z.union([itemsPage(secret), secretsByKey]),
      400: fieldErrorDetail,
      ...unreadable,
    },
    handle: async ({ ctx, query, url }) => ({
      200: query.keys ? await readSecrets(ctx, query.keys, query) : await listSecrets(ctx, url, query),
    }),
  }),
  route({
    id: 'createSecret',
    summary: 'Create a secret',
    method: 'POST',
    path: '/api/secrets',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    body: exactJson(secretInput),
    answers: {
      201: secret,
      400: z.union([fieldErrorDetail, duplicateValue]),
      ...unreadable,
    },
    handle: async ({ ctx, body }) => ({ 201: await createSecret(ctx, body) }),
  }),
  route({
    id: 'getSecret',
    summary: 'Get a secret',
    description:
      'Returns the first match: that of the app, else that of the site. Public secrets need no ' +
      'credentials; others need `access_site` in the site.',
    method: 'GET',
    path: '/api/secrets/:secret',
    auth: signedInOrAnybody,
    may: siteVisitors,
    dialect: errorAndDetail,
    query: readQuery,
    answers: { 200: secret, 400: fieldErrorDetail, 403: errorDetail, ...unreadable },
    handle: async ({ ctx, params, query }) => ({ 200: await readSecret(ctx, params.secret, query) }),
  }),
  route({
    id: 'replaceSecret',
    summary: 'Change a secret',
    description: `${exactLevel} Omitted fields are unchanged.`,
    method: 'PUT',
    path: '/api/secrets/:secret',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    query: levelQuery,
    body: exactJson(secretChange),
    answers: { 200: secret, 400: z.union([fieldErrorDetail, duplicateValue, immutableField]), ...unreadable },
    handle: async ({ ctx, params, query, body }) => ({
      200: await changeSecret(ctx, params.secret, query.app, body),
    }),
  }),
  route({
    id: 'deleteSecret',
    summary: 'Delete a secret',
    description: exactLevel,
    method: 'DELETE',
    path: '/api/secrets/:secret',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    query: levelQuery,
    answers: { 200: confirmation, 400: fieldErrorDetail },
    handle: async ({ ctx, params, query }) => ({ 200: await deleteSecret(ctx, params.secret, query.app) }),
  }),
  route({
    id: 'listSecretHistory',
    mayBeTooLong: true,
    summary: 'List the history of a secret',
    method: 'GET',
    path: '/api/secrets/:secret/history',
    auth: signedInOrSession,
    may: siteReaders,
    dialect: errorAndDetail,
    query: historyQuery,
    answers: {
      200: secretHistory,
      400: fieldErrorDetail,
    },
    handle: async ({ ctx, params, query }) => ({ 200: await readHistory(ctx, params.secret, query) }),
  }),
]
