/** The API's reference: an OpenAPI 3.1 document, gathered from what the routes say of themselves. W3. */
import type { RouterRoute } from 'hono/types'
import { z } from 'zod'
import { detail } from './bodies.ts'
import type { Answer, Part } from './describe.ts'
import { headers } from './headers.ts'
import { operationsOf } from './operations.ts'
import { chapters, pathParameters, securitySchemes } from './vocabulary.ts'

export type JsonSchema = { [keyword: string]: unknown }

interface Content {
  [mediaType: string]: { schema: JsonSchema }
}
export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: JsonSchema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; headers?: JsonSchema; content?: Content }>
}
export interface OpenApiDocument {
  openapi: string
  info: JsonSchema
  servers: JsonSchema[]
  tags: JsonSchema[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, JsonSchema>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: JsonSchema }
}

/** `routes` are those of the whole application, each with the path at which it answers; `webhooks` what it sends to servers of clients, by the reason. */
export function documentOf(routes: readonly RouterRoute[], webhooks: ReadonlyMap<string, z.ZodType>): OpenApiDocument {
  const schemas = new SchemaCollection()
  const paths: OpenApiDocument['paths'] = {}
  for (const { method, path, parts } of operationsOf(routes)) {
    const shown = shownPath(path)
    paths[shown] = { ...paths[shown], [method.toLowerCase()]: operationOf(shown, parts, schemas) }
  }
  return {
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
    components: { schemas: schemas.components, securitySchemes },
  }
}

/** A call of a client's server. */
const webhookOf = (name: string, body: z.ZodType, schemas: SchemaCollection): JsonSchema => ({
  post: {
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

function operationOf(path: string, parts: readonly Part[], schemas: SchemaCollection): Operation {
  const summary = parts.find((part) => part.summary)?.summary as string
  const descriptions = parts.flatMap(({ description }) => description ?? [])
  const bodies = parts.flatMap(({ body }) => body ?? [])
  const credentials = new Set(parts.flatMap((part) => part.credentials ?? []))
  return {
    operationId: summary
      .replace(/[^\p{L}\p{N}]+(.)?/gu, (_, next: string | undefined) => next?.toUpperCase() ?? '')
      .replace(/^./, (first) => first.toLowerCase()),
    summary,
    ...(descriptions.length > 0 ? { description: descriptions.join('\n\n') } : {}),
    tags: [chapterOf(path)],
    security: [...credentials].map((name) => (name === 'none' ? {} : { [name]: [] })),
    parameters: [...inPath(path), ...parts.flatMap((part) => [...inQuery(part, schemas), ...inHeader(part)])],
    ...(bodies.length > 0
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemas.input(bodies[0] as z.ZodType) } } } }
      : {}),
    responses: responsesOf(parts, schemas),
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

function headerRow(name: string) {
  const row = headers[name]
  if (!row) throw new Error(`the header "${name}" has no row in headers.ts`)
  return row
}

const reasons: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  204: 'Done; there is nothing to show',
  304: 'It is as the client has it',
  400: 'The request is wrong; the body says what is',
  401: 'No credentials, or none that hold',
  403: 'The caller may not',
  404: 'There is none, or no such site',
  409: 'Something else has this already',
  412: 'It is not in the state that the request is about',
  413: 'The body is too large',
  415: 'The body is not declared as application/json',
  422: 'The request is right, and what it asks for is not possible now',
  429: 'Too many requests',
  503: 'The database is away, or the site is being migrated',
  default: 'A failure of the service itself; it is logged under the request id',
}

/** A status that several handlers may answer has any of their bodies. */
function responsesOf(parts: readonly Part[], schemas: SchemaCollection): Operation['responses'] {
  const answers = [...parts.flatMap((part) => Object.entries(part.answers ?? {})), ['default', detail] as const]
  const byStatus = Map.groupBy(answers, ([status]) => status)
  const statuses = [...byStatus].sort(([a], [b]) => a.localeCompare(b))
  return Object.fromEntries(
    statuses.map(([status, entries]) => {
      const all = entries.map(([, answer]) => asAnswer(answer))
      const names = [...new Set(all.flatMap((answer) => answer.headers ?? []))]
      const contents = Map.groupBy(
        all.filter(({ body }) => body),
        ({ mediaType = 'application/json' }) => mediaType,
      )
      const content = [...contents].map(([mediaType, of]) => [mediaType, { schema: anyOf(of.map(({ body }) => schemas.output(body as z.ZodType))) }])
      return [
        status,
        {
          description: all.findLast((answer) => answer.description)?.description ?? reasons[status] ?? status,
          ...(names.length > 0 ? { headers: Object.fromEntries(names.map((name) => [name, headerRow(name)])) } : {}),
          ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
        },
      ]
    }),
  )
}

const asAnswer = (answer: Answer | z.ZodType | null): Answer => (answer === null ? {} : answer instanceof z.ZodType ? { body: answer } : answer)

function anyOf(all: readonly JsonSchema[]): JsonSchema {
  const single = all.flatMap((schema) => (Object.keys(schema).join() === 'anyOf' ? (schema.anyOf as JsonSchema[]) : schema))
  const different = [...new Map(single.map((schema) => [JSON.stringify(schema), schema])).values()]
  return different.length === 1 ? (different[0] as JsonSchema) : { anyOf: different }
}

/** zod's schemas as JSON Schema; those with an id become components, and are referred to. */
class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {}

  input = (type: z.ZodType): JsonSchema => this.#convert(type, 'input')
  output = (type: z.ZodType): JsonSchema => this.#convert(type, 'output')

  #convert(type: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(type, { io, unrepresentable: 'any', override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema) })
    const { $schema, $defs = {}, ...schema } = converted as JsonSchema & { $defs?: Record<string, JsonSchema> }
    for (const [name, definition] of Object.entries($defs)) if (!isUnnamed(name)) this.components[name] = referring(definition) as JsonSchema
    return referring(schema) as JsonSchema
  }
}

/** zod's name for what refers to itself and has no id: of ours that is "any JSON". */
const isUnnamed = (name: string) => name.startsWith('__')

function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring)
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: string }
  if ($ref?.startsWith('#/$defs/')) {
    const name = $ref.slice('#/$defs/'.length)
    return isUnnamed(name) ? {} : { $ref: `#/components/schemas/${name}` }
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, referring(member)]))
}

/** What zod writes and nobody needs to read. */
function tidy(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'date-time' || schema.type === 'integer') delete schema.pattern
  if (schema.type === 'integer' && typeof schema.default === 'string') schema.default = Number(schema.default)
  if (schema.type === 'boolean' && typeof schema.default === 'string') {
    schema.default = schema.default === 'true'
    delete schema.enum
  }
  delete schema.propertyNames
}
