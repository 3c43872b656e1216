/** …/scim/v2/Groups: the groups of a directory. RFC 7644. */
import { scimError } from '../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../kernel/http/params.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { group, groupBody } from './groups/schema.ts'
import {
  createGroup,
  deleteGroup,
  listGroups,
  patchGroup,
  readGroup,
  replaceGroup,
} from './groups/service.ts'
import { listOf, resourceQuery, resourcesQuery, scimAnswer } from './messages.ts'
import { patchBody } from './patch/operations.ts'
import { project } from './projection.ts'
import { changes, common, created, directoryOf, locationOf, missing, root } from './route-parts.ts'

export const scimGroupRoutes: readonly Route[] = [
  route({
    ...common,
    id: 'listScimGroups',
    summary: "List a directory's groups",
    description: 'Lists the groups of the organization with their members.',
    method: 'GET',
    path: `${root}/Groups`,
    query: resourcesQuery,
    answers: { 200: scimAnswer(listOf(group)), ...missing },
    handle: async ({ ctx, params, query, url }) => {
      const { Resources, ...page } = await listGroups(ctx, directoryOf(params.organization, url), query)
      return { 200: { ...page, Resources: Resources.map((one) => project(one, query)) } }
    },
  }),
  route({
    ...common,
    id: 'createScimGroup',
    summary: "Create a directory's group",
    description: 'Creates a group of the organization, with its members.',
    method: 'POST',
    path: `${root}/Groups`,
    query: resourceQuery,
    body: groupBody,
    answers: { 201: created(group), 403: scimError, ...changes },
    handle: async ({ ctx, params, query, body, url }) => {
      const made = await createGroup(ctx, directoryOf(params.organization, url), body)
      return { 201: project(made, query), headers: locationOf(made) }
    },
  }),
  route({
    ...common,
    id: 'getScimGroup',
    summary: "Read a directory's group",
    description: 'Returns a group of the organization with its members.',
    method: 'GET',
    path: `${root}/Groups/:group`,
    query: resourceQuery,
    answers: { 200: scimAnswer(group), ...missing },
    handle: async ({ ctx, params, query, url }) => {
      const directory = directoryOf(params.organization, url)
      return { 200: project(await readGroup(ctx, directory, parseId(params.group), query), query) }
    },
  }),
  route({
    ...common,
    id: 'replaceScimGroup',
    summary: "Replace a directory's group",
    description: 'Replaces the name and the members of a group.',
    method: 'PUT',
    path: `${root}/Groups/:group`,
    query: resourceQuery,
    body: groupBody,
    answers: { 200: scimAnswer(group), 403: scimError, ...changes },
    handle: async ({ ctx, params, query, body, url }) => ({
      200: project(
        await replaceGroup(ctx, directoryOf(params.organization, url), parseId(params.group), body),
        query,
      ),
    }),
  }),
  route({
    ...common,
    id: 'updateScimGroup',
    summary: "Change a directory's group",
    description: 'Adds and removes members, or renames the group.',
    method: 'PATCH',
    path: `${root}/Groups/:group`,
    query: resourceQuery,
    body: patchBody,
    answers: { 200: scimAnswer(group), 403: scimError, ...changes },
    handle: async ({ ctx, params, query, body, url }) => ({
      200: project(
        await patchGroup(ctx, directoryOf(params.organization, url), parseId(params.group), body),
        query,
      ),
    }),
  }),
  route({
    ...common,
    id: 'deleteScimGroup',
    summary: "Delete a directory's group",
    description: 'Its members stay users.',
    method: 'DELETE',
    path: `${root}/Groups/:group`,
    answers: { 204: null, 403: scimError, ...missing },
    handle: async ({ ctx, params, url }) => {
      await deleteGroup(ctx, directoryOf(params.organization, url), parseId(params.group))
      return { 204: null }
    },
  }),
]
