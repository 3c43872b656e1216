/** The constraints of a physical table and of its edges, by their names in Postgres. */
import { type CheckedRule, hasCheck } from './constraints.ts'
import type { ExclusionSchema, RangePair } from './exclusion-form.ts'
import { fieldsOfExclusion } from './exclusions.ts'
import type { Field } from './field.ts'
import { relationshipTypesOf } from './graph-schema.ts'
import { constraintNames, edgesConstraintNames } from './names.ts'
import { rangePairs } from './ranges.ts'
import type { CheckSchema, TableSchema } from './schema-form.ts'
import type { Storage } from './storage.ts'

/** The meaning of a constraint in Postgres. */
export interface NamedConstraint {
  fields: readonly string[]
  /** The rule of the CHECK constraint. */
  rule?: CheckedRule
  /** The name of the table that a foreign key references. */
  resource?: string
  /** Whether it is the CHECK constraint of a required field. */
  required?: boolean
  /** The range whose beginning may not be after its end. */
  range?: RangePair
  /** The check of the schema that it is. Its `fields` are empty: Postgres alone reads the expression. */
  check?: CheckSchema
  exclusion?: ExclusionSchema
}

/** Returns the constraints of a table, by their names in Postgres. */
export function namedConstraints(
  physicalName: string,
  schema: TableSchema,
  fields: ReadonlyMap<string, Field>,
  { hasColumns }: Storage,
): Map<string, NamedConstraint> {
  const names = constraintNames(physicalName)
  const constraints = new Map<string, NamedConstraint>([[names.primaryKey, { fields: schema.primaryKey }]])
  for (const field of fields.values()) {
    if (field.schema.constraints?.unique) constraints.set(names.unique(field.name), { fields: [field.name] })
    if (field.required && !hasColumns)
      constraints.set(names.check(field.name, 'required'), { fields: [field.name], required: true })
    for (const rule of field.rules.filter(hasCheck))
      constraints.set(names.check(field.name, rule.name), { fields: [field.name], rule })
  }
  for (const key of schema.uniqueKeys ?? []) constraints.set(names.uniqueKey(key), { fields: key })
  for (const check of schema.checks ?? [])
    constraints.set(names.tableCheck(check.name), { fields: [], check })
  for (const key of schema.foreignKeys ?? []) {
    constraints.set(names.foreignKey(key.fields), { fields: key.fields, resource: key.reference.resource })
  }
  for (const index of schema.indexes ?? []) {
    if (index.unique) constraints.set(names.index(index.name), { fields: index.fields })
  }
  for (const range of rangePairs(schema)) constraints.set(names.range(range), { fields: range, range })
  for (const exclusion of schema.exclusions ?? [])
    constraints.set(names.exclusion(exclusion.name), {
      fields: fieldsOfExclusion(schema, exclusion),
      exclusion,
    })
  if (relationshipTypesOf(schema)) {
    const edges = edgesConstraintNames(physicalName)
    constraints.set(edges.unique, { fields: ['from_id', 'to_id', 'type'] })
    constraints.set(edges.from, { fields: ['from_id'] })
    constraints.set(edges.to, { fields: ['to_id'] })
  }
  return constraints
}
