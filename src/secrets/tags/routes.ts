/** The operations of /api/tags. */

import * as z from 'zod'
import { signedInOrSession } from '../../kernel/access/credentials.ts'
import { siteManagers, siteReaders } from '../../kernel/access/policies.ts'
import { errorAndDetail } from '../../kernel/http/dialects.ts'
import { bareListReply } from '../../kernel/http/lists/envelopes.ts'
import { bareArray, fieldErrorDetail } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { confirmation, duplicateValue } from '../schema.ts'
import { tag, tagChange, tagInput, tagsQuery } from './schema.ts'
import { changeTag, createTag, deleteTag, listTags, readTag } from './service.ts'

const invalid = { 400: z.union([fieldErrorDetail, duplicateValue]) }

/** The operations on tags. */
export const tagRoutes: readonly Route[] = [
  route({
    id: 'listTags',
    mayBeTooLong: true,
    summary: 'List tags',
    method: 'GET',
    path: '/api/tags',
    auth: signedInOrSession,
    may: siteReaders,
    dialect: errorAndDetail,
    query: tagsQuery,
    answers: { 200: bareArray(tag), 400: fieldErrorDetail },
    handle: async ({ ctx, query }) => bareListReply(await listTags(ctx, query)),
  }),
  route({
    id: 'createTag',
    summary: 'Create a tag',
    method: 'POST',
    path: '/api/tags',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    body: tagInput,
    answers: { 201: tag, ...invalid },
    handle: async ({ ctx, body }) => ({ 201: await createTag(ctx, body) }),
  }),
  route({
    id: 'getTag',
    summary: 'Get a tag',
    method: 'GET',
    path: '/api/tags/:tag',
    auth: signedInOrSession,
    may: siteReaders,
    dialect: errorAndDetail,
    answers: { 200: tag },
    handle: async ({ ctx, params }) => ({ 200: await readTag(ctx, params.tag) }),
  }),
  route({
    id: 'replaceTag',
    summary: 'Replace a tag',
    method: 'PUT',
    path: '/api/tags/:tag',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    body: tagInput,
    answers: { 200: tag, ...invalid },
    handle: async ({ ctx, params, body }) => ({ 200: await changeTag(ctx, params.tag, body) }),
  }),
  route({
    id: 'updateTag',
    summary: 'Change a tag',
    method: 'PATCH',
    path: '/api/tags/:tag',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    body: tagChange,
    answers: { 200: tag, ...invalid },
    handle: async ({ ctx, params, body }) => ({ 200: await changeTag(ctx, params.tag, body) }),
  }),
  route({
    id: 'deleteTag',
    summary: 'Delete a tag',
    method: 'DELETE',
    path: '/api/tags/:tag',
    auth: signedInOrSession,
    may: siteManagers,
    dialect: errorAndDetail,
    answers: { 200: confirmation },
    handle: async ({ ctx, params }) => ({ 200: await deleteTag(ctx, params.tag) }),
  }),
]
