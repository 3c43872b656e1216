/** /api/invocations */
import { Hono } from 'hono'
import { functionCallers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { detail, pageOfItems } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { numericParam } from '../../http/params.ts'
import { query } from '../../http/validate.ts'
import { queued } from '../schema.ts'
import { invocation, invocationsQuery } from './schema.ts'
import { listInvocations, readInvocation, replayInvocation } from './service.ts'

export const invocationRoutes = new Hono<AppEnv>()
  .get(
    '/',
    operation('listInvocations', 'List invocations', { 200: pageOfItems(invocation) }, { description: 'The newest first.' }),
    siteReaders,
    query(invocationsQuery),
    async (c) => c.json(await listInvocations(c.var.ctx, c.req.url, c.req.valid('query'))),
  )
  .get('/:invocation', operation('getInvocation', 'Read an invocation', { 200: invocation }), siteReaders, async (c) =>
    c.json(await readInvocation(c.var.ctx, numericParam(c.req.param('invocation')))),
  )
  .post(
    '/:invocation/replay',
    operation(
      'replayInvocation',
      'Replay an invocation',
      { 202: queued, 400: detail },
      { description: 'One that has failed for good is queued anew.' },
    ),
    functionCallers,
    async (c) => c.json(await replayInvocation(c.var.ctx, numericParam(c.req.param('invocation'))), 202),
  )
