/** /api/api-keys: the caller's API keys for a site. A4. */
import { detail, pageOfItems } from '../../http/openapi/bodies.ts'
import { parseId } from '../../http/params.ts'
import { type Route, route } from '../../http/route.ts'
import { signedIn } from '../credentials.ts'
import { apiKey, apiKeyChange, apiKeyInput, apiKeysQuery, newApiKey, rotation } from './schema.ts'
import { createKey, deleteKey, getKey, listKeys, rotateKey, updateKey } from './service.ts'

export const apiKeyRoutes: readonly Route[] = [
  route({
    id: 'listApiKeys',
    summary: 'List your API keys',
    description: "Lists the caller's API keys for the site. The keys themselves are not shown.",
    method: 'GET',
    path: '/api/api-keys',
    auth: signedIn,
    query: apiKeysQuery,
    answers: { 200: pageOfItems(apiKey), 403: detail, 404: detail },
    handle: async ({ ctx, query, url }) => ({ 200: await listKeys(ctx, url, query) }),
  }),
  route({
    id: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Creates a key that acts for the caller in the site. Only this response shows it. With ' +
      '`scopes`, the key can only read and write the records and edges that they allow. A key with ' +
      'scopes or addresses needs a recent sign-in.',
    method: 'POST',
    path: '/api/api-keys',
    auth: signedIn,
    body: apiKeyInput,
    answers: { 201: newApiKey, 403: detail, 404: detail },
    handle: async ({ ctx, body }) => ({ 201: await createKey(ctx, body) }),
  }),
  route({
    id: 'getApiKey',
    summary: 'Read an API key',
    description: "Returns the settings of one of the caller's keys. The key itself is not shown.",
    method: 'GET',
    path: '/api/api-keys/:key',
    auth: signedIn,
    answers: { 200: apiKey, 403: detail, 404: detail },
    handle: async ({ ctx, params }) => ({ 200: await getKey(ctx, parseId(params.key)) }),
  }),
  route({
    id: 'updateApiKey',
    summary: 'Change an API key',
    description: 'Changes the members that the body contains. Needs a recent sign-in.',
    method: 'PATCH',
    path: '/api/api-keys/:key',
    auth: signedIn,
    body: apiKeyChange,
    answers: { 200: apiKey, 403: detail, 404: detail, 409: detail },
    handle: async ({ ctx, params, body }) => ({ 200: await updateKey(ctx, parseId(params.key), body) }),
  }),
  route({
    id: 'rotateApiKey',
    summary: 'Replace an API key',
    description:
      'Creates a key with the same name and rights. The old key is accepted for another `overlap_seconds`. ' +
      'Only this response shows the new key. Needs a recent sign-in.',
    method: 'POST',
    path: '/api/api-keys/:key/rotate',
    auth: signedIn,
    body: rotation,
    answers: { 201: newApiKey, 403: detail, 404: detail, 409: detail },
    handle: async ({ ctx, params, body }) => ({ 201: await rotateKey(ctx, parseId(params.key), body) }),
  }),
  route({
    id: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'Deletes a key. Requests with it are rejected from then on.',
    method: 'DELETE',
    path: '/api/api-keys/:key',
    auth: signedIn,
    answers: { 204: null, 403: detail, 404: detail },
    handle: async ({ ctx, params }) => {
      await deleteKey(ctx, parseId(params.key))
      return { 204: null }
    },
  }),
]
