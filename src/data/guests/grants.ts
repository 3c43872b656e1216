/** What the rules of a table give: a condition on rows, and fields. Views and explanations are made of it. */
import { join, type Sql, sql, withInlineValues } from '../../db/sql.ts'
import { type AccessRule, whoOf } from '../model/access.ts'
import type { RelationshipGraph } from '../model/relationships.ts'
import type { Field, Table } from '../model/table.ts'
import type { Predicate } from '../query/predicate.ts'
import type { Problems } from '../query/problems.ts'
import { renderPredicate } from '../query/render/render.ts'
import type { Row } from '../query/row.ts'
import { isFor } from './claims.ts'
import { planRuleFilter } from './rule-filter.ts'

/** What a rule gives. */
export interface Grant {
  rule: AccessRule
  /** Which records. */
  where: Predicate
  fields: ReadonlySet<Field>
}

/** Plans the rules of a table. Adds to the problems. */
export function grantsOf(table: Table, graph: RelationshipGraph, problems: Problems): Grant[] {
  const rules = table.schema.access?.rules ?? []
  return rules.map((rule, position) => {
    const names = rule.fields && new Set(rule.fields)
    return {
      rule,
      where: planRuleFilter(table, graph, rule, `access.rules[${position}].where`, problems),
      fields: new Set([...table.fields.values()].filter(({ name }) => !names || names.has(name))),
    }
  })
}

/** Returns the condition that a rule is for the caller and lets all of these rows pass. */
const passes = ({ rule, where }: Grant, rows: readonly Row[]): Sql =>
  withInlineValues(
    sql`(${isFor(whoOf(rule))} and ${join(
      rows.map((row) => renderPredicate(where, row)),
      sql` and `,
    )})`,
  )

/** Returns the condition that one of the rules does. */
export const anyPasses = (grants: readonly Grant[], rows: readonly Row[]): Sql =>
  join(
    grants.map((grant) => passes(grant, rows)),
    sql` or `,
  )

/** Returns the fields that one of the rules gives, in the order of the schema. */
export const givenFields = ({ fields }: Table, grants: readonly Grant[]): Field[] =>
  [...fields.values()].filter((field) => grants.some((grant) => grant.fields.has(field)))

/** Tells whether every rule gives a field, so that no row hides it. */
export const isPlain = (field: Field, grants: readonly Grant[]): boolean =>
  grants.every(({ fields }) => fields.has(field))

/** Returns a value of a field: null in rows that only rules without the field let pass. */
export function shownValue(field: Field, value: Sql, grants: readonly Grant[], rows: readonly Row[]): Sql {
  if (isPlain(field, grants)) return value
  const giving = grants.filter(({ fields }) => fields.has(field))
  return giving.length === 0 ? sql`null` : sql`case when ${anyPasses(giving, rows)} then ${value} end`
}
