/**
 * A table's `json_schema`: what clients write, checked and brought to one form. Spec: Datatable; D4–D6.
 * Every problem is found in one pass and named with its place and its rule.
 */
import '../../lib/zod-messages.ts'
import { z } from 'zod'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/hash.ts'
import { compilePattern } from '../../lib/pattern.ts'
import { isTextKey, pathRule, rulesOf, valueProblems, type Work, workOf } from './constraints.ts'
import { type Constraint, type FieldType, fieldTypes, formats } from './field-types.ts'
import { type GraphSchema, graphMembers, graphProblems } from './graph-schema.ts'

const constraintsSchema = z.strictObject({
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
  minLength: z.int().min(0).max(1_000_000_000).optional(),
  maxLength: z.int().min(1).max(1_000_000_000).optional(),
  minimum: z.union([z.number(), z.string()]).optional(),
  maximum: z.union([z.number(), z.string()]).optional(),
  pattern: z.string().min(1).optional(),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .max(1000)
    .optional(),
})

const fieldName = /^[A-Za-z][A-Za-z0-9_]{0,62}$/

const fieldSchema = z.strictObject({
  name: z.string().regex(fieldName, 'a field name begins with a letter and has up to 63 letters, digits and underscores'),
  type: z.enum([...fieldTypes.keys()] as [string, ...string[]]),
  format: z.enum([...formats.keys()] as [string, ...string[]]).optional(),
  title: z.string().max(200).optional(),
  description: z.string().max(2000).optional(),
  example: z.json().optional(),
  constraints: constraintsSchema.optional(),
  default: z.json().optional(),
})

const names = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(32)], { error: 'Must be the name of a field, or an array of 1 to 32 of them.' })
  .transform((value) => (typeof value === 'string' ? [value] : value))

export const deleteRules = ['CASCADE', 'SET NULL', 'SET DEFAULT', 'RESTRICT', 'NO ACTION'] as const

const foreignKeySchema = z.strictObject({
  fields: names,
  reference: z.strictObject({
    /** A table of the same app; '' is the table itself. */
    resource: z.string(),
    fields: names,
  }),
  'x-actions': z.strictObject({ onDelete: z.enum(deleteRules).default('RESTRICT') }).default({ onDelete: 'RESTRICT' }),
})

export const indexMethods = ['btree', 'hash', 'gin', 'brin'] as const

const indexSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,47}$/, 'an index name begins with a lower-case letter and has up to 48 lower-case letters, digits and underscores'),
  fields: names,
  unique: z.boolean().default(false),
  method: z.enum(indexMethods).default('btree'),
  /** A filter, as in `?filters=`: only rows that pass it are in the index. */
  where: z.record(z.string(), z.json()).optional(),
})

const searchField = z.union(
  [
    z.string().transform((field) => ({ field, weight: 'D' as const })),
    z.strictObject({ field: z.string(), weight: z.enum(['A', 'B', 'C', 'D']).default('D') }),
  ],
  { error: 'Must be the name of a field, or {"field", "weight"} with a weight of A, B, C or D.' },
)

/** The text search configurations that every Postgres has. */
const searchLanguages = [
  'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'greek', 'hindi', 'hungarian',
  'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'simple', 'spanish',
  'swedish', 'tamil', 'turkish', 'yiddish',
] as const // biome-ignore format: a list of names

/** Of anything in a schema. How many fields and indexes a table may have, quotas.ts says. */
const fieldsMax = 1000
const indexesMax = 200

/** Counted before anything in it is looked at. */
const listOf = <Schema extends z.ZodType>(element: Schema, min: number, max: number) => z.array(z.unknown()).min(min).max(max).pipe(z.array(element))

const tableSchema = z.strictObject({
  fields: listOf(fieldSchema, 1, fieldsMax),
  primaryKey: names.optional(),
  foreignKeys: listOf(foreignKeySchema, 0, 50).optional(),
  indexes: listOf(indexSchema, 0, indexesMax).optional(),
  search_fields: listOf(searchField, 1, 20).optional(),
  search_language: z.enum(searchLanguages).optional(),
  ...graphMembers,
  title: z.string().max(200).optional(),
  description: z.string().max(2000).optional(),
})

export type FieldSchema = z.infer<typeof fieldSchema>
export type ForeignKeySchema = z.infer<typeof foreignKeySchema>
export type IndexSchema = z.infer<typeof indexSchema>
/** The form in which a schema is kept: the primary key is always named, and is an array. */
export type TableSchema = z.infer<typeof tableSchema> & { primaryKey: string[] }

/** The column that `search_fields` makes. */
export const searchColumn = 'search_vector'

/** The schema in the form in which it is kept, or everything that is wrong with it. */
export function parseTableSchema(input: unknown): { schema: TableSchema } | { problems: string[] } {
  const parsed = tableSchema.safeParse(input)
  if (!parsed.success) {
    return { problems: [...parsed.error.issues.flatMap((issue) => describeIssue(issue, input)), ...findProblems(readableParts(input))] }
  }
  const schema = withPrimaryKey(parsed.data)
  const problems = findProblems({ ...schema, unreadable: new Set() })
  return problems.length > 0 ? { problems } : { schema }
}

