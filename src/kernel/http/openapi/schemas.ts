/** Converts the zod schemas of routes to JSON Schema. */
import * as z from 'zod'
import { reference } from './components.ts'
import type { JsonSchema } from './types.ts'

/** Converts zod schemas. Schemas with an id become components, and other schemas refer to them. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {}

  /** Returns the schema of values before they are parsed. */
  input = (type: z.ZodType): JsonSchema => this.#convert(type, 'input')
  /** Returns the schema of parsed values. */
  output = (type: z.ZodType): JsonSchema => this.#convert(type, 'output')

  /**
   * Turns an object schema into a component of this name, and returns a reference to it. Returns other
   * schemas unchanged.
   */
  named(name: string, schema: JsonSchema): JsonSchema {
    if (schema.type !== 'object' || schema.properties === undefined) return schema
    this.components[name] = schema
    return reference('schemas', name)
  }

  #convert(type: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(type, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        simplify(jsonSchema as JsonSchema)
        if (io === 'input') withoutNul(jsonSchema as JsonSchema)
      },
    })
    const {
      $schema,
      $defs = {},
      ...schema
    } = converted as JsonSchema & { $defs?: Record<string, JsonSchema> }
    for (const [name, definition] of Object.entries($defs))
      if (!isGeneratedName(name)) this.components[name] = withComponentReferences(definition) as JsonSchema
    return withComponentReferences(schema) as JsonSchema
  }
}

/** Returns the id of an operation in Pascal case, for the names of its components: `ListSites`. */
export const pascal = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1)

/**
 * Tells whether zod generated the name, for a recursive schema without an id. In our schemas, this is only
 * "any JSON".
 */
const isGeneratedName = (name: string) => name.startsWith('__')

function withComponentReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentReferences)
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: string }
  if ($ref?.startsWith('#/$defs/')) {
    const name = $ref.slice('#/$defs/'.length)
    return isGeneratedName(name) ? {} : { $ref: `#/components/schemas/${name}` }
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withComponentReferences(member)]),
  )
}

const others = ['pattern', 'format', 'enum', 'const']

/** Says of a text that Postgres cannot store U+0000, unless it has a form that excludes the character. */
function withoutNul(schema: JsonSchema): void {
  if (schema.type === 'string' && !others.some((keyword) => keyword in schema))
    schema.pattern = '^[^\\u0000]*$'
}

/** Removes members that zod writes and readers do not need. */
function simplify(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'date-time' || schema.type === 'integer') delete schema.pattern
  if (schema.type === 'integer' && typeof schema.default === 'string') schema.default = Number(schema.default)
  // The texts of a boolean parameter.
  if (schema.type === 'boolean') delete schema.enum
  delete schema.propertyNames
  // A repeatable parameter is documented as a list, although a single text is valid, too.
  if (schema.type === 'array') delete schema.anyOf
}
