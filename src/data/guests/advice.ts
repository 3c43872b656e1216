/** Advice on access rules that may allow more than intended, or that are slow. */
import type { Catalog } from '../catalog/load-catalog.ts'
import {
  type AccessRule,
  type AccessSchema,
  type Action,
  allows,
  readingRules,
  rulesOf,
  shownBy,
  whoOf,
} from '../model/access.ts'
import type { Field } from '../model/field.ts'
import { relationshipGraph, relationshipsOf } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { isAlways, type Predicate } from '../query/predicate.ts'
import { Problems } from '../query/problems.ts'
import { planRuleFilter } from './rule-filter.ts'

/** Advice on a rule. */
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
  check: Predicate
}

/** Functions that each return their messages about a rule. */
const advisers: readonly ((advised: Advised) => string[])[] = [
  givesStrangers,
  givesNobody,
  givesAll,
  showsAllFields,
  lacksIndex,
  followsHidden,
  leadsNowhere,
  letsCreateAll,
  letsMoveOut,
  writesUnread,
  cascades,
]

/** Returns the advice about rules that a table of the catalog is about to have. */
export function adviceOnNew(catalog: Catalog, before: Table, access: AccessSchema): Advice[] {
  const schema = { ...before.schema, access }
  const table = { ...before, schema, rules: rulesOf(schema, before.name, before.appRules) }
  const tables = new Map(catalog.tables).set(table.name, table)
  return adviceOn({ ...catalog, tables, relationships: relationshipGraph(tables) }, table)
}

/** Returns the advice about the rules of a table. Rules that cannot be planned have none. */
export function adviceOn(catalog: Catalog, table: Table): Advice[] {
  return table.rules.flatMap((rule) => {
    const problems = new Problems()
    const plan = (condition: AccessRule['where']) =>
      planRuleFilter(table, catalog.relationships, condition, rule.name, problems)
    const [where, check] = [plan(rule.where), plan(rule.check)]
    if (!problems.isEmpty) return []
    const advised = { catalog, table, rule, where, check }
    return advisers.flatMap((adviser) =>
      adviser(advised).map((message) => ({ datatable: table.name, rule: rule.name, message })),
    )
  })
}

/** Where nobody can sign up, a rule for every account of the service is hardly meant. X2. */
function givesStrangers({ catalog: { terms }, rule }: Advised): string[] {
  if (whoOf(rule).kind !== 'signed-in' || terms?.signUp !== 'closed') return []
  return [
    'It is for every account of the whole service, although nobody can sign up at this site. ' +
      'The people of the site are "user".',
  ]
}

function givesNobody({ catalog: { terms }, rule }: Advised): string[] {
  const who = whoOf(rule)
  if (who.kind !== 'role' || !terms || terms.roles.includes(who.name)) return []
  return [`It is for nobody: the site has no role "${who.name}".`]
}

function givesAll({ rule, where }: Advised): string[] {
  const gives = rule.can.filter((action) => action !== 'create' && action !== 'history')
  if (!isAlways(where) || gives.length === 0) return []
  const written = gives.map((one) => participles[one]).join(' and ')
  return [
    gives.includes('read')
      ? `It gives every record to ${whom(rule)}: it has no "where".`
      : `It lets every record be ${written} by ${whom(rule)}: it has no "where".`,
  ]
}

const participles = { read: 'read', update: 'changed', delete: 'deleted', edges: 'connected' }

const whom = (rule: AccessRule): string =>
  whoOf(rule).kind === 'anyone' ? 'everyone, also without credentials' : `"${rule.who}"`

function showsAllFields({ rule }: Advised): string[] {
  if (!allows(rule, 'read') || shownBy(rule) || whoOf(rule).kind !== 'anyone') return []
  return ['It has no "fields", so it shows every field, including future ones.']
}

function lacksIndex({ table, rule, where }: Advised): string[] {
  // Changes and deletions find records by their keys, so they need no other index.
  if (!allows(rule, 'read')) return []
  const compared = [...new Set(comparedFields(where))].filter((field) => !leadsIndex(table, field))
  // One index is enough to find the records.
  if (compared.length === 0 || comparedFields(where).some((field) => leadsIndex(table, field))) return []
  const names = compared.map(({ name }) => `"${name}"`).join(', ')
  return [`No index begins with a field that it compares (${names}), so each request reads the whole table.`]
}

