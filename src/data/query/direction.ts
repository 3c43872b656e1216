/** The direction of a term of an order, in every kind of order. */
import { emptySql, type Sql, sql } from '../../kernel/db/sql.ts'

/** The direction in which values are sorted. */
export interface Sorting {
  descending: boolean
  /** Whether records may have no value. */
  nullable: boolean
  /** Whether records without a value come first. Otherwise they come last, in both directions. */
  nullsFirst: boolean
}

/**
 * Tells whether records without a value are placed elsewhere than Postgres places them: it has nulls last in
 * ascending order, and first in descending order. An index has them there, too.
 */
export const hasNullsMoved = ({ descending, nullable, nullsFirst }: Sorting): boolean =>
  nullable && nullsFirst !== descending

/**
 * Renders the part of a term after its value. If all records have a value, it does not say where nulls are
 * placed, so that an index can be used. The value itself must be qualified: a bare name would be the output
 * column, which may be a text. R13.
 */
export function directionSql(sorting: Sorting): Sql {
  const { descending } = sorting
  if (!hasNullsMoved(sorting)) return descending ? sql` desc` : emptySql
  return descending ? sql` desc nulls last` : sql` nulls first`
}
