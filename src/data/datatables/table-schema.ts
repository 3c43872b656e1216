/**
 * A table's `json_schema`: what clients write, checked and brought to one form. Spec: Datatable; D4–D6.
 * Every problem is found in one pass and named with its place and its rule.
 */
import type { z } from 'zod'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/hash.ts'
import { prepareSchema } from '../../lib/json-schema/prepare.ts'
import { compilePattern } from '../../lib/pattern.ts'
import { isTextKey, meantBy, pathRule, rulesOf, valueProblems, type Work, workOf } from './constraints.ts'
import { type Constraint, type FieldType, fieldTypes, formats } from './field-types.ts'
import { type GraphSchema, graphMembers, graphProblems } from './graph-schema.ts'
import {
  type ConstraintsSchema,
  type FieldSchema,
  type ForeignKeySchema,
  fieldSchema,
  fieldsMax,
  foreignKeySchema,
  type IndexSchema,
  indexSchema,
  names,
  type SearchField,
  searchField,
  type TableSchema,
  tableSchema,
} from './schema-form.ts'
import { typeOf } from './types.ts'

/** The schema in the form in which it is kept, or everything that is wrong with it. */
export function parseTableSchema(input: unknown): { schema: TableSchema } | { problems: string[] } {
  if (typeof input === 'string') return { problems: ['Must be the schema itself: one that stands elsewhere is not fetched.'] }
  const parsed = tableSchema.safeParse(input)
  if (!parsed.success) {
    return { problems: [...parsed.error.issues.map((issue) => describeIssue(issue, input)), ...findProblems(readableParts(input))] }
  }
  const schema = withPrimaryKey(parsed.data)
  const problems = findProblems({ ...schema, unreadable: new Set(), places: placesOf(parsed.data.fields) })
  return problems.length > 0 ? { problems } : { schema }
}

/** SHA-256 of the canonical JSON: equal schemas have equal hashes, whatever the order of their members. */
export const schemaHash = (schema: TableSchema): string => sha256(canonicalJson(schema))

/** Without a primary key, a field `id` is it; where there is none either, a uuid `id` is added. D5. */
function withPrimaryKey(schema: z.output<typeof tableSchema>): TableSchema {
  if (schema.primaryKey) return { ...schema, primaryKey: schema.primaryKey }
  const hasId = schema.fields.some((field) => field.name === 'id')
  const fields = hasId ? schema.fields : [{ name: 'id', type: 'uuid' }, ...schema.fields]
  return { ...schema, fields, primaryKey: ['id'] }
}

/** A field is called by its place, and by its name, where it has one. */
const fieldPlace = (position: number, name: string | undefined): string =>
  `fields[${position}]${name === undefined ? '' : ` (${JSON.stringify(name.slice(0, 100))})`}`

/** Of each field what it is called, as it was written. */
const placesOf = (fields: readonly FieldSchema[]): Map<FieldSchema, string> =>
  new Map(fields.map((field, position) => [field, fieldPlace(position, field.name)]))

/** The same by the names of fields, of a schema that is one. */
export function fieldPlaces(input: unknown): Map<string, string> {
  const fields = typeof input === 'object' && input !== null && 'fields' in input && Array.isArray(input.fields) ? input.fields : []
  return new Map(fields.map((field: unknown, position) => [nameOf(field) ?? '', fieldPlace(position, nameOf(field))]))
}

function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const place = issue.path.reduce<string>((path, step) => {
    if (typeof step !== 'number') return path ? `${path}.${String(step)}` : String(step)
    return path === 'fields' ? fieldPlace(step, nameOf((input as { fields: unknown[] }).fields[step])) : `${path}[${step}]`
  }, '')
  return `${place ? `${place}: ` : ''}${issue.message}`
}

/** A schema, or what can be read of one: an element that cannot is undefined, so that the others keep their positions. */
interface SchemaParts extends GraphSchema {
  fields: readonly FieldSchema[]
  /** Names of fields that cannot be read. */
  unreadable: ReadonlySet<string>
  primaryKey?: readonly string[] | undefined
  foreignKeys?: readonly (ForeignKeySchema | undefined)[] | undefined
  indexes?: readonly (IndexSchema | undefined)[] | undefined
  uniqueKeys?: readonly (readonly string[] | undefined)[] | undefined
  search_fields?: readonly (SearchField | undefined)[] | undefined
  /** What fields are called. */
  places: ReadonlyMap<FieldSchema, string>
}

