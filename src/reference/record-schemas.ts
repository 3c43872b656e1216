/** What the records of a table are, as JSON Schema. D4, R6. */
import type { JsonSchema } from '../http/openapi/types.ts'

/** A field as the table's schema declares it. */
export interface DescribedField {
  name: string
  type: string
  format?: string | undefined
  title?: string | undefined
  description?: string | undefined
  default?: unknown
  constraints?: Readonly<Record<string, unknown>> | undefined
}

export interface DescribedTable {
  name: string
  /** To a table of another app: here it is only read. */
  isReference: boolean
  schemaHash: string
  schema: { fields: readonly DescribedField[]; primaryKey: readonly string[]; description?: string | undefined }
  /** Fields that a new record may leave out though they are never null. */
  filled: ReadonlySet<string>
  /** What edges lead to, and of which types they are; undefined: the table has none. */
  edges: { key: DescribedField; types: readonly string[] } | undefined
}

const types: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ['string', { type: 'string' }],
  ['integer', { type: ['integer', 'string'], pattern: '^-?[0-9]+$' }],
  ['number', { type: 'number' }],
  ['boolean', { type: 'boolean' }],
  ['date', { type: 'string', format: 'date' }],
  ['time', { type: 'string' }],
  ['datetime', { type: 'string', format: 'date-time' }],
  ['uuid', { type: 'string', format: 'uuid' }],
  ['object', { type: 'object' }],
  ['array', { type: 'array' }],
  ['year', { type: 'integer' }],
  ['yearmonth', { type: 'string' }],
  ['duration', { type: 'string' }],
  ['geopoint', { type: 'string' }],
  ['geopoint array', { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }],
  ['geopoint object', { type: 'object', properties: { lon: { type: 'number' }, lat: { type: 'number' } }, required: ['lon', 'lat'] }],
  ['geojson', { type: 'object' }],
  ['list', { type: 'array' }],
  ['any', {}],
  ['search_vector', { type: 'string' }],
])

const formats: ReadonlyMap<string, string> = new Map([['datetime', 'date-time']])
const keywords = ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'pattern', 'enum'] as const
const numeric: ReadonlySet<string> = new Set(['integer', 'number', 'year'])
const json: ReadonlySet<string> = new Set(['object', 'array', 'geojson', 'list', 'any'])
/** What bounds lengths, by the JSON that a value is. */
const lengthKeywords: Record<string, Record<string, string>> = {
  array: { minLength: 'minItems', maxLength: 'maxItems' },
  object: { minLength: 'minProperties', maxLength: 'maxProperties' },
}

/** Integers beyond ±(2^53−1) are strings of digits. Where the bounds of a field leave none of them, it has none. */
function typeOf({ type, format, constraints = {} }: DescribedField): JsonSchema | undefined {
  const { minimum, maximum } = constraints
  const isSafe = Number(minimum ?? -Infinity) >= Number.MIN_SAFE_INTEGER && Number(maximum ?? Infinity) <= Number.MAX_SAFE_INTEGER
  return type === 'integer' && isSafe ? { type: 'integer' } : (types.get(`${type} ${format}`) ?? types.get(type))
}

/** What a filter compares the field with. */
export function filterSchema(field: DescribedField): JsonSchema {
  const { format, constraints = {} } = field
  const { enum: allowed } = constraints
  return { ...typeOf(field), ...(format ? { format: formats.get(format) ?? format } : {}), ...(allowed ? { enum: allowed } : {}) }
}

/** Not null. */
function ofValue(field: DescribedField): JsonSchema {
  const { type, format, title, description, constraints = {} } = field
  const isNumeric = numeric.has(type)
  const kept = keywords.filter((name) => constraints[name] !== undefined && (isNumeric || !/imum$/i.test(name)))
  const own = typeOf(field) ?? {}
  const renamed = lengthKeywords[String(own.type)] ?? {}
  // Bounds and enums may be written as strings.
  const meant = (said: unknown): unknown => (Array.isArray(said) ? said.map(meant) : isNumeric && typeof said === 'string' ? Number(said) : said)
  return {
    ...own,
    ...(type === 'string' && format && format !== 'default' ? { format: formats.get(format) ?? format } : {}),
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...Object.fromEntries(kept.map((name) => [renamed[name] ?? name, json.has(type) ? constraints[name] : meant(constraints[name])])),
  }
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

/** Components: the record as it is shown, as it is created, and as it is changed. */
export function recordSchemas({ name, schema, schemaHash, filled }: DescribedTable): Record<string, JsonSchema> {
  const isRequired = (field: DescribedField) => Boolean(field.constraints?.required) || schema.primaryKey.includes(field.name)
  const schemaOf = (field: DescribedField) => (isRequired(field) ? ofValue(field) : orNull(ofValue(field)))
  const written = Object.fromEntries(schema.fields.map((field) => [field.name, schemaOf(field)]))
  const withDefaults = Object.fromEntries(
    schema.fields.map((field) => [field.name, { ...schemaOf(field), ...(field.default === undefined ? {} : { default: field.default }) }]),
  )
  const wanted = schema.fields.filter((field) => isRequired(field) && !filled.has(field.name)).map((field) => field.name)
  return {
    [`${name}.Record`]: {
      type: 'object',
      'x-schema-hash': schemaHash,
      properties: written,
      required: schema.fields.map((field) => field.name),
    },
    [`${name}.NewRecord`]: { type: 'object', properties: withDefaults, required: wanted, additionalProperties: false },
    [`${name}.RecordChange`]: { type: 'object', properties: written, additionalProperties: false },
    [`${name}.NamedRecordChange`]: { type: 'object', properties: { ...idOf(schema), ...written }, additionalProperties: false },
  }
}

/** What may stand in the place of the primary key where a change names its record. */
function idOf({ fields, primaryKey }: DescribedTable['schema']): Record<string, JsonSchema> {
  const [key] = fields.filter((field) => primaryKey.includes(field.name))
  return primaryKey.length === 1 && key ? { id: ofValue(key) } : {}
}

/** Components: the edge as it is shown, and as it is written. */
export function edgeSchemas({ name, edges }: DescribedTable): Record<string, JsonSchema> {
  if (!edges) return {}
  const end = { ...types.get(edges.key.type) }
  const given = { from_id: end, to_id: end, type: { type: 'string', enum: [...edges.types] }, metadata: { type: 'object' } }
  const required = ['from_id', 'to_id', 'type']
  const made = { id: { type: 'string', format: 'uuid' }, ...given, created_at: { type: 'string', format: 'date-time' } }
  return {
    [`${name}.Edge`]: { type: 'object', properties: made, required: Object.keys(made) },
    [`${name}.NewEdge`]: { type: 'object', properties: given, required },
  }
}