/** SHA-256 of the canonical JSON: equal schemas have equal hashes, whatever the order of their members. */
export const schemaHash = (schema: TableSchema): string => sha256(canonicalJson(schema))

/** Without a primary key, a field `id` is it; where there is none either, a uuid `id` is added. D5. */
function withPrimaryKey(schema: z.infer<typeof tableSchema>): TableSchema {
  if (schema.primaryKey) return { ...schema, primaryKey: schema.primaryKey }
  const hasId = schema.fields.some((field) => field.name === 'id')
  const fields = hasId ? schema.fields : [{ name: 'id', type: 'uuid' }, ...schema.fields]
  return { ...schema, fields, primaryKey: ['id'] }
}

/** A field is called by its name, where it has one. */
function describeIssue(issue: z.core.$ZodIssue, input: unknown): string[] {
  const place = issue.path.reduce<string>((path, step) => {
    if (typeof step !== 'number') return path ? `${path}.${String(step)}` : String(step)
    const name = path === 'fields' ? nameOf((input as { fields: unknown[] }).fields[step]) : undefined
    return name !== undefined && fieldName.test(name) ? `fields.${name}` : `${path}[${step}]`
  }, '')
  const at = place ? `${place}: ` : ''
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${at}unknown key ${JSON.stringify(key)}`)
  return [`${at}${issue.message}`]
}

/** A schema, or what can be read of one: an element that cannot is undefined, so that the others keep their positions. */
interface SchemaParts extends GraphSchema {
  fields: readonly FieldSchema[]
  /** Names of fields that cannot be read. */
  unreadable: ReadonlySet<string>
  primaryKey?: readonly string[] | undefined
  foreignKeys?: readonly (ForeignKeySchema | undefined)[] | undefined
  indexes?: readonly (IndexSchema | undefined)[] | undefined
  search_fields?: readonly (z.output<typeof searchField> | undefined)[] | undefined
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
  if (fields.length === 0) return { fields: [], unreadable }
  return {
    fields: fields.filter((field) => field !== undefined),
    unreadable,
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
  const work = workOf('is too long to be compared with the pattern')
  for (const field of schema.fields) {
    if (types.has(field.name)) problems.push(`fields: there are two fields named "${field.name}"`)
    types.set(field.name, fieldTypes.get(field.type) as FieldType)
    problems.push(...fieldProblems(field, work))
  }
  if (schema.search_fields && types.has(searchColumn)) problems.push(`fields: "${searchColumn}" is the name of the column that search_fields makes`)

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
      if (problem) problems.push(`fields.${name}.default: ${problem}`)
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

function fieldProblems(field: FieldSchema, work: Work): string[] {
  const type = fieldTypes.get(field.type) as FieldType
  const problems: string[] = []
  const at = (rule: string, text: string) => problems.push(`fields.${field.name}${rule ? `.${rule}` : ''}: ${text}`)

  if (systemColumns.has(field.name)) at('', 'Postgres has a column of this name in every table')
  // Two underscores part a field from an operator in a query.
  if (field.name.includes('__')) at('', 'a field name may not have two underscores in a row')
  if (field.format && field.type !== 'string') at('format', `only a string has a format; this is of type ${field.type}`)
  const declared = Object.entries(field.constraints ?? {}) as [Constraint, unknown][]
  for (const [name] of declared) {
    if (!type.constraints.has(name)) at(`constraints.${name}`, `does not apply to type ${field.type}`)
  }
  const constraints: z.infer<typeof constraintsSchema> = Object.fromEntries(declared.filter(([name]) => type.constraints.has(name)))

  const ofType = (rule: string, value: unknown) => {
    const problem = type.problem(value)
    if (problem) at(rule, problem)
    return !problem
  }
  const { minimum, maximum, minLength, maxLength, pattern } = constraints
  const bounds = [minimum === undefined || ofType('constraints.minimum', minimum), maximum === undefined || ofType('constraints.maximum', maximum)]
  if (bounds.every(Boolean) && minimum !== undefined && maximum !== undefined && type.key(minimum as never) > type.key(maximum as never)) {
    at('constraints.minimum', 'is more than the maximum')
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) at('constraints.minLength', 'is more than maxLength')
  if (pattern !== undefined) {
    const compiled = compilePattern(pattern)
    if ('problem' in compiled) at('constraints.pattern', compiled.problem)
  }
  constraints.enum?.forEach((value, index) => {
    ofType(`constraints.enum[${index}]`, value)
  })
  if (problems.length === 0 && field.default !== undefined && field.default !== null) {
    for (const problem of valueProblems(type, rulesOf(field), field.default, work)) at('default', problem)
  }
  return problems
}
