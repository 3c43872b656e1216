/** …/scim/v2/Users: the users of a directory. RFC 7644. */
import { scimError } from '../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../kernel/http/params.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { listOf, resourceQuery, resourcesQuery, scimAnswer } from './messages.ts'
import { patchBody } from './patch/operations.ts'
import { project } from './projection.ts'
import {
  changes,
  common,
  created,
  directoryOf,
  ignoresOthers,
  locationOf,
  missing,
  root,
} from './route-parts.ts'
import { user, userBody } from './users/schema.ts'
import { createUser, deleteUser, listUsers, patchUser, readUser, replaceUser } from './users/service.ts'

export const scimUserRoutes: readonly Route[] = [
  route({
    ...common,
    id: 'listScimUsers',
    summary: "List a directory's users",
    description:
      'Lists the members of the organization, and accounts that its directory has invited or whose ' +
      'membership it has ended.',
    method: 'GET',
    path: `${root}/Users`,
    query: resourcesQuery,
    answers: { 200: scimAnswer(listOf(user)), ...missing },
    handle: async ({ ctx, params, query, url }) => {
      const { Resources, ...page } = await listUsers(ctx, directoryOf(params.organization, url), query)
      return { 200: { ...page, Resources: Resources.map((one) => project(one, query)) } }
    },
  }),
  route({
    ...common,
    id: 'createScimUser',
    summary: "Create a directory's user",
    description:
      'Creates an account without a password, and its membership. An e-mail has a link to choose a ' +
      'password. ' +
      `If the address has an account, it is invited. The answer is the same. ${ignoresOthers}`,
    method: 'POST',
    path: `${root}/Users`,
    query: resourceQuery,
    body: userBody,
    answers: { 201: created(user), ...changes, 422: scimError },
    handle: async ({ ctx, params, query, body, url }) => {
      const made = await createUser(ctx, directoryOf(params.organization, url), body)
      return { 201: project(made, query), headers: locationOf(made) }
    },
  }),
  route({
    ...common,
    id: 'getScimUser',
    summary: "Read a directory's user",
    description:
      'Returns a member of the organization, or an account that its directory has invited or whose ' +
      'membership it has ended.',
    method: 'GET',
    path: `${root}/Users/:account`,
    query: resourceQuery,
    answers: { 200: scimAnswer(user), ...missing },
    handle: async ({ ctx, params, query, url }) => ({
      200: project(
        await readUser(ctx, directoryOf(params.organization, url), parseId(params.account)),
        query,
      ),
    }),
  }),
  route({
    ...common,
    id: 'replaceScimUser',
    summary: "Replace a directory's user",
    description: `What the body does not name is removed, except for \`active\`. ${ignoresOthers}`,
    method: 'PUT',
    path: `${root}/Users/:account`,
    query: resourceQuery,
    body: userBody,
    answers: { 200: scimAnswer(user), 403: scimError, ...changes },
    handle: async ({ ctx, params, query, body, url }) => ({
      200: project(
        await replaceUser(ctx, directoryOf(params.organization, url), parseId(params.account), body),
        query,
      ),
    }),
  }),
  route({
    ...common,
    id: 'updateScimUser',
    summary: "Change a directory's user",
    description:
      '`active: false` ends the membership at once. If the organization manages the account, it is ' +
      'deactivated. ' +
      ignoresOthers,
    method: 'PATCH',
    path: `${root}/Users/:account`,
    query: resourceQuery,
    body: patchBody,
    answers: { 200: scimAnswer(user), 403: scimError, ...changes },
    handle: async ({ ctx, params, query, body, url }) => ({
      200: project(
        await patchUser(ctx, directoryOf(params.organization, url), parseId(params.account), body),
        query,
      ),
    }),
  }),
  route({
    ...common,
    id: 'deleteScimUser',
    summary: "Delete a directory's user",
    description: 'Deletes the account if the organization manages it, otherwise only its membership.',
    method: 'DELETE',
    path: `${root}/Users/:account`,
    answers: { 204: null, 400: scimError, 403: scimError, ...missing },
    handle: async ({ ctx, params, url }) => {
      await deleteUser(ctx, directoryOf(params.organization, url), parseId(params.account))
      return { 204: null }
    },
  }),
]
