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
import { accessReport, advised, appAccessInput } from '../guests/schema.ts'
import { accessRules } from '../model/access.ts'
import { readAccess, replaceAccess } from './access.ts'
import { readAppAccess, replaceAppAccess } from './app-access.ts'
import { accessQuery, appAccessQuery, changeConflict, changes } from './schema.ts'

const appPath = '/api/apps/:app/access'
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
    description:
      'Returns the rules of the app, what they and the access rules of all datatables allow, and advice ' +
      'about them. The ETag is that of the rules of the app.',
    method: 'GET',
    path: appPath,
    auth: signedInOrKey,
    may: siteReaders,
    answers: { 200: { body: accessReport, headers: ['ETag'] } },
    handle: async ({ ctx, params, c }) => {
      const { hash, ...access } = await readAppAccess(ctx, params.app)
      c.header('ETag', quotedTag(hash))
      return { 200: access }
    },
  }),
  route({
    id: 'replaceAppAccess',
    summary: 'Replace the access rules of an app',
    description:
      'These rules apply to several datatables, in addition to the rules of each: `"tables": "*"` to all, ' +
      'also to future ones, or a list of names. Actions that a datatable does not have, such as `edges`, ' +
      'are left out there. With `dry_run`, the rules are only checked.',
    method: 'PUT',
    path: appPath,
    auth: signedInOrKey,
    may: siteManagers,
    headers: ['If-Match'],
    query: appAccessQuery,
    body: appAccessInput,
    answers: { 200: { body: accessReport, headers: ['ETag'] }, 412: errorDetail },
    handle: async ({ ctx, params, query, body, c }) => {
      const options = { isDry: query.dry_run, ifMatch: c.req.header('If-Match') }
      const { hash, ...access } = await replaceAppAccess(ctx, params.app, body.rules, options)
      c.header('ETag', quotedTag(hash))
      return { 200: access }
    },
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
