/** JSON Schema made of the zod schemas of the routes. */
import { z } from 'zod'
import { reference } from './components.ts'
import type { JsonSchema } from './types.ts'

/** Converts zod schemas. Those with an id become components, and the others refer to them. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {}

  input = (type: z.ZodType): JsonSchema => this.#convert(type, 'input')
  output = (type: z.ZodType): JsonSchema => this.#convert(type, 'output')

  /** A reference to the schema. An object without an id becomes a component of this name. */
  named(name: string, schema: JsonSchema): JsonSchema {
    if (schema.type !== 'object' || schema.properties === undefined) return schema
    this.components[name] = schema
    return reference('schemas', name)
  }

  #convert(type: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(type, { io, unrepresentable: 'any', override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema) })
    const { $schema, $defs = {}, ...schema } = converted as JsonSchema & { $defs?: Record<string, JsonSchema> }
    for (const [name, definition] of Object.entries($defs)) if (!isUnnamed(name)) this.components[name] = referring(definition) as JsonSchema
    return referring(schema) as JsonSchema
  }
}

/** `listSites` as the first part of a component's name. */
export const pascal = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1)

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
  // A parameter that may be repeated is a list, also where one text is taken for one member.
  if (schema.type === 'array') delete schema.anyOf
}
