/** Advice about access rules: what they allow that may not be meant, and what they cost. */
import type { Catalog } from '../catalog/catalog.ts'
import { type AccessRule, whoOf } from '../model/access.ts'
import { relationshipsOf } from '../model/relationships.ts'
import type { Field, Table } from '../model/table.ts'
import { isAlways, type Predicate } from '../query/predicate.ts'
import { Problems } from '../query/problems.ts'
import { planRuleFilter } from './rule-filter.ts'

/** What is worth a second look in a rule. */
export interface Advice {
  datatable: string
  rule: string
  message: string
}

interface Advised {
  catalog: Catalog
  table: Table
  rule: AccessRule
  where: Predicate
}

/** Each returns its messages about a rule. */
const advisers: readonly ((advised: Advised) => string[])[] = [
  givesAll,
  showsAllFields,
  lacksIndex,
  leadsNowhere,
]

/** Returns the advice about the rules of a table. Rules that cannot be planned have none. */
export function adviceOn(catalog: Catalog, table: Table): Advice[] {
  return (table.schema.access?.rules ?? []).flatMap((rule) => {
    const problems = new Problems()
    const where = planRuleFilter(table, catalog.relationships, rule, rule.name, problems)
    if (!problems.isEmpty) return []
    const advised = { catalog, table, rule, where }
    return advisers.flatMap((adviser) =>
      adviser(advised).map((message) => ({ datatable: table.name, rule: rule.name, message })),
    )
  })
}

function givesAll({ rule, where }: Advised): string[] {
  if (!isAlways(where)) return []
  const whom = whoOf(rule).kind === 'anyone' ? 'everyone, also without credentials' : `"${rule.who}"`
  return [`It gives every record to ${whom}: it has no "where".`]
}

function showsAllFields({ rule }: Advised): string[] {
  if (rule.fields || whoOf(rule).kind !== 'anyone') return []
  return ['It shows every field, also those that are added later: it has no "fields".']
}

function lacksIndex({ table, where }: Advised): string[] {
  const compared = [...new Set(comparedFields(where))].filter((field) => !leadsIndex(table, field))
  // One index is enough to find the records.
  if (compared.length === 0 || comparedFields(where).some((field) => leadsIndex(table, field))) return []
  const names = compared.map(({ name }) => `"${name}"`).join(', ')
  return [`No index begins with a field that it compares (${names}), so each request reads the whole table.`]
}

/** Returns the fields of the table of which a record must pass a comparison. No index helps with a boolean. */
const comparedFields = (where: Predicate): Field[] => {
  if (where.kind === 'and') return where.of.flatMap(comparedFields)
  if (where.kind !== 'compare' || where.operand.property) return []
  const { field } = where.operand
  return field.schema.type === 'boolean' ? [] : [field]
}

function leadsIndex({ schema }: Table, { name, schema: field }: Field): boolean {
  const lists = [
    schema.primaryKey,
    ...(schema.uniqueKeys ?? []),
    ...(schema.foreignKeys ?? []).map(({ fields }) => fields),
    ...(schema.indexes ?? []).map(({ fields }) => fields),
  ]
  return field.constraints?.unique === true || lists.some(([first]) => first === name)
}

function leadsNowhere({ catalog, table, rule }: Advised): string[] {
  const { all } = relationshipsOf(catalog.relationships, table)
  return all
    .filter(
      ({ to, target, pairs }) =>
        to === 'one' &&
        target !== table &&
        !target.source &&
        (target.schema.access?.rules ?? []).length === 0 &&
        pairs.every(({ near }) => !rule.fields || rule.fields.includes(near.name)),
    )
    .map(
      ({ name, target }) => `It shows the key of "${name}", but no rule gives a record of "${target.name}".`,
    )
}
