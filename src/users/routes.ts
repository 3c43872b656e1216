/** /api/users */
import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { detail, fieldMessages, pageOfItems } from '../http/openapi/bodies.ts'
import { operation } from '../http/openapi/describe.ts'
import { body, query } from '../http/validate.ts'
import { user, userChange, userInput, usersQuery } from './schema.ts'
import { changeUser, createUser, declinePermissions, deleteUser, listUsers, readMe, readUser } from './service.ts'

const managed = 'For owners and admins of an organization, who reach its members, and for superusers.'

export const userRoutes = new Hono<AppEnv>()
  .get('/me', operation('getCurrentUser', 'Read your own account', { 200: user }, { description: 'The account of the caller.' }), async (c) =>
    c.json(await readMe(c.var.ctx)),
  )
  .delete(
    '/me/permissions/:site',
    operation(
      'declineSitePermissions',
      'Decline your permissions in a site',
      { 204: null, 404: detail },
      { description: 'Whoever manages the site may grant them again.' },
    ),
    async (c) => {
      await declinePermissions(c.var.ctx, c.req.param('site'))
      return c.body(null, 204)
    },
  )
  .get(
    '/',
    operation('listUsers', 'List users', { 200: pageOfItems(user), 403: detail, 404: detail }, { description: managed }),
    query(usersQuery),
    async (c) => c.json(await listUsers(c.var.ctx, c.req.url, c.req.valid('query'))),
  )
  .post('/', operation('createUser', 'Create a user', { 201: user, 403: detail }, { description: managed }), body(userInput), async (c) =>
    c.json(await createUser(c.var.ctx, c.req.valid('json')), 201),
  )
  .get('/:username', operation('getUser', 'Read a user', { 200: user, 403: detail, 404: detail }, { description: managed }), async (c) =>
    c.json(await readUser(c.var.ctx, c.req.param('username'))),
  )
  .patch(
    '/:username',
    operation('updateUser', 'Change a user', { 200: user, 403: detail, 404: detail }, { description: managed }),
    body(userChange),
    async (c) => c.json(await changeUser(c.var.ctx, c.req.param('username'), c.req.valid('json'))),
  )
  .delete(
    '/:username',
    operation('deleteUser', 'Delete a user', { 204: null, 400: fieldMessages, 403: detail, 404: detail }, { description: managed }),
    async (c) => {
      await deleteUser(c.var.ctx, c.req.param('username'))
      return c.body(null, 204)
    },
  )
