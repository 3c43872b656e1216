/** Limits computed values: numbers, of which a short expression can make a hundred thousand digits, and dates. */
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { apply, type Expression, isPlain, named } from './expression.ts'
import { date, datetime, number, type Type } from './types.ts'

type Limits = ReadonlyMap<Type, (value: Sql) => Sql>

const ofNumbers: Limits = new Map([[number, (value: Sql) => sql`tessera.bounded(${value})`]])
const ofFields: Limits = new Map([
  ...ofNumbers,
  [date, (value: Sql) => sql`tessera.bounded_date(${value})`],
  [datetime, (value: Sql) => sql`tessera.bounded_datetime(${value})`],
])

function limited(limits: Limits, expression: Expression): Expression {
  const { at, type } = expression
  const limit = limits.get(type)
  return limit && !isPlain(expression) ? named('bounded', apply(at, type, [expression], limit)) : expression
}

/**
 * Returns an expression whose text is shown or joined with others. Postgres refuses a computed number of more
 * than a thousand digits: tessera.bounded.
 */
export const bounded = (expression: Expression): Expression => limited(ofNumbers, expression)

/** Returns an expression whose value a field keeps. Postgres also refuses what the field could not be sent. */
export const boundedForField = (expression: Expression): Expression => limited(ofFields, expression)
