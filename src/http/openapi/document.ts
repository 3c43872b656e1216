/** The API's reference: an OpenAPI 3.1 document, gathered from what the routes say of themselves. W3. */
import type { RouterRoute } from 'hono/types'
import type { z } from 'zod'
import { withoutUnused } from './components.ts'
import type { Part } from './describe.ts'
import { headerRow } from './headers.ts'
import { operationsOf } from './operations.ts'
import { responsesOf, SharedResponses } from './responses.ts'
import { pascal, SchemaCollection } from './schemas.ts'
import type { JsonSchema, OpenApiDocument, Operation } from './types.ts'
import { chapters, pathParameters, securitySchemes } from './vocabulary.ts'

/** `routes` are those of the whole application, each with the path at which it answers; `webhooks` what it sends to servers of clients, by the reason. */
export function documentOf(routes: readonly RouterRoute[], webhooks: ReadonlyMap<string, z.ZodType>): OpenApiDocument {
  const schemas = new SchemaCollection()
  const shared = new SharedResponses()
  const paths: OpenApiDocument['paths'] = {}
  for (const { method, path, parts } of operationsOf(routes)) {
    const shown = shownPath(path)
    paths[shown] = { ...paths[shown], [method.toLowerCase()]: operationOf(shown, parts, schemas, shared) }
  }
  requireDifferent(Object.values(paths).flatMap((operations) => Object.values(operations).map(({ operationId }) => operationId)))
  return withoutUnused({
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: '1.0.0',
      description:
        'A multi-tenant backend: sign-in, organizations and sites; for each site tables with a query language. ' +
        'The site of a request is that of its host; else the one named by the path prefix `/sites/{site}`. ' +
        'Query parameters that an operation does not have are refused.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/', description: 'The site of this host' },
      { url: '/sites/{site}', description: 'A site by its slug', variables: { site: { default: 'demo', description: 'The slug of the site' } } },
    ],
    tags: chapters.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries([...webhooks].map(([name, body]) => [name, webhookOf(name, body, schemas)])),
    components: { schemas: schemas.components, responses: shared.components, securitySchemes },
  })
}

function requireDifferent(ids: readonly string[]): void {
  const twice = ids.find((id, position) => ids.indexOf(id) !== position)
  if (twice !== undefined) throw new Error(`two operations have the id "${twice}"`)
}

/** A call of a client's server. */
const webhookOf = (name: string, body: z.ZodType, schemas: SchemaCollection): JsonSchema => ({
  post: {
    operationId: `send${name.toLowerCase().split('_').map(pascal).join('')}`,
    summary: `Tell of ${name}`,
    description: 'Signed as Standard Webhooks says, by the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
    requestBody: { required: true, content: { 'application/json': { schema: schemas.output(body) } } },
    responses: { '2XX': { description: 'It was taken; what is answered is the result of the run' }, 410: { description: 'It is not tried again' } },
  },
})

/** Paths of the API end with a slash. W1. */
function shownPath(path: string): string {
  const named = path.replace(/:(\w+)/g, '{$1}')
  return named.startsWith('/api/') && !named.endsWith('/') ? `${named}/` : named
}

function operationOf(path: string, parts: readonly Part[], schemas: SchemaCollection, shared: SharedResponses): Operation {
  const summary = parts.find((part) => part.summary)?.summary as string
  const id = parts.find((part) => part.id)?.id as string
  const descriptions = parts.flatMap(({ description }) => description ?? [])
  const bodies = parts.flatMap(({ body }) => body ?? [])
  const credentials = new Set(parts.flatMap((part) => part.credentials ?? []))
  return {
    operationId: id,
    summary,
    ...(descriptions.length > 0 ? { description: descriptions.join('\n\n') } : {}),
    tags: [chapterOf(path)],
    security: [...credentials].map((name) => (name === 'none' ? {} : { [name]: [] })),
    parameters: [...inPath(path), ...parts.flatMap((part) => [...inQuery(part, schemas), ...inHeader(part)])],
    ...(bodies.length > 0
      ? {
          requestBody: {
            required: !parts.some((part) => part.isBodyOptional),
            content: { 'application/json': { schema: schemas.named(`${pascal(id)}Body`, schemas.input(bodies[0] as z.ZodType)) } },
          },
        }
      : {}),
    responses: responsesOf(id, parts, schemas, shared),
  }
}

function chapterOf(path: string): string {
  const lengthOf = (prefixes: readonly string[]) => Math.max(0, ...prefixes.filter((prefix) => path.startsWith(prefix)).map(({ length }) => length))
  const [first] = chapters.toSorted((a, b) => lengthOf(b.prefixes) - lengthOf(a.prefixes))
  return first?.name as string
}

function inPath(path: string): Operation['parameters'] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const row = pathParameters.get(name)
    if (!row) throw new Error(`the path parameter "${name}" has no row in vocabulary.ts`)
    return { name, in: 'path', required: true, ...row }
  })
}

function inQuery({ query }: Part, schemas: SchemaCollection): Operation['parameters'] {
  if (!query) return []
  const { properties = {}, required = [] } = schemas.input(query) as { properties?: Record<string, JsonSchema>; required?: string[] }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    ...(description ? { description: String(description) } : {}),
    schema,
  }))
}

const inHeader = ({ headers: names = [] }: Part): Operation['parameters'] => names.map((name) => ({ name, in: 'header', ...headerRow(name) }))
