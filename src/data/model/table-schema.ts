/**
 * Parses a table's `json_schema` and converts it to the one form that is stored. Finds all problems in one
 * pass, each with its place and its rule. Spec: Datatable; D4–D6.
 */
import type { z } from 'zod'
import { canonicalJson } from '../../kernel/lib/canonical-json.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import { accessSchema } from './access.ts'
import { exclusionSchema, rangesSchema } from './exclusion-form.ts'
import { graphMembers } from './graph-schema.ts'
import {
  checkSchema,
  type FieldSchema,
  fieldNames,
  fieldSchema,
  fieldsMax,
  foreignKeySchema,
  indexSchema,
  searchField,
  type TableSchema,
  tableSchema,
} from './schema-form.ts'
import { type SchemaParts, schemaProblems } from './schema-problems.ts'

/**
 * The most characters of the JSON of a schema. The schemas of all tables of an app are in memory together,
 * and members that begin with `x-` have no other limit.
 */
const lengthMax = 262_144

/** Returns the schema in the form that is stored, or all of its problems. */
export function parseTableSchema(sent: unknown): { schema: TableSchema } | { problems: string[] } {
  if (typeof sent === 'string')
    return { problems: ['Must be the schema object itself; a URL or a file name is not fetched.'] }
  if (sent !== undefined && JSON.stringify(sent).length > lengthMax)
    return { problems: [`The schema has more than ${lengthMax} characters.`] }
  const { input, hasBoth } = readAccess(sent)
  if (hasBoth) return { problems: ['x-access: the schema also has "access". Send one of them.'] }
  const parsed = tableSchema.safeParse(input)
  if (!parsed.success) {
    return {
      problems: [
        ...parsed.error.issues.map((issue) => describeIssue(issue, input)),
        ...schemaProblems(readableParts(input)),
      ],
    }
  }
  const schema = withPrimaryKey(parsed.data)
  const places = placesOf(parsed.data.fields)
  const problems = schemaProblems({ ...schema, unreadable: new Set(), places })
  return problems.length > 0 ? { problems } : { schema }
}

/**
 * Returns a schema with its member `x-access` as `access`. Clients use `x-access` because other tools keep
 * unknown members only if their names begin with `x-`.
 */
function readAccess(input: unknown): { input: unknown; hasBoth: boolean } {
  if (typeof input !== 'object' || input === null || !('x-access' in input)) return { input, hasBoth: false }
  const { 'x-access': access, ...rest } = input
  return { input: { ...rest, access }, hasBoth: 'access' in rest }
}

/**
 * Returns the SHA-256 of the canonical JSON. Schemas that differ only in the order of members have the same
 * hash.
 */
export const schemaHash = (schema: TableSchema): string => sha256(canonicalJson(schema))

/**
 * Names a schema's primary key. Omitted, it is the field `id`; without such a field, a uuid `id` is added.
 * D5.
 */
function withPrimaryKey(schema: z.output<typeof tableSchema>): TableSchema {
  if (schema.primaryKey) return { ...schema, primaryKey: schema.primaryKey }
  const hasId = schema.fields.some((field) => field.name === 'id')
  const fields = hasId ? schema.fields : [{ name: 'id', type: 'uuid' }, ...schema.fields]
  return { ...schema, fields, primaryKey: ['id'] }
}

/** Returns the name of a field in messages: its position, and its own name if it has one. */
const fieldPlace = (position: number, name: string | undefined): string =>
  `fields[${position}]${name === undefined ? '' : ` (${JSON.stringify(name.slice(0, 100))})`}`

/** Returns the name of each field in messages, by its position in the request. */
const placesOf = (fields: readonly FieldSchema[]): Map<FieldSchema, string> =>
  new Map(fields.map((field, position) => [field, fieldPlace(position, field.name)]))

/** Returns the name of each field of a request's schema in messages, by the name of the field. */
export function fieldPlaces(input: unknown): Map<string, string> {
  const fields =
    typeof input === 'object' && input !== null && 'fields' in input && Array.isArray(input.fields)
      ? input.fields
      : []
  return new Map(
    fields.map((field: unknown, position) => [nameOf(field) ?? '', fieldPlace(position, nameOf(field))]),
  )
}

function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const place = issue.path.reduce<string>((path, step) => {
    if (typeof step !== 'number') return path ? `${path}.${String(step)}` : String(step)
    return path === 'fields'
      ? fieldPlace(step, nameOf((input as { fields: unknown[] }).fields[step]))
      : `${path}[${step}]`
  }, '')
  return `${place ? `${place}: ` : ''}${issue.message}`
}

/**
 * Returns the parts of an invalid schema that can be read separately, so that one answer names all problems.
 * An element that cannot be read is undefined, so that the others keep their positions.
 */
function readableParts(input: unknown): SchemaParts {
  const parts = new Map<string, unknown>(
    typeof input === 'object' && input !== null ? Object.entries(input) : [],
  )
  const list = (part: string): unknown[] => {
    const elements = parts.get(part)
    return Array.isArray(elements) && elements.length <= fieldsMax ? elements : []
  }
  const readable = <Schema extends z.ZodType>(schema: Schema, part: string) =>
    list(part).map((element) => schema.safeParse(element).data)
  const fields = readable(fieldSchema, 'fields')
  const unreadable = new Set(
    list('fields').flatMap((field, position) => (fields[position] ? [] : (nameOf(field) ?? []))),
  )
  // If no field can be read, every name in the other parts would be unknown.
  if (fields.length === 0) return { fields: [], unreadable, places: new Map() }
  return {
    fields: fields.filter((field) => field !== undefined),
    unreadable,
    places: new Map(
      fields.flatMap((field, position) => (field ? [[field, fieldPlace(position, field.name)]] : [])),
    ),
    uniqueKeys: readable(fieldNames, 'uniqueKeys'),
    primaryKey: fieldNames.safeParse(parts.get('primaryKey')).data,
    foreignKeys: readable(foreignKeySchema, 'foreignKeys'),
    indexes: readable(indexSchema, 'indexes'),
    ranges: rangesSchema.safeParse(parts.get('ranges')).data,
    exclusions: readable(exclusionSchema, 'exclusions'),
    checks: readable(checkSchema, 'checks'),
    search_fields: readable(searchField, 'search_fields'),
    hierarchy: graphMembers.hierarchy.safeParse(parts.get('hierarchy')).data,
    graph: graphMembers.graph.safeParse(parts.get('graph')).data,
    access: accessSchema.safeParse(parts.get('access')).data,
  }
}

function nameOf(field: unknown): string | undefined {
  const name = typeof field === 'object' && field !== null && 'name' in field ? field.name : undefined
  return typeof name === 'string' ? name : undefined
}
