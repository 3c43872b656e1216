/** The API reference: its documents at /api/schema and /api/apps/:app/schema, and its pages. W3. */
import { z } from 'zod'
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
 * Returns the operations of the reference. `all` returns the routes of the whole application; the document is
 * built when it is first requested.
 */
export function referenceRoutes(all: () => readonly Route[]): readonly Route[] {
  const plainDocument = once(() => documentOf(all(), webhooks))
  const documentWithExamples = once(() => withExamples(plainDocument()))
  return [
    route({
      id: 'getOpenApiDocument',
      summary: 'Read the OpenAPI document',
      description: 'Returns this document, which describes every operation of the API.',
      method: 'GET',
      path: '/api/schema',
      auth: anonymous,
      answers: { 200: document },
      handle: () => ({ 200: documentWithExamples(), headers: { 'Cache-Control': 'public, max-age=300' } }),
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
        200: await describeApp(ctx, plainDocument(), mountOf(c.req.url), params.app),
      }),
    }),
    ...referencePages(plainDocument, documentWithExamples),
  ]
}

/** Computes a value at the first call, and returns the same value at later calls. */
function once<Value extends object>(compute: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= compute()
    return value
  }
}
