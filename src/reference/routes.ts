/** /api/schema and /api/docs: the API's reference. W3. */
import { type Context, Hono } from 'hono'
import type { RouterRoute } from 'hono/types'
import { z } from 'zod'
import { anonymous } from '../access/credentials.ts'
import { siteReaders } from '../access/policies.ts'
import { webhooks } from '../events/schema.ts'
import type { AppEnv } from '../http/app-env.ts'
import { policyWith } from '../http/headers.ts'
import { anyQuery, operation } from '../http/openapi/describe.ts'
import { documentOf } from '../http/openapi/document.ts'
import type { OpenApiDocument } from '../http/openapi/types.ts'
import { splitSitePrefix } from '../http/tenant.ts'
import { documentOfApp } from './app-document.ts'
import { withExamples } from './examples.ts'
import { referencePage } from './page.ts'

const document = z
  .looseObject({ openapi: z.string().describe('The version of OpenAPI.') })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' })

/** The page's own script comes from here; Swagger UI sets styles of its own, and draws its arrows from data. */
const pagePolicy = policyWith({ 'script-src': "'self'", 'style-src': "'self' 'unsafe-inline'", 'img-src': "'self' data:", 'connect-src': "'self'" })

/** `routes` are those of the whole application. The document is made when it is first asked for. */
export function referenceRoutes(routes: () => readonly RouterRoute[]) {
  let made: OpenApiDocument | undefined
  const whole = () => {
    made ??= documentOf(routes(), webhooks)
    return made
  }
  let illustrated: OpenApiDocument | undefined
  const published = () => {
    illustrated ??= withExamples(whole())
    return illustrated
  }
  return new Hono<AppEnv>()
    .get(
      '/schema',
      operation('getOpenApiDocument', 'Read the OpenAPI document', { 200: document }, { description: 'This document: every operation of the API.' }),
      anonymous,
      (c) => {
        c.header('Cache-Control', 'public, max-age=300')
        return c.json(published())
      },
    )
    .get(
      '/docs',
      operation(
        'getReferencePage',
        'Show the reference',
        { 200: { body: z.string(), mediaType: 'text/html' } },
        { description: 'A page for people that shows this document.', query: anyQuery },
      ),
      anonymous,
      (c) => {
        c.header('Content-Security-Policy', pagePolicy)
        return c.html(referencePage(`${mountOf(c)}/api/schema/`))
      },
    )
    .get('/apps/:app/schema', operation('getAppOpenApiDocument', 'Read the OpenAPI document of an app', { 200: document }), siteReaders, async (c) =>
      c.json(await documentOfApp(c.var.ctx, whole(), mountOf(c), c.req.param('app'))),
    )
}

/** Where the request's site stands on this host. */
function mountOf(c: Context): string {
  const { slug } = splitSitePrefix(new URL(c.req.url).pathname)
  return slug === null ? '' : `/sites/${slug}`
}
