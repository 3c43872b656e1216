/** Finds the problems of a well-formed table schema: names, keys, indexes and search. D5, D6, D14. */
import { type AccessSchema, accessProblems } from './access.ts'
import { checkProblems } from './checks.ts'
import { isTextKey, pathRule, workBudget } from './constraints.ts'
import type { ExclusionSchema, RangePair } from './exclusion-form.ts'
import { exclusionProblems } from './exclusions.ts'
import { fieldProblems } from './field-problems.ts'
import type { FieldType } from './field-types.ts'
import { generatedProblems } from './generated.ts'
import { type GraphSchema, graphProblems } from './graph-schema.ts'
import { indexProblems } from './index-problems.ts'
import type { CheckSchema, FieldSchema, ForeignKeySchema, IndexSchema, SearchField } from './schema-form.ts'
import { typeOf } from './types.ts'

/** A schema, or its readable parts. An element that cannot be read is undefined. */
export interface SchemaParts extends GraphSchema {
  fields: readonly FieldSchema[]
  /** The names of fields that cannot be read. */
  unreadable: ReadonlySet<string>
  primaryKey?: readonly string[] | undefined
  foreignKeys?: readonly (ForeignKeySchema | undefined)[] | undefined
  indexes?: readonly (IndexSchema | undefined)[] | undefined
  uniqueKeys?: readonly (readonly string[] | undefined)[] | undefined
  ranges?: Readonly<Record<string, RangePair>> | undefined
  exclusions?: readonly (ExclusionSchema | undefined)[] | undefined
  checks?: readonly (CheckSchema | undefined)[] | undefined
  search_fields?: readonly (SearchField | undefined)[] | undefined
  access?: AccessSchema | undefined
  /** How messages refer to the fields. */
  places: ReadonlyMap<FieldSchema, string>
}

/** The schema being checked, its fields by name, and the problems found so far. */
interface Check {
  schema: SchemaParts
  fields: ReadonlyMap<string, FieldSchema>
  types: ReadonlyMap<string, FieldType>
  problems: string[]
}

/** Returns all problems, each with its place before it. */
export function schemaProblems(schema: SchemaParts): string[] {
  const fields = new Map<string, FieldSchema>()
  const types = new Map<string, FieldType>()
  const problems: string[] = []
  const work = workBudget('is too long to check against the pattern')
  for (const field of schema.fields) {
    if (fields.has(field.name)) problems.push(`fields: there are two fields named "${field.name}"`)
    else fields.set(field.name, field)
    types.set(field.name, typeOf(field))
    problems.push(...fieldProblems(field, placeOf(schema, field), work))
  }
  const check: Check = { schema, fields, types, problems }
  checkPrimaryKey(check)
  checkForeignKeys(check)
  checkUniqueKeys(check)
  problems.push(...indexProblems(schema, fields), ...exclusionProblems(schema, fields))
  problems.push(...checkProblems(schema, fields))
  problems.push(...generatedProblems(schema, (field) => placeOf(schema, field)))
  checkSearch(check)
  problems.push(...graphProblems(schema), ...accessProblems(schema))
  return problems
}

const placeOf = (schema: SchemaParts, field: FieldSchema): string =>
  schema.places.get(field) ?? `fields.${field.name}`

/**
 * Adds a problem for every unknown or repeated name. Returns whether all names are those of readable fields.
 */
function areFields({ schema, types, problems }: Check, place: string, names: readonly string[]): boolean {
  for (const [index, name] of names.entries()) {
    if (!types.has(name) && !schema.unreadable.has(name))
      problems.push(`${place}: there is no field "${name}"`)
    if (names.indexOf(name) !== index) problems.push(`${place}: "${name}" is listed twice`)
  }
  return names.every((name) => types.has(name))
}

function checkPrimaryKey(check: Check): void {
  const { schema, fields, types, problems } = check
  if (!schema.primaryKey || !areFields(check, 'primaryKey', schema.primaryKey)) return
  for (const name of schema.primaryKey) {
    const field = fields.get(name) as FieldSchema
    if (!types.get(name)?.comparable || field.type === 'boolean')
      problems.push(`primaryKey: "${name}" is of type ${field.type}, which cannot be a key`)
    const problem =
      isTextKey(schema.primaryKey, field) && typeof field.default === 'string'
        ? pathRule.problem(field.default)
        : undefined
    if (problem) problems.push(`${placeOf(schema, field)}.default: ${problem}`)
  }
}

function checkForeignKeys(check: Check): void {
  const { schema, fields, problems } = check
  const keys = schema.foreignKeys ?? []
  const lists = keys.map((key) => key?.fields.join())
  for (const [index, key] of keys.entries()) {
    if (!key) continue
    const place = `foreignKeys[${index}]`
    const { onDelete } = key['x-actions']
    if (key.fields.length !== key.reference.fields.length)
      problems.push(`${place}: has ${key.fields.length} fields but references ${key.reference.fields.length}`)
    if (!areFields(check, `${place}.fields`, key.fields)) continue
    if (lists.indexOf(key.fields.join()) !== index)
      problems.push(`${place}: there are two foreign keys of ${key.fields.join(', ')}`)
    for (const name of key.fields) {
      const field = fields.get(name) as FieldSchema
      if (onDelete === 'SET NULL' && (field.constraints?.required || schema.primaryKey?.includes(name)))
        problems.push(`${place}: onDelete is SET NULL, but "${name}" may not be null`)
      if (onDelete === 'SET DEFAULT' && field.default === undefined)
        problems.push(`${place}: onDelete is SET DEFAULT, but "${name}" has no default`)
    }
  }
}

function checkUniqueKeys(check: Check): void {
  const keys = check.schema.uniqueKeys ?? []
  const lists = keys.map((key) => key?.join())
  for (const [index, key] of keys.entries()) {
    if (key && areFields(check, `uniqueKeys[${index}]`, key) && lists.indexOf(key.join()) !== index)
      check.problems.push(`uniqueKeys[${index}]: there are two unique keys of ${key.join(', ')}`)
  }
}

function checkSearch(check: Check): void {
  for (const [index, searched] of (check.schema.search_fields ?? []).entries()) {
    const place = `search_fields[${index}]`
    if (!searched || !areFields(check, place, [searched.field])) continue
    const type = check.fields.get(searched.field)?.type
    if (type !== 'string')
      check.problems.push(`${place}: "${searched.field}" is of type ${type}; only strings can be searched`)
  }
}
