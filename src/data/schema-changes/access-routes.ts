/**
 * /api/apps/{app_slug}/access and …/datatables/{name}/access: what guests may do with the records of
 * datatables.
 */
import * as z from 'zod'
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { siteManagers, siteReaders } from '../../kernel/access/policies.ts'
import { namesTag, quotedTag } from '../../kernel/http/entity-tags.ts'
import { errorDetail } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { readAccessReport } from '../guests/report.ts'
import { accessReport, advised } from '../guests/schema.ts'
import { accessRules } from '../model/access.ts'
import { readAccess, replaceAccess } from './access.ts'
import { accessQuery, changeConflict, changes } from './schema.ts'

const path = '/api/apps/:app/datatables/:table/access'

const savedRules = accessRules.extend(advised).meta({
  id: 'SavedAccessRules',
  description: 'The new access rules of a datatable, with advice.',
})
const examinedRules = changes.extend(advised)

/** The routes that read and replace the access rules of a datatable. */
export const accessRoutes: readonly Route[] = [
  route({
    id: 'getAppAccess',
    summary: 'Report on the access rules of an app',
    description: 'Returns what the access rules of all datatables allow, and advice about them.',
    method: 'GET',
    path: '/api/apps/:app/access',
    auth: signedInOrKey,
    may: siteReaders,
    answers: { 200: accessReport },
    handle: async ({ ctx, params }) => ({ 200: await readAccessReport(ctx, params.app) }),
  }),
  route({
    id: 'getDatatableAccess',
    summary: 'Read the access rules of a datatable',
    description:
      'The rules say what callers without `access_site` may do. Without rules, they cannot access ' +
      'any records.',
    method: 'GET',
    path,
    auth: signedInOrKey,
    may: siteReaders,
    headers: ['If-None-Match'],
    answers: {
      200: { body: accessRules, headers: ['ETag'] },
      304: { description: 'The schema has not changed', headers: ['ETag'] },
    },
    handle: async ({ ctx, params, c }) => {
      const { access, schemaHash } = await readAccess(ctx, params)
      c.header('ETag', quotedTag(schemaHash))
      c.header('Cache-Control', 'private, no-cache')
      return namesTag(c.req.header('If-None-Match'), schemaHash) ? { 304: null } : { 200: access }
    },
  }),
  route({
    id: 'replaceDatatableAccess',
    summary: 'Replace the access rules of a datatable',
    description:
      'The rules are the member `access` of the schema, so the change is in the operation history and can ' +
      'be rolled back. The ETag is that of the schema. With `dry_run`, nothing is changed. The answer has ' +
      'advice about the new rules.',
    method: 'PUT',
    path,
    auth: signedInOrKey,
    may: siteManagers,
    headers: ['If-Match'],
    repeatable: true,
    query: accessQuery,
    body: accessRules,
    answers: {
      200: { body: z.union([savedRules, examinedRules]), headers: ['ETag'] },
      409: changeConflict,
      412: errorDetail,
      422: errorDetail,
    },
    handle: async ({ ctx, params, query, body, c }) => {
      const ifMatch = c.req.header('If-Match')
      const answer = await replaceAccess(ctx, params, body, { isDry: query.dry_run, ifMatch })
      if ('changes' in answer) return { 200: answer }
      c.header('ETag', quotedTag(answer.schemaHash))
      return { 200: { ...answer.access, advice: answer.advice } }
    },
  }),
]