/**
 * Returns the fields that the condition compares in every record. Booleans are omitted, because no index
 * helps with them.
 */
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

/**
 * Conditions follow a path without the caller's own rights. So a result can reveal values of hidden records.
 */
function followsHidden({ where, check }: Advised): string[] {
  const followed = [...new Set([where, check].flatMap(followedTables))]
  return followed
    .filter(isHidden)
    .map(
      ({ name }) =>
        `Its conditions follow a path to "${name}", of which guests read nothing: ` +
        'what it allows tells of hidden records.',
    )
}

const isHidden = ({ rules }: Table): boolean => readingRules(rules).length === 0

const followedTables = (condition: Predicate): Table[] => {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.of.flatMap(followedTables)
  if (condition.kind === 'not') return followedTables(condition.of)
  if (condition.kind !== 'related') return []
  const { target, junction } = condition.relationship
  return [...(junction ? [junction.table] : []), target, ...followedTables(condition.where)]
}

function leadsNowhere({ catalog, table, rule }: Advised): string[] {
  if (!allows(rule, 'read')) return []
  const shown = shownBy(rule)
  const { all } = relationshipsOf(catalog.relationships, table)
  return all
    .filter(
      ({ to, target, pairs }) =>
        to === 'one' &&
        target !== table &&
        !target.source &&
        isHidden(target) &&
        pairs.every(({ near }) => shown?.includes(near.name) ?? true),
    )
    .map(
      ({ name, target }) => `It shows the key of "${name}", but no rule gives a record of "${target.name}".`,
    )
}

function letsCreateAll({ rule }: Advised): string[] {
  const { where = {}, check = where } = rule
  if (!allows(rule, 'create') || Object.keys(check).length > 0) return []
  return [`It lets any record be created by ${whom(rule)}: it has no "check".`]
}

/** If `check` does not repeat a part of `where`, the changed record may no longer match that part. */
function letsMoveOut({ rule: { where = {}, check, set = {}, ...rule } }: Advised): string[] {
  if (!check || !rule.can.includes('update')) return []
  const isKept = ([name, value]: [string, unknown]) =>
    JSON.stringify(check[name]) === JSON.stringify(value) ||
    JSON.stringify(set[name]) === JSON.stringify(value)
  const lost = Object.entries(where).filter((part) => !isKept(part))
  if (lost.length === 0) return []
  const names = lost.map(([name]) => JSON.stringify(name)).join(', ')
  return [`A change can take a record out of its "where": its "check" does not repeat ${names}.`]
}

function writesUnread({ table, rule }: Advised): string[] {
  const finds = rule.can.flatMap((action) => findings[action] ?? [])
  const isRead = table.rules.some((other) => allows(other, 'read'))
  if (isRead || finds.length === 0) return []
  return [`Nobody can ${finds.join(' or ')} by it: no rule of "${table.name}" lets read a record.`]
}

/** The conditions by which a caller finds a record to write. */
const findings: Readonly<Partial<Record<Action, string>>> = {
  update: 'update',
  delete: 'delete',
  edges: 'connect',
}

/** The site's role performs the effects of a deletion in other tables, without checking access rules. */
function cascades({ catalog, table, rule }: Advised): string[] {
  if (!allows(rule, 'delete')) return []
  return [...catalog.tables.values()].flatMap(({ name, schema }) =>
    (schema.foreignKeys ?? [])
      .filter(({ reference }) => (reference.resource || name) === table.name)
      .flatMap(({ 'x-actions': { onDelete } }) => {
        const effect = effects[onDelete]
        return effect
          ? [`A deletion for good also ${effect} records of "${name}", whatever their rules.`]
          : []
      }),
  )
}

const effects: Readonly<Record<string, string | undefined>> = {
  CASCADE: 'deletes',
  'SET NULL': 'changes',
  'SET DEFAULT': 'changes',
}
