/** /api/tags */
import { Hono } from 'hono'
import { z } from 'zod'
import { siteManagers, siteReaders } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { respondBare } from '../../http/lists/envelopes.ts'
import { bareArray, fieldErrorDetail } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body, query } from '../../http/validate.ts'
import { done, taken } from '../schema.ts'
import { tag, tagChange, tagInput, tagsQuery } from './schema.ts'
import { changeTag, createTag, deleteTag, listTags, readTag } from './service.ts'

const refused = { 400: z.union([fieldErrorDetail, taken]) }

export const tagRoutes = new Hono<AppEnv>()
  .get('/', operation('listTags', 'List tags', { 200: bareArray(tag), 400: fieldErrorDetail }), siteReaders, query(tagsQuery), async (c) =>
    respondBare(c, await listTags(c.var.ctx, c.req.valid('query'))),
  )
  .post('/', operation('createTag', 'Create a tag', { 201: tag, ...refused }), siteManagers, body(tagInput), async (c) =>
    c.json(await createTag(c.var.ctx, c.req.valid('json')), 201),
  )
  .get('/:tag', operation('getTag', 'Read a tag', { 200: tag }), siteReaders, async (c) => c.json(await readTag(c.var.ctx, c.req.param('tag'))))
  .put('/:tag', operation('replaceTag', 'Replace a tag', { 200: tag, ...refused }), siteManagers, body(tagInput), async (c) =>
    c.json(await changeTag(c.var.ctx, c.req.param('tag'), c.req.valid('json'))),
  )
  .patch('/:tag', operation('updateTag', 'Change a tag', { 200: tag, ...refused }), siteManagers, body(tagChange), async (c) =>
    c.json(await changeTag(c.var.ctx, c.req.param('tag'), c.req.valid('json'))),
  )
  .delete('/:tag', operation('deleteTag', 'Delete a tag', { 200: done }), siteManagers, async (c) =>
    c.json(await deleteTag(c.var.ctx, c.req.param('tag'))),
  )
