/** /api/apps/{app_slug}/functions */
import { Hono } from 'hono'
import { functionCallers, siteManagers, siteReaders } from '../access/policies.ts'
import type { AppEnv } from '../http/app-env.ts'
import { detail, pageOfItems } from '../http/openapi/bodies.ts'
import { operation } from '../http/openapi/describe.ts'
import { body, optionalBody, query } from '../http/validate.ts'
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
  shownFunction,
} from './schema.ts'
import { changeFunction, createFunction, deleteFunction, listFunctions, readFunction } from './service.ts'

export const functionRoutes = new Hono<AppEnv, Record<never, never>, '/:app/functions'>()
  .get('/', operation('listFunctions', 'List functions', { 200: pageOfItems(shownFunction) }), siteReaders, query(functionsQuery), async (c) =>
    c.json(await listFunctions(c.var.ctx, c.req.param('app'), c.req.url, c.req.valid('query'))),
  )
  .post('/', operation('createFunction', 'Create a function', { 201: newFunction }), siteManagers, body(newFunctionInput), async (c) =>
    c.json(await createFunction(c.var.ctx, c.req.param('app'), c.req.valid('json')), 201),
  )
  .get('/:function', operation('getFunction', 'Read a function', { 200: shownFunction }), siteReaders, async (c) =>
    c.json(await readFunction(c.var.ctx, c.req.param('app'), c.req.param('function'))),
  )
  .put('/:function', operation('replaceFunction', 'Replace a function', { 200: functionRecord }), siteManagers, body(functionInput), async (c) =>
    c.json(await changeFunction(c.var.ctx, c.req.param('app'), c.req.param('function'), c.req.valid('json'))),
  )
  .patch('/:function', operation('updateFunction', 'Change a function', { 200: functionRecord }), siteManagers, body(functionChange), async (c) =>
    c.json(await changeFunction(c.var.ctx, c.req.param('app'), c.req.param('function'), c.req.valid('json'))),
  )
  .delete('/:function', operation('deleteFunction', 'Delete a function', { 204: null }), siteManagers, async (c) => {
    await deleteFunction(c.var.ctx, c.req.param('app'), c.req.param('function'))
    return c.body(null, 204)
  })
  .post(
    '/:function/execute',
    operation(
      'executeFunction',
      'Execute a function',
      { 200: execution, 202: queued, 400: detail },
      { description: 'A function that fails is no failure of the request: its invocation says `FAILURE`, and why.' },
    ),
    functionCallers,
    optionalBody(executionInput),
    async (c) => {
      const input = c.req.valid('json')
      const { app, function: slug } = c.req.param()
      return input.async ? c.json(await queueExecution(c.var.ctx, app, slug, input), 202) : c.json(await execute(c.var.ctx, app, slug, input))
    },
  )
