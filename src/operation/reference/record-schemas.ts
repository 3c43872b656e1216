/** The records and edges of a table as JSON Schema. D4, R6. */
import { reference } from '../../kernel/http/openapi/components.ts'
import type { JsonSchema } from '../../kernel/http/openapi/types.ts'

/** A field as the table's schema declares it. */
export interface DescribedField {
  name: string
  type: string
  format?: string | undefined
  title?: string | undefined
  description?: string | undefined
  default?: unknown
  /** The expression by which the field is computed. Omitted: records are written with it. */
  generated?: string | undefined
  constraints?: Readonly<Record<string, unknown>> | undefined
}

/** The members of a table that its documentation needs. */
export interface DescribedTable {
  name: string
  /** Whether it is a reference to a table of another app, which is read-only here. */
  isReference: boolean
  schemaHash: string
  schema: {
    fields: readonly DescribedField[]
    primaryKey: readonly string[]
    description?: string | undefined
    history?: boolean | { days: number } | undefined
    ranges?: Readonly<Record<string, readonly [from: string, to: string]>> | undefined
  }
  /** Fields that are never null, but that a new record can omit because Postgres fills them in. */
  filled: ReadonlySet<string>
  /**
   * The relationships that queries can follow. `nullable`: a relationship to one may have no record.
   * `hideable`: an access rule may hide it from guests.
   */
  followed: readonly {
    name: string
    to: 'one' | 'many'
    table: string
    nullable: boolean
    hideable?: boolean
  }[]
  /** The primary key to which edges refer, and the types of edges. Undefined if the table has no edges. */
  edges: { key: DescribedField; types: readonly string[] } | undefined
  /** The relationships under whose names a new record can contain new related records. */
  relationships: readonly DescribedRelationship[]
}

/** A relationship to another table of the document, or to the same one. */
interface DescribedRelationship {
  name: string
  to: 'one' | 'many'
  target: string
  /** The foreign key: of the record itself, or of its related records. */
  fields: readonly string[]
}

/** The schema of a value by "<type>", or by "<type> <format>". */
export const types: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
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
  [
    'geopoint object',
    {
      type: 'object',
      properties: { lon: { type: 'number' }, lat: { type: 'number' } },
      required: ['lon', 'lat'],
    },
  ],
  ['geojson', { type: 'object' }],
  ['list', { type: 'array' }],
  ['any', {}],
  ['search_vector', { type: 'string' }],
])

const formats: ReadonlyMap<string, string> = new Map([['datetime', 'date-time']])
const keywords = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'pattern',
  'enum',
] as const
const numeric: ReadonlySet<string> = new Set(['integer', 'number', 'year'])
const json: ReadonlySet<string> = new Set(['object', 'array', 'geojson', 'list', 'any'])
/** The keywords for lengths by the JSON type of the value. */
const lengthKeywords: Record<string, Record<string, string>> = {
  array: { minLength: 'minItems', maxLength: 'maxItems' },
  object: { minLength: 'minProperties', maxLength: 'maxProperties' },
}

/**
 * Returns the schema of a field's type. Integers beyond ±(2^53−1) are strings of digits, unless the bounds of
 * the field exclude them.
 */
function typeOf({ type, format, constraints = {} }: DescribedField): JsonSchema | undefined {
  const { minimum, maximum } = constraints
  const isSafe =
    Number(minimum ?? -Infinity) >= Number.MIN_SAFE_INTEGER &&
    Number(maximum ?? Infinity) <= Number.MAX_SAFE_INTEGER
  return type === 'integer' && isSafe
    ? { type: 'integer' }
    : (types.get(`${type} ${format}`) ?? types.get(type))
}

/** Returns the schema of the values with which a filter compares the field. */
export function filterSchema(field: DescribedField): JsonSchema {
  const { format, constraints = {} } = field
  const { enum: allowed } = constraints
  return {
    ...typeOf(field),
    ...(format ? { format: formats.get(format) ?? format } : {}),
    ...(allowed ? { enum: allowed } : {}),
  }
}

/** Returns the schema of a field's values, apart from null. */
function schemaOfValue(field: DescribedField): JsonSchema {
  const { type, format, title, description, constraints = {} } = field
  const isNumeric = numeric.has(type)
  const kept = keywords.filter(
    (name) => constraints[name] !== undefined && (isNumeric || !/imum$/i.test(name)),
  )
  const own = typeOf(field) ?? {}
  const renamed = lengthKeywords[String(own.type)] ?? {}
  // Bounds and enums may be written as strings.
  const asJson = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(asJson)
    return isNumeric && typeof value === 'string' ? Number(value) : value
  }
  return {
    ...own,
    ...(type === 'string' && format && format !== 'default' ? { format: formats.get(format) ?? format } : {}),
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...Object.fromEntries(
      kept.map((name) => [
        renamed[name] ?? name,
        json.has(type) ? constraints[name] : asJson(constraints[name]),
      ]),
    ),
  }
}

/**
 * Returns the schema of a value, or of its reference in a batch. In fields for any JSON, a reference is plain
 * data.
 */
