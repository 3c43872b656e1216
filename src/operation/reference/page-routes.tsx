/** The pages of the API reference: /api/docs, one for each operation, and the same for each app. W3. */
import type { Context } from 'hono'
import * as z from 'zod'
import { inSession, visitor } from '../../kernel/access/credentials.ts'
import { siteReaders } from '../../kernel/access/policies.ts'
import { found } from '../../kernel/errors.ts'
import type { AppEnv } from '../../kernel/http/app-env.ts'
import { policyWith } from '../../kernel/http/headers.ts'
import { anyQuery } from '../../kernel/http/openapi/describe.ts'
import type { AppDocument, OpenApiDocument } from '../../kernel/http/openapi/types.ts'
import { PreparedResponse, page, type Route, route } from '../../kernel/http/route.ts'
import { mountOf } from '../../kernel/http/tenant-locator.ts'
import { asDocument } from '../../kernel/page/page.tsx'
import { describeApp } from './app-document.ts'
import { chaptersOf } from './operations.ts'
import { OperationPage } from './pages/operation.tsx'
import { Overview } from './pages/overview.tsx'
import type { ReferencePlace } from './pages/place.ts'
import { readReader } from './reader.ts'

/** The content security policy of the pages: the script of the forms may send requests only to this host. */
const pagePolicy = policyWith({ 'script-src': "'self'", 'connect-src': "'self'" })

/**
 * Returns the pages. `plain` returns the document of the whole API; `complete` returns the same document with
 * examples.
 */
export const referencePages = (
  plain: () => Promise<OpenApiDocument>,
  complete: () => Promise<OpenApiDocument>,
): readonly Route[] => [
  route({
    id: 'getReferencePage',
    summary: 'Show the API reference',
    description: 'Returns an HTML page that lists all operations. Each one has a page of its own.',
    method: 'GET',
    path: '/api/docs',
    auth: visitor,
    query: anyQuery,
    answers: { 200: { body: z.string(), mediaType: 'text/html', example: '<!doctype html>…' } },
    handle: async ({ c }) => new PreparedResponse(200, await showOverview(c, await complete())),
  }),
  page({
    method: 'GET',
    path: '/api/docs/:operation',
    auth: visitor,
    handle: async (c, { operation }) => showOperation(c, await complete(), operation),
  }),
  page({
    method: 'GET',
    path: '/api/docs/apps/:app',
    auth: inSession,
    may: siteReaders,
    handle: async (c, { app }) => showOverview(c, await documentOfApp(c, await plain(), app), app),
  }),
  page({
    method: 'GET',
    path: '/api/docs/apps/:app/:operation',
    auth: inSession,
    may: siteReaders,
    handle: async (c, { app, operation }) =>
      showOperation(c, await documentOfApp(c, await plain(), app), operation, app),
  }),
]

type PageContext = Context<AppEnv>

const documentOfApp = (c: PageContext, plain: OpenApiDocument, app: string): Promise<AppDocument> =>
  describeApp(c.var.ctx, plain, mountOf(c.req.url), app)

async function placeOf(
  { req, var: { ctx } }: PageContext,
  { info }: OpenApiDocument | AppDocument,
  app?: string,
): Promise<ReferencePlace> {
  const title = app === undefined ? 'API reference' : String(info.title)
  return { mount: mountOf(req.url), app, title, reader: await readReader(ctx, req.url) }
}

async function showOverview(
  c: PageContext,
  document: OpenApiDocument | AppDocument,
  app?: string,
): Promise<Response> {
  const place = await placeOf(c, document, app)
  const description = String(document.info.description)
  return show(c, <Overview place={place} description={description} chapters={chaptersOf(document)} />)
}

async function showOperation(
  c: PageContext,
  document: OpenApiDocument | AppDocument,
  id: string,
  app?: string,
): Promise<Response> {
  const chapters = chaptersOf(document)
  const operations = chapters.flatMap((chapter) => chapter.operations)
  const operation = found(operations.find(({ operationId }) => operationId === id))
  const place = await placeOf(c, document, app)
  return show(
    c,
    <OperationPage
      place={place}
      operation={operation}
      chapters={chapters}
      schemas={document.components.schemas}
    />,
  )
}

function show(c: PageContext, content: unknown): Response | Promise<Response> {
  c.header('Content-Security-Policy', pagePolicy)
  return c.html(asDocument(content))
}
