/** The call of an aggregate function: beside its SQL, and the SQL of its condition. */
import { emptySql, join, type Sql, sql } from '../../../../kernel/db/sql.ts'
import type { AggregateCall, Expression } from './expression.ts'

export const withCall = (planned: Expression, aggregate: AggregateCall): Expression =>
  planned.kind === 'application' ? { ...planned, aggregate } : planned

/** Renders the conditions of an aggregate function. */
export const conditionSql = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? emptySql : sql` filter (where ${join(conditions, sql` and `)})`
