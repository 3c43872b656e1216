/** The conditions of a rule's filter, one by one, with the values of a record. */
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import { planRuleFilter } from '../guests/rule-filter.ts'
import type { AccessRule } from '../model/access.ts'
import type { Field } from '../model/field.ts'
import { propertySql } from '../model/property.ts'
import type { RelationshipGraph } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import type { Predicate } from '../query/predicate.ts'
import { Problems } from '../query/problems.ts'
import { andNotDeleted, isRelated, renderPredicate } from '../query/render/render.ts'
import { fieldSql, innerRow, type Row, row } from '../query/row.ts'

type Filter = NonNullable<AccessRule['where']>

/** A part of a rule's filter. */
export interface Condition {
  /** The part as the rule has it. */
  written: Filter
  predicate: Predicate
  /** The conditions that `and`, `or`, `not` or an object with several members combine. */
  parts: readonly Condition[]
}

/** A condition that was tried on a record. */
export interface TriedCondition {
  condition: Filter
  passes: boolean
  /** The value of the record, or those of related records. Omitted: the condition is not about one value. */
  found?: unknown
  /** The caller's value that it is compared with. Omitted: the condition names none. */
  compared?: unknown
  conditions?: TriedCondition[]
}

/** Postgres's result for one condition. */
export interface Trial {
  passes: boolean
  found: unknown
  compared: unknown
}

/** Returns a whole filter as one condition. All of its parts must be met. */
export const wholeCondition = (table: Table, graph: RelationshipGraph, where: Filter = {}): Condition => ({
  written: where,
  predicate: planned(table, graph, where),
  parts: conditionsOf(table, graph, where),
})

function conditionsOf(table: Table, graph: RelationshipGraph, where: Filter): Condition[] {
  const inside = (filter: unknown) => conditionsOf(table, graph, filter as Filter)
  return Object.entries(where).map(([name, value]): Condition => {
    const written = { [name]: value }
    return { written, predicate: planned(table, graph, written), parts: partsOf(name, value, inside) }
  })

  function partsOf(name: string, value: unknown, inside: (filter: unknown) => Condition[]): Condition[] {
    if (name === 'not') return inside(value)
    if (name !== 'and' && name !== 'or') return []
    return (value as Filter[]).map((member): Condition => {
      const whole = wholeCondition(table, graph, member)
      const [only] = whole.parts
      return only && whole.parts.length === 1 ? only : whole
    })
  }
}

const planned = (table: Table, graph: RelationshipGraph, where: Filter): Predicate =>
  planRuleFilter(table, graph, where, '', new Problems())

/** Returns the conditions with all of their parts, each before its parts. */
export const flattened = (conditions: readonly Condition[]): Condition[] =>
  conditions.flatMap((one) => [one, ...flattened(one.parts)])

/** Renders an array of the trials of conditions on the row `_row`. */
export const renderTrials = (conditions: readonly Condition[]): Sql =>
  sql`array[${join(conditions.map(renderTrial))}]::json[]`

function renderTrial({ predicate, parts }: Condition): Sql {
  const [found, compared] = parts.length > 0 ? [] : [foundIn(predicate, row), claimIn(predicate)]
  return sql`json_build_object('passes', coalesce(${renderPredicate(predicate, row)}, false),
    'found', ${found ?? sql`null`}, 'compared', ${compared ? sql`to_json(${compared})` : sql`null`})`
}

/** Returns the conditions with their trials. Removes the trials from the front of the list. */
export const withTrials = (conditions: readonly Condition[], trials: Trial[]): TriedCondition[] =>
  conditions.map(({ written, predicate, parts }) => {
    const { passes, found, compared } = trials.shift() as Trial
    if (parts.length > 0) return { condition: written, passes, conditions: withTrials(parts, trials) }
    return {
      condition: written,
      passes,
      ...(foundIn(predicate, row) ? { found } : {}),
      ...(claimIn(predicate) ? { compared } : {}),
    }
  })

/** The most related records whose values are shown. */
const relatedMax = 10

/** Returns the value of a row that a condition compares, as JSON; undefined if it is not a single value. */
function foundIn(predicate: Predicate, of: Row): Sql | undefined {
  switch (predicate.kind) {
    case 'compare':
    case 'hasValue': {
      const { field, property } = predicate.operand
      return property ? sql`to_json(${propertySql(fieldSql(field, of), property)})` : outputOf(field, of)
    }
    case 'isTrue':
      return outputOf(predicate.field, of)
    case 'not':
      return foundIn(predicate.of, of)
    case 'and':
    case 'or':
      return predicate.of[0] && foundIn(predicate.of[0], of)
    case 'related':
      return relatedIn(predicate, of)
    case 'overlaps':
      return sql`json_build_array(${outputOf(predicate.from, of)}, ${outputOf(predicate.to, of)})`
    case 'search':
      return undefined
  }
}

function outputOf(field: Field, of: Row): Sql {
  const column = fieldSql(field, of)
  return sql`to_json(${field.type.output?.(column) ?? column})`
}

function relatedIn({ relationship, where }: Predicate & { kind: 'related' }, of: Row): Sql | undefined {
  const record = innerRow(of)
  const found = foundIn(where, record)
  if (!found) return undefined
  const { target } = relationship
  const values = sql`
    select ${found} as _value from ${target.rows} ${record.alias}
     where ${isRelated(relationship, of, record)}${andNotDeleted(target, record)} limit ${relatedMax}`
  return relationship.to === 'one'
    ? sql`(${values})`
    : sql`(select coalesce(json_agg(_value), '[]') from (${values}) _values)`
}

/** Returns the value of the caller that a condition names; undefined if it names none. */
function claimIn(predicate: Predicate): Sql | undefined {
  switch (predicate.kind) {
    case 'compare':
      return predicate.values.flatMap(({ value, type }) =>
        typeof value === 'object' && 'strings' in value ? [sql`${value}::${type}`] : [],
      )[0]
    case 'not':
      return claimIn(predicate.of)
    case 'and':
    case 'or':
      return predicate.of.map(claimIn).find((claim) => claim !== undefined)
    case 'related':
      return claimIn(predicate.where)
    default:
      return undefined
  }
}
