/** /api/users */
import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { pageQuery } from '../http/paging.ts'
import { body, query } from '../http/validate.ts'
import { userChange, userInput } from './schema.ts'
import { changeUser, createUser, deleteUser, listUsers, readMe, readUser } from './service.ts'

export const userRoutes = new Hono<AppEnv>()
  .get('/me', async (c) => c.json(await readMe(c.var.ctx)))
  .get('/', query(pageQuery), async (c) => c.json(await listUsers(c.var.ctx, c.req.url, c.req.valid('query'))))
  .post('/', body(userInput), async (c) => c.json(await createUser(c.var.ctx, c.req.valid('json')), 201))
  .get('/:username', async (c) => c.json(await readUser(c.var.ctx, c.req.param('username'))))
  .patch('/:username', body(userChange), async (c) => c.json(await changeUser(c.var.ctx, c.req.param('username'), c.req.valid('json'))))
  .delete('/:username', async (c) => {
    await deleteUser(c.var.ctx, c.req.param('username'))
    return c.body(null, 204)
  })
