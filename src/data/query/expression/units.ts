/** Parts of dates and times, to extract or to cut off at, and the zones in which they are told. */
import { type Sql, sql } from '../../../db/sql.ts'
import { shown } from '../../../lib/shown.ts'
import { as, type Expression } from './expression.ts'
import { RefusedExpression } from './syntax.ts'
import { date, datetime, localDatetime, string, type Type, time } from './types.ts'

interface Unit {
  sql: Sql
  /** From which types it can be extracted. */
  of: readonly Type[]
  /** Whether date_trunc cuts off what is smaller. */
  cuts?: true
}

const withDate = [date, datetime, localDatetime]
const withClock = [time, datetime, localDatetime]

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

/** A unit is written as a text, and is none of the records'. */
export function unitOf(expression: Expression, accepts: (unit: Unit) => boolean): Unit {
  const unit = units.get(textOf(expression)?.toLowerCase() ?? '')
  if (unit && accepts(unit)) return unit
  const names = [...units].flatMap(([name, one]) => (accepts(one) ? [name] : []))
  throw new RefusedExpression(expression.at, `${shown(textOf(expression) ?? '…')} is no unit here. Units: ${names.join(', ')}.`)
}

/** A zone by its name, as Europe/Berlin. Offsets are refused: Postgres reads them with the sign turned around. */
export function zoneOf(expression: Expression): Expression {
  const name = textOf(expression) ?? ''
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name) || !isZone(name)) {
    throw new RefusedExpression(expression.at, `${shown(name)} is no time zone. A zone is written by its name, as 'Europe/Berlin'.`)
  }
  return as(string, expression)
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** A text that stands in the expression itself. */
export const textOf = (expression: Expression): string | undefined =>
  expression.kind === 'value' && expression.type === string ? (expression.value ?? undefined) : undefined

export const inZone = (moment: Sql, zone: Sql): Sql => sql`(${moment} at time zone ${zone})`
