/**
 * Properties inside the JSON of a field: how they are named and read. Every reading is a total function: a
 * property that is absent, or of another type, has no value.
 */
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { storageProblem } from '../../kernel/lib/storable.ts'
import { locate, type Part, pathOf } from './path.ts'
import type { FieldSchema } from './schema-form.ts'

/** A property, and how it is read. */
export interface Property {
  path: readonly string[]
  as: PropertyReading
}

/** A type of values: a property of another type has no value. */
export type PropertyType = (typeof propertyTypes)[number]
/**
 * A type, or one of these: `json` reads JSON of every kind, `value` reads it without JSON's null, and `any`
 * reads it as text.
 */
type PropertyReading = PropertyType | 'json' | 'value' | 'any'

/** The types that a property can be read as. Dates, times and UUIDs are texts in JSON. */
export const propertyTypes = [
  'string',
  'number',
  'integer',
  'boolean',
  'date',
  'time',
  'datetime',
  'uuid',
] as const

/** The names by which types are written: the name of this API first, then those of SQL. */
export const typeNames: Readonly<Record<PropertyType, readonly string[]>> = {
  string: ['string', 'text', 'varchar', 'character varying'],
  integer: ['integer', 'bigint', 'int', 'smallint', 'int2', 'int4', 'int8'],
  number: ['number', 'numeric', 'decimal', 'real', 'float', 'float4', 'float8', 'double precision'],
  boolean: ['boolean', 'bool'],
  date: ['date'],
  time: ['time', 'time without time zone'],
  datetime: ['datetime', 'timestamptz', 'timestamp with time zone'],
  uuid: ['uuid'],
}

/** How each type is read: the required type of the JSON, and the conversion of its text. */
const readings: Readonly<Record<PropertyType, { json: Sql; read(text: Sql): Sql }>> = {
  string: { json: sql`'string'`, read: (text) => sql`${text}::text` },
  number: { json: sql`'number'`, read: (text) => sql`${text}::numeric` },
  integer: { json: sql`'number'`, read: (text) => sql`tessera.read_integer(${text}::numeric)` },
  boolean: { json: sql`'boolean'`, read: (text) => sql`${text}::boolean` },
  date: { json: sql`'string'`, read: (text) => sql`tessera.read_date(${text})` },
  time: { json: sql`'string'`, read: (text) => sql`tessera.read_time(${text})` },
  datetime: { json: sql`'string'`, read: (text) => sql`tessera.read_datetime(${text})` },
  uuid: { json: sql`'string'`, read: (text) => sql`tessera.read_uuid(${text})` },
}

/** Renders a property of a column. The expression is immutable: indexes can use it. */
export function propertySql(column: Sql, { path, as }: Property): Sql {
  const member = sql`(${column} #> ${path}::text[])`
  const text = sql`(${column} #>> ${path}::text[])`
  if (as === 'json') return member
  if (as === 'value') return sql`nullif(${member}, 'null')`
  if (as === 'any') return text
  const { json, read } = readings[as]
  return sql`(case jsonb_typeof${member} when ${json} then ${read(text)} end)`
}

const depthMax = 10

/** An index of an array, from 0. Postgres counts negative ones from the end. */
const itemIndex = /^-?\d{1,9}$/

/** Tells whether a path leads into an array without the index of an item. */
export const lacksIndex = (field: FieldSchema, inside: readonly Part[]): boolean =>
  field.type === 'array' && !itemIndex.test(inside[0]?.text ?? '')

/** Returns the problem of a path inside a JSON field; undefined if it is valid. */
export function pathProblem(field: FieldSchema, inside: readonly Part[]): string | undefined {
  const separator = inside[0]?.separator ?? '.'
  if (lacksIndex(field, inside)) return `To read an item, use its index: ${field.name}${separator}0.`
  if (inside.length > depthMax) return `A property may be at most ${depthMax} levels deep.`
  if (inside.some(({ text, isQuoted }) => text === '' && !isQuoted))
    return `A property name between two "${separator}" is empty.`
  if (inside.some(({ text }) => storageProblem(text)))
    return 'A property name has a character that cannot be stored.'
  return undefined
}

/** Returns the type with a name, which may be one of SQL; undefined if a property cannot be read as it. */
export const propertyTypeNamed = (name: string): PropertyType | undefined =>
  propertyTypes.find((type) => typeNames[type].includes(name))

/** A name in an index: a field, perhaps with a property inside it and its type. */
export interface NamedValue {
  field: string
  inside: readonly Part[]
  /** The name of the type, as it is written. */
  type: string | undefined
}

/** Resolves `specification.power::number`. A name that begins with no field has its first part as the field. */
export function namedValue(
  text: string,
  fields: { has(name: string): boolean },
): NamedValue | { problem: string } {
  const path = pathOf(text)
  if ('problem' in path) return path
  const { parts, type } = path
  return { ...(locate(fields, parts) ?? { field: parts[0]?.text ?? '', inside: [] }), type }
}

/** Returns the names of a path without their separators. */
export const namesOf = (inside: readonly Part[]): string[] => inside.map(({ text }) => text)
