/** Creates an example of a value from its JSON Schema, for forms that a reader can fill in. */
import type { JsonSchema } from '../../kernel/http/openapi/types.ts'
import type { Schemas } from './operations.ts'

const depthMax = 5

/** The examples of texts by format. */
const formats: ReadonlyMap<unknown, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['email', 'ada@example.org'],
  ['uuid', '00000000-0000-4000-8000-000000000001'],
  ['uri', 'https://example.org/'],
])

/** Returns the schema to which a reference leads, or the schema itself. */
export function targetOf(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  return schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}
}

/**
 * Returns a value that fits the schema. An object has its required members; if none is required, its first
 * three.
 */
export function sampleOf(declared: JsonSchema, schemas: Schemas, depth = 0): unknown {
  const schema = targetOf(declared, schemas)
  const { const: constant, default: fallback, enum: allowed, anyOf, oneOf, allOf, type } = schema
  if (constant !== undefined) return constant
  if (fallback !== undefined) return fallback
  if (Array.isArray(allowed)) return allowed[0]
  const [first] = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []))
  if (first) return sampleOf(first, schemas, depth + 1)
  if (depth > depthMax) return null
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'object') return sampleObject(schema, schemas, depth)
  if (kind === 'array') return schema.items ? [sampleOf(schema.items as JsonSchema, schemas, depth + 1)] : []
  return simple.get(kind)?.(schema) ?? null
}

const simple: ReadonlyMap<unknown, (schema: JsonSchema) => unknown> = new Map([
  ['string', ({ format }: JsonSchema): unknown => formats.get(format) ?? 'text'],
  ['integer', ({ minimum }: JsonSchema): unknown => minimum ?? 1],
  ['number', ({ minimum }: JsonSchema): unknown => minimum ?? 1.5],
  ['boolean', (): unknown => true],
])

function sampleObject(schema: JsonSchema, schemas: Schemas, depth: number): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const required = Array.isArray(schema.required) ? schema.required : []
  const shown =
    required.length > 0 ? properties.filter(([name]) => required.includes(name)) : properties.slice(0, 3)
  return Object.fromEntries(shown.map(([name, member]) => [name, sampleOf(member, schemas, depth + 1)]))
}
