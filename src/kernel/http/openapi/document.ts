/** Builds the reference of the API, an OpenAPI 3.1 document, from the descriptions of all routes. W3. */
import type { z } from 'zod'
import { streamTypes } from '../stream-forms.ts'
import { withoutUnused } from './components.ts'
import type { OperationPart } from './describe.ts'
import { headerRow } from './headers.ts'
import { responsesOf, SharedResponses } from './responses.ts'
import { pascal, SchemaCollection } from './schemas.ts'
import type { JsonSchema, OpenApiDocument, Operation } from './types.ts'
import { chapters, pathParameters, securitySchemes } from './vocabulary.ts'

/**
 * Returns the document of all operations. `webhooks` are the bodies of the calls to clients' servers, by the
 * name of the event. Throws if two operations have the same id.
 */
export function documentOf(
  routes: readonly Described[],
  webhooks: ReadonlyMap<string, z.ZodType>,
): OpenApiDocument {
  const schemas = new SchemaCollection()
  const shared = new SharedResponses()
  const paths: OpenApiDocument['paths'] = {}
  for (const { method, path, parts } of routes) {
    if (!parts) continue
    const template = pathTemplate(path)
    const operation = operationOf(template, parts, schemas, shared)
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  requireUnique(
    Object.values(paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    ),
  )
  return withoutUnused({
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: '1.0.0',
      description:
        'A multi-tenant backend with sign-in, organizations and sites. Each site has its own tables with a ' +
        'query language, its own secrets, functions and events.\n\n' +
        'The host of a request selects its site: a domain of the site, or its subdomain. On other hosts, ' +
        'the path prefix `/sites/{site}` selects it.\n\n' +
        'Unknown query parameters and unknown members of a body are rejected with 400.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/', description: 'The site of the host' },
      {
        url: '/sites/{site}',
        description: 'A site selected by its slug',
        variables: { site: { default: 'demo', description: 'The slug of the site' } },
      },
    ],
    tags: chapters.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries([...webhooks].map(([name, body]) => [name, webhookOf(name, body, schemas)])),
    components: { schemas: schemas.components, responses: shared.components, securitySchemes },
  })
}

/** The parts of a route that the document describes. */
interface Described {
  readonly method: string
  readonly path: string
  /** Undefined for a page, which the document omits. */
  readonly parts: readonly OperationPart[] | undefined
}

function requireUnique(ids: readonly string[]): void {
  const repeated = ids.find((id, position) => ids.indexOf(id) !== position)
  if (repeated !== undefined) throw new Error(`Two operations have the id "${repeated}".`)
}

/** Describes a call to a client's server. */
const webhookOf = (name: string, body: z.ZodType, schemas: SchemaCollection): JsonSchema => ({
  post: {
    operationId: `send${name.toLowerCase().split('_').map(pascal).join('')}`,
    summary: `Send ${name}`,
    description:
      'The request is signed according to Standard Webhooks, ' +
      'in the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
    requestBody: { required: true, content: { 'application/json': { schema: schemas.output(body) } } },
    responses: {
      '2XX': {
        description: 'The call succeeded. The body of the answer is stored as the result of the invocation.',
      },
      410: { description: 'The call failed and is not repeated.' },
    },
  },
})

/** Returns a path with its parameters in braces. Paths of the API end with a slash. W1. */
function pathTemplate(path: string): string {
  const named = path.replace(/:(\w+)/g, '{$1}')
  return named.startsWith('/api/') && !named.endsWith('/') ? `${named}/` : named
}

function operationOf(
  path: string,
  parts: readonly OperationPart[],
  schemas: SchemaCollection,
  shared: SharedResponses,
): Operation {
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
            content: {
              ...Object.fromEntries(
                [...parts.flatMap(({ bodyType }) => bodyType ?? []), 'application/json'].map((type) => [
                  type,
                  { schema: schemas.named(`${pascal(id)}Body`, schemas.input(bodies[0] as z.ZodType)) },
                ]),
              ),
              ...inLines(parts, schemas),
            },
          },
        }
      : {}),
    responses: responsesOf(id, parts, schemas, shared),
  }
}

/** Returns the bodies that are lines. */
const inLines = (parts: readonly OperationPart[], schemas: SchemaCollection) =>
  Object.fromEntries(
    parts.flatMap(({ lines }) =>
      lines ? Object.values(streamTypes).map((type) => [type, { schema: schemas.input(lines) }]) : [],
    ),
  )

function chapterOf(path: string): string {
  const lengthOf = (prefixes: readonly string[]) =>
    Math.max(0, ...prefixes.filter((prefix) => path.startsWith(prefix)).map(({ length }) => length))
  const [first] = chapters.toSorted((a, b) => lengthOf(b.prefixes) - lengthOf(a.prefixes))
  return first?.name as string
}

function inPath(path: string): Operation['parameters'] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const row = pathParameters.get(name)
    if (!row) throw new Error(`The path parameter "${name}" has no row in vocabulary.ts.`)
    return { name, in: 'path', required: true, ...row }
  })
}

function inQuery({ query }: OperationPart, schemas: SchemaCollection): Operation['parameters'] {
  if (!query) return []
  const { properties = {}, required = [] } = schemas.input(query) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    ...(description ? { description: String(description) } : {}),
    schema,
  }))
}

const inHeader = ({ headers: names = [] }: OperationPart): Operation['parameters'] =>
  names.map((name) => ({ name, in: 'header', ...headerRow(name) }))
