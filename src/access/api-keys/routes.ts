/** /api/api-keys */
import { Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { pageQuery } from '../../http/paging.ts'
import { numericParam } from '../../http/params.ts'
import { body, query } from '../../http/validate.ts'
import { apiKeyInput } from './schema.ts'
import { createKey, deleteKey, listKeys } from './service.ts'

export const apiKeyRoutes = new Hono<AppEnv>()
  .get('/', query(pageQuery), async (c) => c.json(await listKeys(c.var.ctx, c.req.url, c.req.valid('query'))))
  .post('/', body(apiKeyInput), async (c) => c.json(await createKey(c.var.ctx, c.req.valid('json')), 201))
  .delete('/:id', async (c) => {
    await deleteKey(c.var.ctx, numericParam(c.req.param('id')))
    return c.body(null, 204)
  })
