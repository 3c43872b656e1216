/** /api/api-keys: the caller's API keys for a site. A4. */
import { detail, pageOfItems } from '../../http/openapi/bodies.ts'
import { parseId } from '../../http/params.ts'
import { type Route, route } from '../../http/route.ts'
import { signedIn } from '../credentials.ts'
import { apiKey, apiKeyChange, apiKeyInput, apiKeysQuery, newApiKey, rotation } from './schema.ts'
import { createKey, deleteKey, getKey, listKeys, rotateKey, updateKey } from './service.ts'

/** The routes of API keys. */
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
      'Creates a key that acts for the caller in the site. Only this response shows the key. With ' +
      '`scopes`, the key reads and writes records and edges as they say, and nothing else. A key with ' +
      'scopes or addresses needs a fresh sign-in.',
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
    description: 'Returns a key of the caller, without the key itself.',
    method: 'GET',
    path: '/api/api-keys/:key',
    auth: signedIn,
    answers: { 200: apiKey, 403: detail, 404: detail },
    handle: async ({ ctx, params }) => ({ 200: await getKey(ctx, parseId(params.key)) }),
  }),
  route({
    id: 'updateApiKey',
    summary: 'Change an API key',
    description: 'Changes what the body has. Needs a fresh sign-in.',
    method: 'PATCH',
    path: '/api/api-keys/:key',
    auth: signedIn,
    body: apiKeyChange,
    answers: { 200: apiKey, 403: detail, 404: detail },
    handle: async ({ ctx, params, body }) => ({ 200: await updateKey(ctx, parseId(params.key), body) }),
  }),
  route({
    id: 'rotateApiKey',
    summary: 'Replace an API key',
    description:
      'Creates a key with the name and the rights of another one, which is accepted for `overlap_seconds` ' +
      'more. Only this response shows the new key. Needs a fresh sign-in.',
    method: 'POST',
    path: '/api/api-keys/:key/rotate',
    auth: signedIn,
    body: rotation,
    answers: { 201: newApiKey, 403: detail, 404: detail },
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
