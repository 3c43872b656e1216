/** The API reference: its documents at /api/schema and /api/apps/:app/schema, and its pages. W3. */
import * as z from 'zod'
import { anonymous, signedInOrKey } from '../../kernel/access/credentials.ts'
import { siteReaders } from '../../kernel/access/policies.ts'
import { namesTag, quotedTag } from '../../kernel/http/entity-tags.ts'
import { documentOf } from '../../kernel/http/openapi/document.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { mountOf } from '../../kernel/http/tenant-locator.ts'
import { webhooks } from '../../runtime/events/schema.ts'
import { appDocument, describeApp, documentTag } from './app-document.ts'
import { withExamples } from './examples.ts'
import { referencePages } from './page-routes.tsx'

const document = z
  .looseObject({ openapi: z.string().describe('The version of OpenAPI.') })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' })

/** The tables that the document of an app is about. */
const tableNames = z
  .string()
  .transform((names) => [...new Set(names.split(','))])
  .describe('The names of tables, separated by commas. The document is about these alone.')

/**
 * Returns the operations of the reference. `loadAll` loads the routes of the whole application; the document
 * is built when it is first requested.
 */
export function referenceRoutes(loadAll: () => Promise<readonly Route[]>): readonly Route[] {
  const plainDocument = once(async () => documentOf(await loadAll(), webhooks))
  const documentWithExamples = once(async () => withExamples(await plainDocument()))
  return [
    route({
      id: 'getOpenApiDocument',
      summary: 'Read the OpenAPI document',
      description: 'Returns this document, which describes every operation of the API.',
      method: 'GET',
      path: '/api/schema',
      auth: anonymous,
      answers: { 200: document },
      handle: async () => ({
        200: await documentWithExamples(),
        headers: { 'Cache-Control': 'public, max-age=300' },
      }),
    }),
    route({
      id: 'getAppDocument',
      summary: 'Read the OpenAPI document of an app',
      description:
        'Returns a document with the operations on each table of the app, and with its fields. The ETag ' +
        'changes with the schemas of the tables.',
      method: 'GET',
      path: '/api/apps/:app/schema',
      auth: signedInOrKey,
      may: siteReaders,
      headers: ['If-None-Match'],
      query: z.object({ tables: tableNames.optional() }),
      answers: {
        200: { body: document, headers: ['ETag'] },
        304: { description: 'The document has not changed', headers: ['ETag'] },
      },
      handle: async ({ ctx, params, query, c }) => {
        const general = { whole: await plainDocument(), mount: mountOf(c.req.url), app: params.app }
        const described = await describeApp(ctx, general, query.tables)
        const tag = documentTag(described)
        const headers = { ETag: quotedTag(tag), 'Cache-Control': 'private, no-cache' }
        const isKnown = namesTag(c.req.header('If-None-Match'), tag)
        return isKnown ? { 304: null, headers } : { 200: { ...appDocument(described) }, headers }
      },
    }),
    ...referencePages(plainDocument, documentWithExamples),
  ]
}

/**
 * Computes a value at the first call, and returns the same value at later calls. It keeps no promise, because
 * a request must not wait for another one.
 */
function once<Value extends object>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Value | undefined
  return async () => {
    value ??= await compute()
    return value
  }
}
