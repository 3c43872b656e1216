/** /api/api-keys */
import { Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { detail, pageOfItems } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { numericParam } from '../../http/params.ts'
import { body, query } from '../../http/validate.ts'
import { apiKey, apiKeyInput, apiKeysQuery, newApiKey } from './schema.ts'
import { createKey, deleteKey, listKeys } from './service.ts'

export const apiKeyRoutes = new Hono<AppEnv>()
  .get(
    '/',
    operation(
      'listApiKeys',
      'List your API keys',
      { 200: pageOfItems(apiKey), 403: detail, 404: detail },
      { description: 'The API keys that the caller has for the site, without the keys themselves.' },
    ),
    query(apiKeysQuery),
    async (c) => c.json(await listKeys(c.var.ctx, c.req.url, c.req.valid('query'))),
  )
  .post(
    '/',
    operation(
      'createApiKey',
      'Create an API key',
      { 201: newApiKey, 403: detail, 404: detail },
      { description: 'The key acts for the caller in the site. The answer shows it this once.' },
    ),
    body(apiKeyInput),
    async (c) => c.json(await createKey(c.var.ctx, c.req.valid('json')), 201),
  )
  .delete(
    '/:key',
    operation('deleteApiKey', 'Delete an API key', { 204: null, 403: detail, 404: detail }, { description: 'The key is refused from then on.' }),
    async (c) => {
      await deleteKey(c.var.ctx, numericParam(c.req.param('key')))
      return c.body(null, 204)
    },
  )
