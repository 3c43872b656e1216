/**
 * Plans the access rules of a table: the callers to whom they apply, their conditions, and the values that
 * they set.
 */
import { literal, type Sql, sql } from '../../kernel/db/sql.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { type AccessRule, type Action, allows, shownBy, whoOf, writtenBy } from '../model/access.ts'
import { valueProblems, workBudget } from '../model/constraints.ts'
import { type Field, nullOf } from '../model/field.ts'
import type { RelationshipGraph } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { type WriteAction, writableFields } from '../model/written-fields.ts'
import { read } from '../providers/writes/input.ts'
import type { Predicate } from '../query/predicate.ts'
import type { Problems } from '../query/problems.ts'
import { claims, isFor } from './claims.ts'
import { planRuleFilter, unknownClaim } from './rule-filter.ts'

/** A rule of a table, planned. */
export interface PlannedRule {
  allows(action: Action): boolean
  /** The condition that the rule applies to the caller. */
  isFor: Sql
  /** The records to which the rule applies. */
  where: Predicate
  /** The condition for a record after it was created or changed. */
  check: Predicate
  /** The values that created and changed records get. */
  set: ReadonlyMap<Field, Sql>
  shown: ReadonlySet<Field>
  /** Returns the fields that a client may send in an action. */
  written(action: WriteAction): ReadonlySet<Field>
}

/** Plans the rules of a table. Adds each problem to `problems`. */
export const planRules = (table: Table, graph: RelationshipGraph, problems: Problems): PlannedRule[] =>
  table.rules.map((rule, position) => {
    const isOwn = position < (table.schema.access?.rules.length ?? 0)
    const place = isOwn ? `access.rules[${position}]` : placeInApp(rule)
    const where = planRuleFilter(table, graph, rule.where, `${place}.where`, problems)
    const named = (fields: readonly Field[], names: readonly string[] | undefined) =>
      new Set(fields.filter(({ name }) => !names || names.includes(name)))
    return {
      allows: (action) => allows(rule, action),
      isFor: isFor(whoOf(rule)),
      where,
      check: rule.check ? planRuleFilter(table, graph, rule.check, `${place}.check`, problems) : where,
      set: planSet(table, rule, (problem) => problems.add(`${place}.set`, problem)),
      shown: named([...table.fields.values()], shownBy(rule)),
      written: (action) => named(writableFields(table, action), writtenBy(rule)),
    }
  })

/** Returns how problems name a rule of the app of a table. */
export const placeInApp = ({ name }: AccessRule): string => `the rule ${JSON.stringify(name)} of the app`

/** What to do where a schema does not fit a rule of its app, which a change of a schema cannot change. */
export const wayOut =
  'The schema of a table cannot change a rule of its app. Give the table the same rule in its "access", ' +
  'take it out of the "tables" of the rule of the app, and then send this schema, with a rule of the ' +
  'table that fits it.'

/** Returns the problems of a schema, and what to do if rules of the app cause some. */
export const withWayOut = (problems: readonly string[]): string[] =>
  problems.some((problem) => /^the rule ".*" of the app\./.test(problem))
    ? [...problems, wayOut]
    : [...problems]

type Reject = (problem: string) => void

const planSet = ({ fields }: Table, { set = {} }: AccessRule, reject: Reject): Map<Field, Sql> =>
  new Map(
    Object.entries(set).flatMap(([name, value]): [Field, Sql][] => {
      const field = fields.get(name)
      return field ? [[field, filledIn(field, value, reject)]] : []
    }),
  )

/** Returns a value that a rule fills in as an expression of the field's type. */
function filledIn(field: Field, value: unknown, reject: Reject): Sql {
  const name = claimIn(value)
  if (name === undefined) return constant(field, value, reject)
  const claim = claims.find((one) => one.name === name)
  if (!claim) reject(unknownClaim(name))
  else if (!claim.fills.includes(field.schema.type))
    reject(`{"$": "${claim.name}"} is not a value of "${field.name}", which is of type ${field.schema.type}.`)
  return claim ? sql`(${claim.value})::${field.type.column}` : sql`null`
}

/** Returns the name in `{"$": name}`; undefined for any other value. */
function claimIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const [[member, name] = [], ...others] = Object.entries(value)
  return member === '$' && others.length === 0 ? name : undefined
}

function constant(field: Field, value: unknown, reject: Reject): Sql {
  if (value === null) {
    if (field.required) reject(`"${field.name}" may not be null.`)
    return nullOf(field)
  }
  for (const problem of valueProblems(field.type, field.rules, value, workBudget()))
    reject(`${quoteValue(value)} is not possible in "${field.name}": ${problem}`)
  const document = literal(JSON.stringify({ [field.name]: value }))
  const type = field.type.input ?? field.type.column
  return sql`
    (select ${read(field)} from jsonb_to_record(${document}::jsonb) _fields (${field.column} ${type}))`
}
