/** /api/secret-types */
import { Hono } from 'hono'
import { z } from 'zod'
import { siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { errorDetail, fieldErrorDetail, itemsPage } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body, query } from '../../http/validate.ts'
import { done, immutableField, taken } from '../schema.ts'
import { tryChange } from './dry-run.ts'
import { changeQuery, dryRun, secretType, typeChange, typeCreated, typeDetail, typeInput, typesQuery } from './schema.ts'
import { changeType, createType, deleteType, listTypes, readType } from './service.ts'

export const secretTypeRoutes = new Hono<AppEnv>()
  .get(
    '/',
    operation('listSecretTypes', 'List secret types', { 200: itemsPage(secretType), 400: fieldErrorDetail }),
    siteReaders,
    query(typesQuery),
    async (c) => c.json(await listTypes(c.var.ctx, c.req.url, c.req.valid('query'))),
  )
  .post(
    '/',
    operation(
      'createSecretType',
      'Create a secret type',
      { 201: typeCreated, 400: z.union([fieldErrorDetail, taken]) },
      { description: 'Only superusers make types of the type `system`.' },
    ),
    siteManagers,
    body(typeInput),
    async (c) => c.json(await createType(c.var.ctx, c.req.valid('json')), 201),
  )
  .get('/:type', operation('getSecretType', 'Read a secret type', { 200: typeDetail }), siteReaders, async (c) =>
    c.json(await readType(c.var.ctx, c.req.param('type'))),
  )
  .put(
    '/:type',
    operation('replaceSecretType', 'Change a secret type', {
      200: z.union([secretType, dryRun]),
      400: z.union([fieldErrorDetail, taken, immutableField]),
      500: errorDetail,
    }),
    siteManagers,
    query(changeQuery),
    body(typeChange),
    async (c) => {
      const change = c.req.valid('json')
      const answer = c.req.valid('query').dry_run ? tryChange : changeType
      return c.json(await answer(c.var.ctx, c.req.param('type'), change))
    },
  )
  .delete('/:type', operation('deleteSecretType', 'Delete a secret type', { 200: done, 400: errorDetail }), siteManagers, async (c) =>
    c.json(await deleteType(c.var.ctx, c.req.param('type'))),
  )