const orReference = (schema: JsonSchema, { type }: DescribedField): JsonSchema =>
  json.has(type) ? schema : { anyOf: [schema, reference('schemas', 'RecordReference')] }

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

const isRequired = ({ schema }: DescribedTable, field: DescribedField): boolean =>
  Boolean(field.constraints?.required) || schema.primaryKey.includes(field.name)

const schemaOf = (table: DescribedTable, field: DescribedField): JsonSchema =>
  isRequired(table, field) ? schemaOfValue(field) : orNull(schemaOfValue(field))

const objectOf = (
  fields: readonly DescribedField[],
  schemaOfField: (field: DescribedField) => JsonSchema,
): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])),
  additionalProperties: false,
})

/** Returns the component schemas of a table's records: in answers, for creating and for changing them. */
export function recordSchemas(
  table: DescribedTable,
  tables: readonly DescribedTable[],
): Record<string, JsonSchema> {
  const { name, schema, schemaHash, filled, followed, relationships } = table
  const written = writtenFields(table)
  const { properties } = objectOf(written, (field) => schemaOf(table, field))
  const typed = Object.fromEntries(
    schema.fields.map((field) => [field.name, { ...schemaOf(table, field), ...marksOf(field) }]),
  )
  const required = written
    .filter((field) => isRequired(table, field) && !filled.has(field.name))
    .map((field) => field.name)
  const inside = relationships.flatMap(({ name: member, to, target, fields }) => {
    const other = to === 'many' && tables.find((one) => one.name === target)
    return other ? [[relatedName(table, member), newRecordSchema(other, fields)] as const] : []
  })
  return {
    [`${name}.Record`]: {
      type: 'object',
      'x-schema-hash': schemaHash,
      'x-primary-key': schema.primaryKey,
      'x-relationships': Object.fromEntries(followed.map(({ name: member, ...rest }) => [member, rest])),
      'x-history': Boolean(schema.history),
      ...(schema.ranges ? { 'x-ranges': schema.ranges } : {}),
      properties: typed,
      required: schema.fields.map((field) => field.name),
    },
    [`${name}.NewRecord`]: newRecordSchema(table),
    ...Object.fromEntries(inside),
    [`${name}.RecordReplacement`]: {
      ...objectOf(written, (field) => withDefault(table, field)),
      required,
    },
    [`${name}.RecordChange`]: { type: 'object', properties, additionalProperties: false },
    [`${name}.OperationData`]: objectOf(written, (field) => orReference(schemaOf(table, field), field)),
    [`${name}.NamedRecordChange`]: {
      type: 'object',
      properties: { ...idOf(schema), ...(properties as object) },
      additionalProperties: false,
    },
  }
}

const marksOf = ({ type, generated }: DescribedField): JsonSchema => ({
  'x-type': type,
  ...(generated === undefined ? {} : { readOnly: true }),
})

/** Returns the fields that records are written with: those that are not computed. */
const writtenFields = ({ schema }: DescribedTable): DescribedField[] =>
  schema.fields.filter(({ generated }) => generated === undefined)

const withDefault = (table: DescribedTable, field: DescribedField): JsonSchema => ({
  ...schemaOf(table, field),
  ...(field.default === undefined ? {} : { default: field.default }),
})

/** Returns the name of the schema of the records that a relationship to many leads to. */
const relatedName = ({ name }: DescribedTable, relationship: string): string =>
  `${name}.NewRecord.${relationship}`

/**
 * Returns the schema of a new record. `given` are the fields that it gets from the record that contains it,
 * if there is one. A foreign key is not required if a new related record can replace it.
 */
function newRecordSchema(table: DescribedTable, given: readonly string[] = []): JsonSchema {
  const { filled } = table
  const fields = writtenFields(table).filter(({ name }) => !given.includes(name))
  const relationships = table.relationships.filter(
    (one) => one.to === 'many' || !one.fields.some((name) => given.includes(name)),
  )
  const replaced = relationships.flatMap((one) => (one.to === 'one' ? one.fields : []))
  const own = objectOf(fields, (field) => withDefault(table, field))
  const values = own.properties as Readonly<Record<string, JsonSchema>>
  const related = relationships.map(({ name, to, target }): [string, JsonSchema] => {
    if (to === 'many') {
      const items = reference('schemas', relatedName(table, name))
      return [name, { type: 'array', items, description: `New records of "${target}".` }]
    }
    const one = reference('schemas', `${target}.NewRecord`)
    // A relationship can have the name of its column.
    return [name, { anyOf: [values[name] ?? { type: 'null' }, one] }]
  })
  return {
    ...own,
    properties: { ...values, ...Object.fromEntries(related) },
    required: fields
      .filter(
        (field) => isRequired(table, field) && !filled.has(field.name) && !replaced.includes(field.name),
      )
      .map(({ name }) => name),
  }
}

/** Returns the property `id`, which can replace the primary key in a change that names its record. */
function idOf({ fields, primaryKey }: DescribedTable['schema']): Record<string, JsonSchema> {
  const [key] = fields.filter((field) => primaryKey.includes(field.name))
  return primaryKey.length === 1 && key ? { id: schemaOfValue(key) } : {}
}
