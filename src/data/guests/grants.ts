/** What the rules of a table that let read give: records, and fields. Views and explanations are made of it. */
import { join, type Sql, sql, withInlineValues } from '../../db/sql.ts'
import type { Field, Table } from '../model/table.ts'
import { renderPredicate } from '../query/render/render.ts'
import type { Row } from '../query/row.ts'
import type { PlannedRule } from './planned-rules.ts'

/** A rule that lets read. */
export type Grant = PlannedRule

/** Returns the rules that let read. */
export const grantsOf = (rules: readonly PlannedRule[]): Grant[] =>
  rules.filter((rule) => rule.allows('read'))

/** Returns the condition that a rule is for the caller and lets all of these rows pass. */
const passes = ({ isFor, where }: Grant, rows: readonly Row[]): Sql =>
  withInlineValues(
    sql`(${isFor} and ${join(
      rows.map((row) => renderPredicate(where, row)),
      sql` and `,
    )})`,
  )

/** Returns the condition that one of the rules does. */
export const anyPasses = (grants: readonly Grant[], rows: readonly Row[]): Sql =>
  grants.length === 0
    ? sql`false`
    : join(
        grants.map((grant) => passes(grant, rows)),
        sql` or `,
      )

/** Returns the fields that one of the rules gives, in the order of the schema. */
export const givenFields = ({ fields }: Table, grants: readonly Grant[]): Field[] =>
  [...fields.values()].filter((field) => grants.some((grant) => grant.shown.has(field)))

/** Tells whether every rule gives a field, so that no row hides it. */
export const isPlain = (field: Field, grants: readonly Grant[]): boolean =>
  grants.every(({ shown }) => shown.has(field))

/** Returns the condition that one of the rules that give a field does. */
export const isShown = (field: Field, grants: readonly Grant[], rows: readonly Row[]): Sql =>
  sql`(${anyPasses(
    grants.filter(({ shown }) => shown.has(field)),
    rows,
  )})`

/** Returns a value of a field: null in rows that only rules without the field let pass. */
export function shownValue(field: Field, value: Sql, grants: readonly Grant[], rows: readonly Row[]): Sql {
  if (isPlain(field, grants)) return value
  const isGiven = grants.some(({ shown }) => shown.has(field))
  return isGiven ? sql`case when ${isShown(field, grants, rows)} then ${value} end` : sql`null`
}
