/** The operations of /api/invocations. */
import { signedInOrKey } from '../../../kernel/access/credentials.ts'
import { functionCallers, siteReaders } from '../../../kernel/access/policies.ts'
import { detail, pageOfItems } from '../../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../../kernel/http/params.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { queued } from '../schema.ts'
import { invocation, invocationsQuery } from './schema.ts'
import { listInvocations, readInvocation, replayInvocation } from './service.ts'

/** The operations on invocations. E3. */
export const invocationRoutes: readonly Route[] = [
  route({
    id: 'listInvocations',
    mayBeTooLong: true,
    summary: 'List invocations',
    description: 'Lists the invocations of all functions, the newest first.',
    method: 'GET',
    path: '/api/invocations',
    auth: signedInOrKey,
    may: siteReaders,
    query: invocationsQuery,
    answers: { 200: pageOfItems(invocation) },
    handle: async ({ ctx, query, url }) => ({ 200: await listInvocations(ctx, url, query) }),
  }),
  route({
    id: 'getInvocation',
    summary: 'Get an invocation',
    method: 'GET',
    path: '/api/invocations/:invocation',
    auth: signedInOrKey,
    may: siteReaders,
    answers: { 200: invocation },
    handle: async ({ ctx, params }) => ({ 200: await readInvocation(ctx, parseId(params.invocation)) }),
  }),
  route({
    id: 'replayInvocation',
    summary: 'Replay an invocation',
    description: 'Queues a failed invocation again. It gets all of its attempts again.',
    method: 'POST',
    path: '/api/invocations/:invocation/replay',
    auth: signedInOrKey,
    may: functionCallers,
    answers: { 202: queued, 400: detail },
    handle: async ({ ctx, params }) => ({
      202: await replayInvocation(ctx, parseId(params.invocation)),
    }),
  }),
]