/** So that one answer tells of everything: what is wrong with the form of one part does not hide what is wrong with the others. */
function readableParts(input: unknown): SchemaParts {
  const parts = new Map<string, unknown>(typeof input === 'object' && input !== null ? Object.entries(input) : [])
  const list = (part: string): unknown[] => {
    const elements = parts.get(part)
    return Array.isArray(elements) && elements.length <= fieldsMax ? elements : []
  }
  const readable = <Schema extends z.ZodType>(schema: Schema, part: string) => list(part).map((element) => schema.safeParse(element).data)
  const fields = readable(fieldSchema, 'fields')
  const unreadable = new Set(list('fields').flatMap((field, position) => (fields[position] ? [] : (nameOf(field) ?? []))))
  // Without any field the names of fields mean nothing.
  if (fields.length === 0) return { fields: [], unreadable, places: new Map() }
  return {
    fields: fields.filter((field) => field !== undefined),
    unreadable,
    places: new Map(fields.flatMap((field, position) => (field ? [[field, fieldPlace(position, field.name)]] : []))),
    uniqueKeys: readable(names, 'uniqueKeys'),
    primaryKey: names.safeParse(parts.get('primaryKey')).data,
    foreignKeys: readable(foreignKeySchema, 'foreignKeys'),
    indexes: readable(indexSchema, 'indexes'),
    search_fields: readable(searchField, 'search_fields'),
    hierarchy: graphMembers.hierarchy.safeParse(parts.get('hierarchy')).data,
    graph: graphMembers.graph.safeParse(parts.get('graph')).data,
  }
}

function nameOf(field: unknown): string | undefined {
  const name = typeof field === 'object' && field !== null && 'name' in field ? field.name : undefined
  return typeof name === 'string' ? name : undefined
}

function findProblems(schema: SchemaParts): string[] {
  const problems: string[] = []
  const types = new Map<string, FieldType>()
  const placeOf = (field: FieldSchema) => schema.places.get(field) ?? `fields.${field.name}`
  const work = workOf('is too long to be compared with the pattern')
  for (const field of schema.fields) {
    if (types.has(field.name)) problems.push(`fields: there are two fields named "${field.name}"`)
    types.set(field.name, typeOf(field))
    problems.push(...fieldProblems(field, placeOf(field), work))
  }

  const known = (place: string, fields: readonly string[]) => {
    for (const [index, name] of fields.entries()) {
      if (!types.has(name) && !schema.unreadable.has(name)) problems.push(`${place}: there is no field "${name}"`)
      if (fields.indexOf(name) !== index) problems.push(`${place}: "${name}" stands there twice`)
    }
    return fields.every((name) => types.has(name))
  }
  if (schema.primaryKey && known('primaryKey', schema.primaryKey)) {
    for (const name of schema.primaryKey) {
      const field = schema.fields.find((candidate) => candidate.name === name) as FieldSchema
      const { type } = field
      if (!types.get(name)?.comparable || type === 'boolean') problems.push(`primaryKey: "${name}" is of type ${type}, which cannot be a key`)
      const problem = isTextKey(schema.primaryKey, field) && typeof field.default === 'string' ? pathRule.problem(field.default) : undefined
      if (problem) problems.push(`${placeOf(field)}.default: ${problem}`)
    }
  }
  const keyFields = (schema.foreignKeys ?? []).map((key) => key?.fields.join())
  for (const [index, key] of (schema.foreignKeys ?? []).entries()) {
    if (!key) continue
    const place = `foreignKeys[${index}]`
    const { onDelete } = key['x-actions']
    if (key.fields.length !== key.reference.fields.length)
      problems.push(`${place}: has ${key.fields.length} fields and references ${key.reference.fields.length}`)
    if (!known(`${place}.fields`, key.fields)) continue
    if (keyFields.indexOf(key.fields.join()) !== index) problems.push(`${place}: there are two foreign keys of ${key.fields.join(', ')}`)
    for (const name of key.fields) {
      const field = schema.fields.find((candidate) => candidate.name === name) as FieldSchema
      if (onDelete === 'SET NULL' && (field.constraints?.required || schema.primaryKey?.includes(name))) {
        problems.push(`${place}: onDelete is SET NULL, but "${name}" may not be null`)
      }
      if (onDelete === 'SET DEFAULT' && field.default === undefined) problems.push(`${place}: onDelete is SET DEFAULT, but "${name}" has no default`)
    }
  }
  const uniqueKeys = (schema.uniqueKeys ?? []).map((key) => key?.join())
  for (const [index, key] of (schema.uniqueKeys ?? []).entries()) {
    if (key && known(`uniqueKeys[${index}]`, key) && uniqueKeys.indexOf(key.join()) !== index)
      problems.push(`uniqueKeys[${index}]: there are two unique keys of ${key.join(', ')}`)
  }
  const indexNames = (schema.indexes ?? []).map((index) => index?.name)
  for (const [position, index] of (schema.indexes ?? []).entries()) {
    if (!index) continue
    const place = `indexes[${position}]`
    if (indexNames.indexOf(index.name) !== position) problems.push(`${place}: there are two indexes named "${index.name}"`)
    if (!known(`${place}.fields`, index.fields)) continue
    const wantsJson = index.method === 'gin'
    for (const name of index.fields) {
      if (Boolean(types.get(name)?.comparable) === wantsJson) {
        problems.push(
          `${place}: a ${index.method} index is for ${wantsJson ? 'fields of type object or array' : 'fields of other types than object and array'}; "${name}" is none`,
        )
      }
    }
    if (index.method === 'brin' && index.fields.some((name) => types.get(name) === fieldTypes.get('boolean'))) {
      problems.push(`${place}: a brin index has no booleans`)
    }
    if (index.unique && index.method !== 'btree') problems.push(`${place}: only a btree index can be unique`)
    if (index.method === 'hash' && index.fields.length > 1) problems.push(`${place}: a hash index has one field`)
  }
  for (const [index, searched] of (schema.search_fields ?? []).entries()) {
    if (!searched || !known(`search_fields[${index}]`, [searched.field])) continue
    const { field } = searched
    const { type } = schema.fields.find((candidate) => candidate.name === field) as FieldSchema
    if (type !== 'string') problems.push(`search_fields[${index}]: "${field}" is of type ${type}; only strings can be searched`)
  }
  problems.push(...graphProblems(schema))
  return problems
}

