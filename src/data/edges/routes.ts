/** /api/apps/{app_slug}/datatables/{name}/edges */
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { recordWriters, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { errorAndDetails } from '../../http/dialects.ts'
import { detail, errorDetail, validationFailed } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { bodyRefusals } from '../../http/validate.ts'
import { fieldFailure } from '../records/schema.ts'
import { createdEdges, deletedEdges, edgeChange, edgeIds, edgeList, edgesQuery, newEdges, oneEdge } from './schema.ts'
import { createEdges, deleteEdges, listEdges, replaceEdge } from './service.ts'

const refusals = { ...bodyRefusals, 400: z.union([detail, validationFailed]), 422: errorDetail }
const rules = 'What a type may have of them, the database holds: `max_outgoing`, `max_incoming`, and that a hierarchy has no cycles.'

export const edgeRoutes = new Hono<AppEnv, Record<never, never>, '/:app/datatables/:table/edges'>()
  .use(errorAndDetails)
  .get(
    '/',
    operation('listEdges', 'List edges', { 200: edgeList, 400: validationFailed, 422: errorDetail }, { query: edgesQuery }),
    siteReaders,
    async (c) => json(c, await listEdges(c.var.ctx, c.req.param(), new URL(c.req.url).searchParams)),
  )
  .post(
    '/',
    operation(
      'createEdges',
      'Create edges',
      { ...refusals, 201: createdEdges, 409: fieldFailure },
      { body: newEdges, description: `Every one of the array is created, or none. ${rules}` },
    ),
    recordWriters,
    async (c) => json(c, await createEdges(c.var.ctx, c.req.param(), await c.req.text()), 201),
  )
  .delete(
    '/',
    operation(
      'deleteEdges',
      'Delete edges',
      { ...refusals, 200: deletedEdges },
      { body: edgeIds, description: 'Those of the ids that no edge has are left out.' },
    ),
    recordWriters,
    async (c) => json(c, await deleteEdges(c.var.ctx, c.req.param(), await c.req.text())),
  )
  .patch(
    '/:edge',
    operation(
      'updateEdge',
      'Replace an edge',
      { ...refusals, 200: oneEdge, 404: errorDetail, 409: fieldFailure },
      { body: edgeChange, description: `All of it but its id: without \`metadata\` it has none from then on. ${rules}` },
    ),
    recordWriters,
    async (c) => json(c, await replaceEdge(c.var.ctx, c.req.param(), await c.req.text())),
  )

/** A body that is JSON already. */
const json = (c: Context, text: string, status: 200 | 201 = 200) => c.body(text, status, { 'Content-Type': 'application/json' })
