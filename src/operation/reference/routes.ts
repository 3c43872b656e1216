/** The API reference: its documents at /api/schema and /api/apps/:app/schema, and its pages. W3. */
import * as z from 'zod'
import { anonymous, signedInOrKey } from '../../kernel/access/credentials.ts'
import { siteReaders } from '../../kernel/access/policies.ts'
import { documentOf } from '../../kernel/http/openapi/document.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { mountOf } from '../../kernel/http/tenant-locator.ts'
import { webhooks } from '../../runtime/events/schema.ts'
import { describeApp } from './app-document.ts'
import { withExamples } from './examples.ts'
import { referencePages } from './page-routes.tsx'

const document = z
  .looseObject({ openapi: z.string().describe('The version of OpenAPI.') })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' })

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
      description: 'Returns a document with the operations on each table of the app, and with its fields.',
      method: 'GET',
      path: '/api/apps/:app/schema',
      auth: signedInOrKey,
      may: siteReaders,
      answers: { 200: document },
      handle: async ({ ctx, params, c }) => ({
        200: await describeApp(ctx, await plainDocument(), mountOf(c.req.url), params.app),
      }),
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
