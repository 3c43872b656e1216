/** The operations of /api/apps/{app_slug}/functions. */
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { functionCallers, siteManagers, siteReaders } from '../../kernel/access/policies.ts'
import { detail, errorDetail, pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { optionalJson } from '../../kernel/http/validate.ts'
import { execute, queueExecution } from './invocations/service.ts'
import {
  execution,
  executionInput,
  functionChange,
  functionInput,
  functionRecord,
  functionsQuery,
  newFunction,
  newFunctionInput,
  queued,
  rotatedSigningSecret,
  shownFunction,
  signingSecretRotation,
} from './schema.ts'
import {
  changeFunction,
  createFunction,
  deleteFunction,
  listFunctions,
  readFunction,
  rotateSigningSecret,
} from './service.ts'

const guarding = { body: errorDetail, description: 'The function guards an event' }

/** The operations on functions. E2. */
export const functionRoutes: readonly Route[] = [
  route({
    id: 'listFunctions',
    mayBeTooLong: true,
    summary: 'List functions',
    method: 'GET',
    path: '/api/apps/:app/functions',
    auth: signedInOrKey,
    may: siteReaders,
    query: functionsQuery,
    answers: { 200: pageOfItems(shownFunction) },
    handle: async ({ ctx, params, query, url }) => ({
      200: await listFunctions(ctx, params.app, url, query),
    }),
  }),
  route({
    id: 'createFunction',
    summary: 'Create a function',
    method: 'POST',
    path: '/api/apps/:app/functions',
    auth: signedInOrKey,
    may: siteManagers,
    body: newFunctionInput,
    answers: { 201: newFunction },
    handle: async ({ ctx, params, body }) => ({ 201: await createFunction(ctx, params.app, body) }),
  }),
  route({
    id: 'getFunction',
    summary: 'Get a function',
    method: 'GET',
    path: '/api/apps/:app/functions/:function',
    auth: signedInOrKey,
    may: siteReaders,
    answers: { 200: shownFunction },
    handle: async ({ ctx, params }) => ({ 200: await readFunction(ctx, params.app, params.function) }),
  }),
  route({
    id: 'replaceFunction',
    summary: 'Replace a function',
    method: 'PUT',
    path: '/api/apps/:app/functions/:function',
    auth: signedInOrKey,
    may: siteManagers,
    body: functionInput,
    answers: { 200: functionRecord, 409: guarding },
    handle: async ({ ctx, params, body }) => ({
      200: await changeFunction(ctx, params.app, params.function, body),
    }),
  }),
  route({
    id: 'updateFunction',
    summary: 'Change a function',
    method: 'PATCH',
    path: '/api/apps/:app/functions/:function',
    auth: signedInOrKey,
    may: siteManagers,
    body: functionChange,
    answers: { 200: functionRecord, 409: guarding },
    handle: async ({ ctx, params, body }) => ({
      200: await changeFunction(ctx, params.app, params.function, body),
    }),
  }),
  route({
    id: 'deleteFunction',
    summary: 'Delete a function',
    method: 'DELETE',
    path: '/api/apps/:app/functions/:function',
    auth: signedInOrKey,
    may: siteManagers,
    answers: { 204: null, 409: guarding },
    handle: async ({ ctx, params }) => {
      await deleteFunction(ctx, params.app, params.function)
      return { 204: null }
    },
  }),
  route({
    id: 'rotateSigningSecret',
    summary: 'Replace the signing secret of a function',
    description:
      'For functions in `proxy` mode. During the overlap, `webhook-signature` has two signatures: that of ' +
      'the new secret and that of the previous one. Another rotation ends the overlap of the one before.',
    method: 'POST',
    path: '/api/apps/:app/functions/:function/rotate-signing-secret',
    auth: signedInOrKey,
    may: siteManagers,
    body: optionalJson(signingSecretRotation),
    answers: { 200: rotatedSigningSecret, 400: detail },
    handle: async ({ ctx, params, body }) => ({
      200: await rotateSigningSecret(ctx, params.app, params.function, body),
    }),
  }),
  route({
    id: 'executeFunction',
    summary: 'Execute a function',
    description:
      'If the function fails, the response is still 200. The invocation then has the status `FAILURE` and ' +
      'the error.',
    method: 'POST',
    path: '/api/apps/:app/functions/:function/execute',
    auth: signedInOrKey,
    may: functionCallers,
    body: optionalJson(executionInput),
    answers: { 200: execution, 202: queued, 400: detail },
    handle: async ({ ctx, params, body }) => {
      const { app, function: slug } = params
      return body.async
        ? { 202: await queueExecution(ctx, app, slug, body) }
        : { 200: await execute(ctx, app, slug, body) }
    },
  }),
]
