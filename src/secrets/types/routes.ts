/** The operations of /api/secret-types. */

import * as z from 'zod'
import { signedInOrSession } from '../../kernel/access/credentials.ts'
import { siteManagers, siteReaders } from '../../kernel/access/policies.ts'
import { errorAndDetail } from '../../kernel/http/dialects.ts'
import { errorDetail, fieldErrorDetail, itemsPage } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { dryRunChange, mismatchesOf } from '../entries/type-dry-run.ts'
import { confirmation, duplicateValue, immutableField } from '../schema.ts'
import {
  changedType,
  changeQuery,
  dryRun,
  secretType,
  typeChange,
  typeCreated,
  typeDetail,
  typeInput,
  typesQuery,
} from './schema.ts'
import { changeType, createType, deleteType, listTypes, readType } from './service.ts'

/** The operations on secret types. */
export const secretTypeRoutes: readonly Route[] = [
  route({
    id: 'listSecretTypes',
    mayBeTooLong: true,
    summary: 'List secret types',
    method: 'GET',
    path: '/api/secret-types',
    auth: signedInOrSession,
    may: siteReaders,
    dialect: errorAndDetail,
    query: typesQuery,
    answers: { 200: itemsPage(secretType), 400: fieldErrorDetail },
    handle: async ({ ctx, query, url }) => ({ 200: await listTypes(ctx, url, query) }),
  }),
  route({
    id: 'createSecretType',
    summary: 'Create a secret type',
    description: 'Only superusers can create types of the type `system`.',
    method: 'POST',
    path: '/api/secret-types',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    body: typeInput,
    answers: { 201: typeCreated, 400: z.union([fieldErrorDetail, duplicateValue]) },
    handle: async ({ ctx, body }) => ({ 201: await createType(ctx, body) }),
  }),
  route({
    id: 'getSecretType',
    summary: 'Get a secret type',
    method: 'GET',
    path: '/api/secret-types/:type',
    auth: signedInOrSession,
    may: siteReaders,
    dialect: errorAndDetail,
    answers: { 200: typeDetail },
    handle: async ({ ctx, params }) => ({ 200: await readType(ctx, params.type) }),
  }),
  route({
    id: 'replaceSecretType',
    summary: 'Change a secret type',
    method: 'PUT',
    path: '/api/secret-types/:type',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    query: changeQuery,
    body: typeChange,
    answers: {
      200: z.union([changedType, dryRun]),
      400: z.union([fieldErrorDetail, duplicateValue, immutableField]),
      500: errorDetail,
    },
    handle: async ({ ctx, params, query, body }) => {
      if (query.dry_run) return { 200: await dryRunChange(ctx, params.type, body) }
      const found = body.schema === undefined ? undefined : await mismatchesOf(ctx, params.type, body)
      return { 200: { ...(await changeType(ctx, params.type, body)), ...found } }
    },
  }),
  route({
    id: 'deleteSecretType',
    summary: 'Delete a secret type',
    method: 'DELETE',
    path: '/api/secret-types/:type',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    answers: { 200: confirmation, 400: errorDetail },
    handle: async ({ ctx, params }) => ({ 200: await deleteType(ctx, params.type) }),
  }),
]
