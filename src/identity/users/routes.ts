/** /api/users: accounts. T7. */
import { signedIn } from '../../kernel/access/credentials.ts'
import { detail, fieldMessages, pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { user, userChange, userInput, usersQuery } from './schema.ts'
import {
  acceptPermissions,
  changeUser,
  createUser,
  declinePermissions,
  deleteUser,
  listUsers,
  readUser,
} from './service.ts'

const managers = 'For owners and admins of an organization, who can access its members, and for superusers.'

/** The routes of accounts. */
export const userRoutes: readonly Route[] = [
  route({
    id: 'declineSitePermissions',
    summary: 'Decline your permissions in a site',
    description:
      'Deletes the permissions that were granted to you in the site, and your tie as a guest. They can be ' +
      'granted again.',
    method: 'DELETE',
    path: '/api/users/me/permissions/:site',
    auth: signedIn,
    answers: { 204: null, 404: detail },
    handle: async ({ ctx, params }) => {
      await declinePermissions(ctx, params.site)
      return { 204: null }
    },
  }),
  route({
    id: 'acceptSitePermissions',
    summary: 'Accept your permissions in a site',
    description:
      'Permissions work at once. From their first use, or when you accept them, other organizations can no ' +
      'longer end your account.',
    method: 'PUT',
    path: '/api/users/me/permissions/:site',
    auth: signedIn,
    answers: { 204: null, 404: detail },
    handle: async ({ ctx, params }) => {
      await acceptPermissions(ctx, params.site)
      return { 204: null }
    },
  }),
  route({
    id: 'listUsers',
    summary: 'List users',
    description: managers,
    method: 'GET',
    path: '/api/users',
    auth: signedIn,
    query: usersQuery,
    answers: { 200: pageOfItems(user), 403: detail, 404: detail },
    handle: async ({ ctx, query, url }) => ({ 200: await listUsers(ctx, url, query) }),
  }),
  route({
    id: 'createUser',
    summary: 'Create a user',
    description: managers,
    method: 'POST',
    path: '/api/users',
    auth: signedIn,
    body: userInput,
    answers: { 201: user, 403: detail, 422: detail },
    handle: async ({ ctx, body }) => ({ 201: await createUser(ctx, body) }),
  }),
  route({
    id: 'getUser',
    summary: 'Read a user',
    description: managers,
    method: 'GET',
    path: '/api/users/:username',
    auth: signedIn,
    answers: { 200: user, 403: detail, 404: detail },
    handle: async ({ ctx, params }) => ({ 200: await readUser(ctx, params.username) }),
  }),
  route({
    id: 'updateUser',
    summary: 'Change a user',
    description: managers,
    method: 'PATCH',
    path: '/api/users/:username',
    auth: signedIn,
    body: userChange,
    answers: { 200: user, 403: detail, 404: detail },
    handle: async ({ ctx, params, body }) => ({ 200: await changeUser(ctx, params.username, body) }),
  }),
  route({
    id: 'deleteUser',
    summary: 'Delete a user',
    description: managers,
    method: 'DELETE',
    path: '/api/users/:username',
    auth: signedIn,
    answers: { 204: null, 400: fieldMessages, 403: detail, 404: detail },
    handle: async ({ ctx, params }) => {
      await deleteUser(ctx, params.username)
      return { 204: null }
    },
  }),
]
