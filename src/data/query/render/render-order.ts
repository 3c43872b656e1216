/** Renders the terms of an order. */
import { emptySql, join, type Sql, sql } from '../../../db/sql.ts'
import { renderExpression } from '../plan/expression/expression.ts'
import type { Direction, Order } from '../plan/order.ts'
import type { Joins } from './joins.ts'
import { searchRank } from './render-search.ts'

/** A term of an order, with its values as an expression. */
export interface Term extends Direction {
  value: Sql
}

/** Returns the terms of an order, which can use fields of joined rows. */
export const termsOf = (order: readonly Order[], joined: Joins): Term[] =>
  order.map((one) => ({
    ...one,
    value:
      one.by === 'rank' ? searchRank(one.search, joined.rowOf([])) : renderExpression(one.expression, joined),
  }))

/** Renders an order. */
export const renderOrder = (terms: readonly Term[]): Sql =>
  join(terms.map((term) => sql`${term.value}${directionSql(term)}`))

/**
 * Renders the part of a term after its value. If all records have a value, it does not say where nulls are
 * placed, so that an index can be used. The value itself must be qualified: a bare name would be the output
 * column, which may be a text. R13.
 */
function directionSql({ descending, nullable, nullsFirst }: Direction): Sql {
  // Postgres has nulls last in ascending order, and first in descending order.
  const place = nullable && nullsFirst !== descending
  if (!place) return descending ? sql` desc` : emptySql
  return descending ? sql` desc nulls last` : sql` nulls first`
}
