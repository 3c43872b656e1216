/** The operators of expressions: one row each, by the words they are written with. R11. */
import { join, type Sql, sql } from '../../../db/sql.ts'
import { alike, applied, as, type Expression, numeric } from './expression.ts'
import { RefusedExpression } from './syntax.ts'
import { boolean, datetime, list, localDatetime, type Type } from './types.ts'
import { inZone, zoneOf } from './units.ts'

/** What it means of operands; there are as many as its syntax has. Throws what is wrong with their types. */
type Operation = (at: number, operands: readonly Expression[]) => Expression

type Write = (...operands: Sql[]) => Sql

const ofNumbers =
  (write: Write): Operation =>
  (at, operands) => {
    const { type, of } = numeric(operands)
    return applied(at, type, of, write)
  }

const ofTruths =
  (write: Write): Operation =>
  (at, operands) =>
    applied(
      at,
      boolean,
      operands.map((operand) => as(boolean, operand)),
      write,
    )

const ofAny =
  (write: Write): Operation =>
  (at, operands) =>
    applied(at, boolean, operands, write)

const comparison =
  (write: Write, accepts: (type: Type) => boolean): Operation =>
  (at, operands) => {
    const { type, of } = alike(operands)
    if (!accepts(type)) throw new RefusedExpression(at, `Values of type ${type.name} are not compared in this way.`)
    return applied(at, boolean, of, write)
  }

const equal = (write: Write) => comparison(write, (type) => type !== list)
const ordered = (write: Write) => comparison(write, (type) => type.ordered)

export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['+', ofNumbers((a, b) => sql`(${a} + ${b})`)],
  ['-', ofNumbers((a, b) => sql`(${a} - ${b})`)],
  ['*', ofNumbers((a, b) => sql`(${a} * ${b})`)],
  ['/', ofNumbers((a, b) => sql`(${a} / ${b})`)],
  ['%', ofNumbers((a, b) => sql`(${a} % ${b})`)],
  ['+…', ofNumbers((a) => a)],
  ['-…', ofNumbers((a) => sql`(- ${a})`)],

  ['=', equal((a, b) => sql`(${a} = ${b})`)],
  ['<>', equal((a, b) => sql`(${a} <> ${b})`)],
  ['<', ordered((a, b) => sql`(${a} < ${b})`)],
  ['<=', ordered((a, b) => sql`(${a} <= ${b})`)],
  ['>', ordered((a, b) => sql`(${a} > ${b})`)],
  ['>=', ordered((a, b) => sql`(${a} >= ${b})`)],
  ['in', equal((a, ...values) => sql`(${a} in (${join(values)}))`)],
  ['not in', equal((a, ...values) => sql`(${a} not in (${join(values)}))`)],
  ['between', ordered((a, low, high) => sql`(${a} between ${low} and ${high})`)],
  ['not between', ordered((a, low, high) => sql`(${a} not between ${low} and ${high})`)],

  ['and', ofTruths((a, b) => sql`(${a} and ${b})`)],
  ['or', ofTruths((a, b) => sql`(${a} or ${b})`)],
  ['not', ofTruths((a) => sql`(not ${a})`)],
  ['is true', ofTruths((a) => sql`(${a} is true)`)],
  ['is not true', ofTruths((a) => sql`(${a} is not true)`)],
  ['is false', ofTruths((a) => sql`(${a} is false)`)],
  ['is not false', ofTruths((a) => sql`(${a} is not false)`)],
  ['is null', ofAny((a) => sql`(${a} is null)`)],
  ['is not null', ofAny((a) => sql`(${a} is not null)`)],

  ['at time zone', atTimeZone],
])

/** An instant as the clocks of the zone show it, or the instant at which they show that. */
function atTimeZone(at: number, [moment, zone]: readonly Expression[]): Expression {
  const { type } = moment as Expression
  if (type !== datetime && type !== localDatetime) {
    throw new RefusedExpression(at, `AT TIME ZONE is for dates with a time; this is of type ${type.name}.`)
  }
  return applied(at, type === datetime ? localDatetime : datetime, [moment as Expression, zoneOf(zone as Expression)], inZone)
}
