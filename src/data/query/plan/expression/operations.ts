/** The operators of expressions: one row each, by their words. R11. */
import { join, type Sql, sql } from '../../../../kernel/db/sql.ts'
import { ExpressionError } from '../../parse/expression/syntax.ts'
import { apply, coerce, type Expression, unify, unifyNumbers } from './expression.ts'
import { boolean, datetime, list, localDatetime, type Type } from './types.ts'
import { inZone, zoneOf } from './units.ts'

/**
 * Plans an operation. The parser ensures the number of operands. Throws an ExpressionError for a wrong type.
 */
type Operation = (at: number, operands: readonly Expression[]) => Expression

type Write = (...operands: Sql[]) => Sql

const ofNumbers =
  (write: Write): Operation =>
  (at, operands) => {
    const { type, of } = unifyNumbers(operands)
    return apply(at, type, of, write)
  }

const ofTruths =
  (write: Write): Operation =>
  (at, operands) =>
    apply(
      at,
      boolean,
      operands.map((operand) => coerce(boolean, operand)),
      write,
    )

const ofAny =
  (write: Write): Operation =>
  (at, operands) =>
    apply(at, boolean, operands, write)

const comparison =
  (write: Write, accepts: (type: Type) => boolean): Operation =>
  (at, operands) => {
    const { type, of } = unify(operands)
    if (!accepts(type))
      throw new ExpressionError(at, `Values of type ${type.name} cannot be compared in this way.`)
    return apply(at, boolean, of, write)
  }

const equal = (write: Write) => comparison(write, (type) => type !== list)
const ordered = (write: Write) => comparison(write, (type) => type.ordered)

/** The operators by their words, in lower case. `-…` and `+…` are the signs. */
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

/** Converts an instant to the local time of a zone, or a local time of the zone to an instant. */
function atTimeZone(at: number, [moment, zone]: readonly Expression[]): Expression {
  const { type } = moment as Expression
  if (type !== datetime && type !== localDatetime) {
    throw new ExpressionError(at, `AT TIME ZONE needs a date with a time; this is of type ${type.name}.`)
  }
  return apply(
    at,
    type === datetime ? localDatetime : datetime,
    [moment as Expression, zoneOf(zone as Expression)],
    inZone,
  )
}
