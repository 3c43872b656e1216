/** …/scim/v2: SCIM 2.0 for the directory of an organization. RFC 7644. */
import { byDirectory } from '../access/credentials.ts'
import { scimForm } from '../http/dialects.ts'
import { scimError } from '../http/openapi/bodies.ts'
import { parseId } from '../http/params.ts'
import { type Route, route } from '../http/route.ts'
import { configuration, resourceType, schema } from './discovery/schema.ts'
import {
  listResourceTypes,
  listSchemas,
  readConfiguration,
  readResourceType,
  readSchema,
} from './discovery/service.ts'
import { group, groupBody } from './groups/schema.ts'
import {
  createGroup,
  deleteGroup,
  listGroups,
  patchGroup,
  readGroup,
  replaceGroup,
} from './groups/service.ts'
import { type Directory, listOf, resourceQuery, resourcesQuery, scimAnswer } from './messages.ts'
import { patchBody } from './patch/operations.ts'
import { project } from './projection.ts'
import { user, userBody } from './users/schema.ts'
import { createUser, deleteUser, listUsers, patchUser, readUser, replaceUser } from './users/service.ts'

const root = '/api/cloud/organizations/:organization/scim/v2'
const common = { auth: byDirectory, dialect: scimForm } as const
const missing = { 404: scimError }
const changes = { 400: scimError, 404: scimError, 409: scimError }
const created = (body: typeof user | typeof group) => ({ ...scimAnswer(body), headers: ['Location'] })
const ignoresOthers =
  'Attributes of RFC 7643 that the service does not keep are ignored, and so are extensions.'

/** Returns where a request is made. */
const directoryOf = (organization: string, url: string): Directory => {
  const { origin, pathname } = new URL(url)
  return { organization, base: `${origin}${pathname.replace(/\/scim\/v2\/.*$/, '/scim/v2')}` }
}

const locationOf = ({ meta }: { meta?: { location?: string | undefined } | undefined }) => ({
  Location: meta?.location ?? '',
})

const discoveryRoutes: readonly Route[] = [
  route({
    ...common,
    id: 'getScimServiceProviderConfig',
    summary: 'Read what SCIM can do here',
    description: 'Returns what of the protocol the service supports.',
    method: 'GET',
    path: `${root}/ServiceProviderConfig`,
    answers: { 200: scimAnswer(configuration), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await readConfiguration(ctx, directoryOf(params.organization, url)),
    }),
  }),
  route({
    ...common,
    id: 'listScimResourceTypes',
    summary: 'List the types of SCIM resources',
    description: 'Lists users and groups, with their paths and schemas.',
    method: 'GET',
    path: `${root}/ResourceTypes`,
    answers: { 200: scimAnswer(listOf(resourceType)), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await listResourceTypes(ctx, directoryOf(params.organization, url)),
    }),
  }),
  route({
    ...common,
    id: 'getScimResourceType',
    summary: 'Read a type of SCIM resources',
    description: 'Returns the path and the schemas of one type.',
    method: 'GET',
    path: `${root}/ResourceTypes/:resource_type`,
    answers: { 200: scimAnswer(resourceType), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await readResourceType(ctx, directoryOf(params.organization, url), params.resource_type),
    }),
  }),
  route({
    ...common,
    id: 'listScimSchemas',
    summary: 'List the schemas of SCIM resources',
    description: 'Lists the attributes of users and groups.',
    method: 'GET',
    path: `${root}/Schemas`,
    answers: { 200: scimAnswer(listOf(schema)), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await listSchemas(ctx, directoryOf(params.organization, url)),
    }),
  }),
  route({
    ...common,
    id: 'getScimSchema',
    summary: 'Read a schema of SCIM resources',
    description: 'Returns the attributes of one kind of resource. Its id is a URN.',
    method: 'GET',
    path: `${root}/Schemas/:schema`,
    answers: { 200: scimAnswer(schema), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await readSchema(ctx, directoryOf(params.organization, url), params.schema),
    }),
  }),
]

const userRoutes: readonly Route[] = [
  route({
    ...common,
    id: 'listScimUsers',
    summary: "List a directory's users",
    description:
      'Lists the members of the organization, and accounts that its directory has invited or ended.',
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
      'Makes an account without a password and its membership; the e-mail has a link to choose a password. ' +
      `If the address has an account, it is invited. The answer is the same. ${ignoresOthers}`,
    method: 'POST',
    path: `${root}/Users`,
    query: resourceQuery,
    body: userBody,
    answers: { 201: created(user), ...changes },
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
      'Returns a member of the organization, or an account that its directory has invited or ended.',
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
      '`active: false` ends the membership at once, and the account where the organization manages it. ' +
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
    description: 'Deletes the account where the organization manages it, otherwise only its membership.',
    method: 'DELETE',
    path: `${root}/Users/:account`,
    answers: { 204: null, 400: scimError, 403: scimError, ...missing },
    handle: async ({ ctx, params, url }) => {
      await deleteUser(ctx, directoryOf(params.organization, url), parseId(params.account))
      return { 204: null }
    },
  }),
]

const groupRoutes: readonly Route[] = [
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
    answers: { 201: created(group), ...changes },
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
    answers: { 200: scimAnswer(group), ...changes },
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
    answers: { 200: scimAnswer(group), ...changes },
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
    answers: { 204: null, ...missing },
    handle: async ({ ctx, params, url }) => {
      await deleteGroup(ctx, directoryOf(params.organization, url), parseId(params.group))
      return { 204: null }
    },
  }),
]

/** The routes of SCIM. */
export const scimRoutes: readonly Route[] = [...discoveryRoutes, ...userRoutes, ...groupRoutes]
