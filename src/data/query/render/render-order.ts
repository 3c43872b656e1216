/** Renders the terms of an order. */
import { join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { directionSql } from '../direction.ts'
import { renderExpression } from '../plan/expression/expression.ts'
import type { Direction, Order } from '../plan/order.ts'
import type { Joins } from './joins.ts'
import { searchRank } from './render-search.ts'

/** A term of an order, with its values as an expression. */
export interface Term extends Direction {
  value: Sql
  /** Whether an index has the values, but not in this order: records without a value are read apart. */
  isZoned?: boolean
}

/** Returns the terms of an order, which can use fields of joined rows. */
export const termsOf = (order: readonly Order[], joined: Joins): Term[] =>
  order.map((one) => ({
    ...one,
    value:
      one.by === 'rank' ? searchRank(one.search, joined.rowOf([])) : renderExpression(one.expression, joined),
  }))

export const renderOrder = (terms: readonly Term[]): Sql =>
  join(terms.map((term) => sql`${term.value}${directionSql(term)}`))
