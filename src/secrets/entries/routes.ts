/** /api/secrets */
import { Hono } from 'hono'
import { z } from 'zod'
import { signedInOrAnybody, signedInOrSession } from '../../access/credentials.ts'
import { siteManagers, siteReaders, siteVisitors } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { errorDetail, fieldErrorDetail, itemsPage } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { query, verbatimBody } from '../../http/validate.ts'
import { historyQuery, secretHistory } from '../history/schema.ts'
import { readHistory } from '../history/service.ts'
import { done, immutableField, taken } from '../schema.ts'
import { changeSecret, createSecret, deleteSecret } from './change.ts'
import { levelQuery, readQuery, secret, secretChange, secretInput, secretsByKey, secretsQuery } from './schema.ts'
import { listSecrets, readSecret, readSecrets } from './service.ts'

const unreadable = { 500: { body: errorDetail, description: 'A value that was stored cannot be decrypted' } }

const exactLevel =
  'The one at exactly the level that is named: with `app` at that of the app, without it at that of the site. Where that level does not have the key, the answer is 404, whatever a read would find at the other.'

export const secretRoutes = new Hono<AppEnv>()
  .get(
    '/',
    operation('listSecrets', 'List secrets, or read several', {
      200: z.union([itemsPage(secret), secretsByKey]),
      400: fieldErrorDetail,
      ...unreadable,
    }),
    signedInOrSession,
    siteReaders,
    query(secretsQuery),
    async (c) => {
      const asked = c.req.valid('query')
      return c.json(asked.keys ? await readSecrets(c.var.ctx, asked.keys, asked) : await listSecrets(c.var.ctx, c.req.url, asked))
    },
  )
  .post(
    '/',
    operation('createSecret', 'Create a secret', { 201: secret, 400: z.union([fieldErrorDetail, taken]), ...unreadable }),
    signedInOrSession,
    siteManagers,
    verbatimBody(secretInput),
    async (c) => c.json(await createSecret(c.var.ctx, c.req.valid('json')), 201),
  )
  .get(
    '/:secret',
    operation(
      'getSecret',
      'Read a secret',
      { 200: secret, 400: fieldErrorDetail, 403: errorDetail, ...unreadable },
      {
        description:
          'The first match: at the level of the app, then of the site. Public ones are for anybody; others need `access_site` in the site.',
      },
    ),
    signedInOrAnybody,
    siteVisitors,
    query(readQuery),
    async (c) => c.json(await readSecret(c.var.ctx, c.req.param('secret'), c.req.valid('query'))),
  )
  .put(
    '/:secret',
    operation(
      'replaceSecret',
      'Change a secret',
      { 200: secret, 400: z.union([fieldErrorDetail, taken, immutableField]), ...unreadable },
      { description: `${exactLevel} What is omitted stays.` },
    ),
    signedInOrSession,
    siteManagers,
    query(levelQuery),
    verbatimBody(secretChange),
    async (c) => c.json(await changeSecret(c.var.ctx, c.req.param('secret'), c.req.valid('query').app, c.req.valid('json'))),
  )
  .delete(
    '/:secret',
    operation('deleteSecret', 'Delete a secret', { 200: done, 400: fieldErrorDetail }, { description: exactLevel }),
    signedInOrSession,
    siteManagers,
    query(levelQuery),
    async (c) => c.json(await deleteSecret(c.var.ctx, c.req.param('secret'), c.req.valid('query').app)),
  )
  .get(
    '/:secret/history',
    operation('listSecretHistory', 'Read the history of a secret', { 200: secretHistory, 400: fieldErrorDetail }),
    signedInOrSession,
    siteReaders,
    query(historyQuery),
    async (c) => c.json(await readHistory(c.var.ctx, c.req.param('secret'), c.req.valid('query'))),
  )
