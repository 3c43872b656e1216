/** …/scim-keys: the keys of an organization's directory. */
import { signedIn } from '../../../kernel/access/credentials.ts'
import { detail, fieldMessages, pageOfItems } from '../../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../../kernel/http/params.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { newScimKey, scimKey, scimKeyInput, scimKeysQuery } from './schema.ts'
import { createKey, deleteKey, listKeys } from './service.ts'

/** The routes of the keys of directories. */
export const scimKeyRoutes: readonly Route[] = [
  route({
    id: 'listScimKeys',
    summary: 'List the keys of the directory',
    description:
      'Lists the keys with which a directory calls SCIM. The keys themselves are not shown. For ' +
      'owners and admins.',
    method: 'GET',
    path: '/api/cloud/organizations/:organization/scim-keys',
    auth: signedIn,
    query: scimKeysQuery,
    answers: { 200: pageOfItems(scimKey), 403: detail, 404: detail },
    handle: async ({ ctx, params, query, url }) => ({
      200: await listKeys(ctx, params.organization, url, query),
    }),
  }),
  route({
    id: 'createScimKey',
    summary: 'Create a key for the directory',
    description:
      'For owners and admins with a recent sign-in. Only this response shows the key. It belongs to the ' +
      'organization, and stays valid when its creator leaves. The directory can change owners only ' +
      'with a key that an ' +
      'owner has created. An organization has at most 5 keys.',
    method: 'POST',
    path: '/api/cloud/organizations/:organization/scim-keys',
    auth: signedIn,
    body: scimKeyInput,
    answers: { 201: newScimKey, 400: fieldMessages, 403: detail, 404: detail },
    handle: async ({ ctx, params, body }) => ({ 201: await createKey(ctx, params.organization, body) }),
  }),
  route({
    id: 'deleteScimKey',
    summary: 'Delete a key of the directory',
    description: 'For owners and admins with a recent sign-in. Requests with the key are then rejected.',
    method: 'DELETE',
    path: '/api/cloud/organizations/:organization/scim-keys/:key',
    auth: signedIn,
    answers: { 204: null, 403: detail, 404: detail },
    handle: async ({ ctx, params }) => {
      await deleteKey(ctx, params.organization, parseId(params.key))
      return { 204: null }
    },
  }),
]
