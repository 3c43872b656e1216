/** The planned parts of a call of an aggregate function, and the SQL of its condition. */
import { emptySql, join, type Sql, sql } from '../../../../kernel/db/sql.ts'
import type { Expression } from './expression.ts'

/** The planned parts of a call. */
export interface Parts {
  /** The aggregated values. None for `count(*)`. */
  values: readonly Expression[]
  /** The operands that are not aggregated: a separator, a fraction. */
  options: readonly Expression[]
  /** The values by which a list is sorted. */
  order: readonly Expression[]
  filter: Expression | undefined
}

/** Renders the conditions of an aggregate function. */
export const conditionSql = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? emptySql : sql` filter (where ${join(conditions, sql` and `)})`
