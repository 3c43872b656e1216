/** The units of dates and times, for extract and date_trunc, and time zones. */
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { quoteValue } from '../../../../kernel/lib/quote-value.ts'
import { isCommonZone } from '../../../../kernel/lib/time-zone.ts'
import { ExpressionError } from '../../parse/expression/syntax.ts'
import { coerce, type Expression } from './expression.ts'
import { date, datetime, localDatetime, string, type Type, time } from './types.ts'

interface Unit {
  sql: Sql
  /** The types that it can be extracted from. */
  of: readonly Type[]
  /** Whether date_trunc supports the unit. */
  cuts?: true
}

const withDate = [date, datetime, localDatetime]
const withClock = [time, datetime, localDatetime]

/** The units by name. */
export const units: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ['second', { sql: sql`'second'`, of: withClock }],
  ['minute', { sql: sql`'minute'`, of: withClock, cuts: true }],
  ['hour', { sql: sql`'hour'`, of: withClock, cuts: true }],
  ['day', { sql: sql`'day'`, of: withDate, cuts: true }],
  ['week', { sql: sql`'week'`, of: withDate, cuts: true }],
  ['month', { sql: sql`'month'`, of: withDate, cuts: true }],
  ['quarter', { sql: sql`'quarter'`, of: withDate, cuts: true }],
  ['year', { sql: sql`'year'`, of: withDate, cuts: true }],
  ['dow', { sql: sql`'dow'`, of: withDate }],
  ['isodow', { sql: sql`'isodow'`, of: withDate }],
  ['doy', { sql: sql`'doy'`, of: withDate }],
  ['isoyear', { sql: sql`'isoyear'`, of: withDate }],
  ['epoch', { sql: sql`'epoch'`, of: [...withDate, time] }],
])

/** Returns the unit that a constant text names. Throws an ExpressionError if `accepts` rejects it. */
export function unitOf(expression: Expression, accepts: (unit: Unit) => boolean): Unit {
  const unit = units.get(textOf(expression)?.toLowerCase() ?? '')
  if (unit && accepts(unit)) return unit
  const names = [...units].flatMap(([name, one]) => (accepts(one) ? [name] : []))
  throw new ExpressionError(
    expression.at,
    `${quoteValue(textOf(expression) ?? '…')} is not a unit here. Units: ${names.join(', ')}.`,
  )
}

/**
 * Returns a zone by its name. Throws an ExpressionError for offsets: Postgres reads them with the opposite
 * sign.
 */
export function zoneOf(expression: Expression): Expression {
  const name = textOf(expression) ?? ''
  if (!isCommonZone(name)) {
    throw new ExpressionError(
      expression.at,
      `${quoteValue(name)} is not a time zone. Write the name of a zone, for example 'Europe/Berlin'.`,
    )
  }
  return coerce(string, expression)
}

/** Returns the text of a constant; undefined for any other expression. */
export const textOf = (expression: Expression): string | undefined =>
  expression.kind === 'value' && expression.type === string ? (expression.value ?? undefined) : undefined

/** Renders AT TIME ZONE. */
export const inZone = (moment: Sql, zone: Sql): Sql => sql`(${moment} at time zone ${zone})`