const systemColumns = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'])

/** Formats that say how a value is written in a file: JSON has one form for it, and the format is kept alone. */
const lexicalFormats: ReadonlySet<string> = new Set(['date', 'time', 'datetime'])
/** The formats of other types than strings, beside `default`. */
const ownFormats = new Map([
  ['string', [...formats.keys()]],
  ['geopoint', ['array', 'object']],
  ['geojson', ['topojson']],
])

function formatProblem({ type, format }: FieldSchema): string | undefined {
  if (format === undefined || format === 'default' || lexicalFormats.has(type)) return undefined
  const known = ownFormats.get(type) ?? []
  return known.includes(format)
    ? undefined
    : `there is no format ${JSON.stringify(format)} of type ${type}. Formats: ${['default', ...known].join(', ')}`
}

function fieldProblems(field: FieldSchema, place: string, work: Work): string[] {
  const type = typeOf(field)
  const problems: string[] = []
  const at = (rule: string, text: string) => problems.push(`${place}${rule ? `.${rule}` : ''}: ${text}`)

  if (systemColumns.has(field.name)) at('', 'Postgres has a column of this name in every table')
  // Two underscores part a field from an operator in a query.
  if (field.name.includes('__')) at('', 'a field name may not have two underscores in a row')
  const format = formatProblem(field)
  if (format) at('format', format)
  const applies = (name: string) => name.startsWith('x-') || type.constraints.has(name as Constraint) || (name === 'jsonSchema' && !type.comparable)
  const declared = Object.entries(field.constraints ?? {})
  for (const [name] of declared) if (!applies(name)) at(`constraints.${name}`, `does not apply to type ${field.type}`)
  const constraints: ConstraintsSchema = Object.fromEntries(declared.filter(([name]) => applies(name)))

  const ofType = (rule: string, said: unknown) => {
    const problem = type.problem(meantBy(type, said))
    if (problem) at(rule, problem)
    return !problem
  }
  for (const [low, high] of [
    ['minimum', 'maximum'],
    ['exclusiveMinimum', 'exclusiveMaximum'],
  ] as const) {
    const [least, most] = [constraints[low], constraints[high]]
    const bounds = [least === undefined || ofType(`constraints.${low}`, least), most === undefined || ofType(`constraints.${high}`, most)]
    const key = (said: unknown) => type.key(meantBy(type, said) as never)
    if (bounds.every(Boolean) && least !== undefined && most !== undefined && key(least) > key(most))
      at(`constraints.${low}`, `is more than the ${high}`)
  }
  const { minLength, maxLength, pattern, jsonSchema } = constraints
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) at('constraints.minLength', 'is more than maxLength')
  if (pattern !== undefined) {
    const compiled = compilePattern(pattern)
    if ('problem' in compiled) at('constraints.pattern', compiled.problem)
  }
  if (jsonSchema !== undefined) {
    const prepared = prepareSchema(jsonSchema)
    if ('problems' in prepared) for (const problem of prepared.problems) at('constraints.jsonSchema', problem)
  }
  constraints.enum?.forEach((value, index) => {
    ofType(`constraints.enum[${index}]`, value)
  })
  if (problems.length === 0 && field.default !== undefined && field.default !== null) {
    for (const problem of valueProblems(type, rulesOf(field), field.default, work)) at('default', problem)
  }
  return problems
}
