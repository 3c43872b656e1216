/** The records and fields that the rules of a table allow to read. Views and explanations use them. */
import { join, type Sql, sql, withInlineValues } from '../../kernel/db/sql.ts'
import type { Field } from '../model/field.ts'
import type { Table } from '../model/table.ts'
import { renderPredicate } from '../query/render/render.ts'
import type { Row } from '../query/row.ts'
import type { PlannedRule } from './planned-rules.ts'

/** A rule that allows reading. */
export type Grant = PlannedRule

/** Returns the rules that allow reading. */
export const grantsOf = (rules: readonly PlannedRule[]): Grant[] =>
  rules.filter((rule) => rule.allows('read'))

/** Returns the condition that a rule applies to the caller and that all of these rows match it. */
const passes = ({ isFor, where }: Grant, rows: readonly Row[]): Sql =>
  withInlineValues(
    sql`(${isFor} and ${join(
      rows.map((row) => renderPredicate(where, row)),
      sql` and `,
    )})`,
  )

/** Returns the condition that one of the rules applies to the caller and that all of these rows match it. */
export const anyPasses = (grants: readonly Grant[], rows: readonly Row[]): Sql =>
  grants.length === 0
    ? sql`false`
    : join(
        grants.map((grant) => passes(grant, rows)),
        sql` or `,
      )

/** Returns the fields that at least one of the rules shows, in the order of the schema. */
export const givenFields = ({ fields }: Table, grants: readonly Grant[]): Field[] =>
  [...fields.values()].filter((field) => grants.some((grant) => grant.shown.has(field)))

/** Tells whether every rule shows a field, so that no row hides it. */
export const isPlain = (field: Field, grants: readonly Grant[]): boolean =>
  grants.every(({ shown }) => shown.has(field))

/**
 * Returns the condition that one of the rules that show a field applies and that all of these rows match it.
 */
export const isShown = (field: Field, grants: readonly Grant[], rows: readonly Row[]): Sql =>
  sql`(${anyPasses(
    grants.filter(({ shown }) => shown.has(field)),
    rows,
  )})`

/** Returns the value of a field: null in rows that match only rules without the field. */
export function shownValue(field: Field, value: Sql, grants: readonly Grant[], rows: readonly Row[]): Sql {
  if (isPlain(field, grants)) return value
  const isGiven = grants.some(({ shown }) => shown.has(field))
  return isGiven ? sql`case when ${isShown(field, grants, rows)} then ${value} end` : sql`null`
}
