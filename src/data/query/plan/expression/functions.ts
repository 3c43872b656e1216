/** The scalar functions of expressions: one row each. R11. Aggregate functions are in aggregates.ts. */
import { join, sql } from '../../../../db/sql.ts'
import { ExpressionError } from '../../parse/expression/syntax.ts'
import { apply, coerce, type Expression, unify, unifyNumbers } from './expression.ts'
import { date, datetime, integer, localDatetime, number, string } from './types.ts'
import { unitOf, units, zoneOf } from './units.ts'

/** A scalar function. */
export interface ScalarFunction {
  /** How the function is written, for error messages. */
  usage: string
  operands: readonly [min: number, max: number]
  /** Plans a call. Throws an ExpressionError if an operand has a wrong type. */
  plan(at: number, operands: readonly Expression[]): Expression
}

/** Creates a function of one to three operands, the last of which may be optional. */
const row = (
  usage: string,
  min: number,
  max: number,
  plan: (at: number, first: Expression, second?: Expression, third?: Expression) => Expression,
): ScalarFunction => ({
  usage,
  operands: [min, max],
  plan: (at, operands) => plan(at, ...(operands as [Expression])),
})

const digitsMax = 100

/** The functions by name. */
export const scalarFunctions: ReadonlyMap<string, ScalarFunction> = new Map<string, ScalarFunction>([
  [
    'coalesce',
    {
      usage: 'coalesce(a, b, …)',
      operands: [1, 100],
      plan(at, operands) {
        const { type, of } = unify(operands)
        return apply(at, type, of, (...parts) => sql`coalesce(${join(parts)})`)
      },
    },
  ],
  [
    'nullif',
    row('nullif(a, b)', 2, 2, (at, a, b) => {
      const { of } = unify([a, b as Expression])
      return apply(at, (of[0] as Expression).type, of, (one, other) => sql`nullif(${one}, ${other})`)
    }),
  ],
  [
    'lower',
    row('lower(text)', 1, 1, (at, text) =>
      apply(at, string, [coerce(string, text)], (x) => sql`lower(${x})`),
    ),
  ],
  [
    'upper',
    row('upper(text)', 1, 1, (at, text) =>
      apply(at, string, [coerce(string, text)], (x) => sql`upper(${x})`),
    ),
  ],
  [
    'abs',
    row('abs(number)', 1, 1, (at, a) => {
      const { type, of } = unifyNumbers([a])
      return apply(at, type, of, (x) => sql`abs(${x})`)
    }),
  ],
  ['round', row('round(number), round(number, digits)', 1, 2, round)],
  ['extract', row('extract(year from date)', 2, 2, extract)],
  ['date_trunc', row("date_trunc('day', date), date_trunc('day', date, 'Europe/Berlin')", 2, 3, dateTrunc)],
])

/** Rounds as numeric. Postgres would convert an integer to a floating-point number. */
function round(at: number, operand: Expression, digits?: Expression): Expression {
  const x = coerce(number, operand)
  if (!digits) return apply(at, number, [x], (one) => sql`round(${one}::numeric)`)
  const isLiteral =
    digits.kind === 'value' && digits.type === integer && Math.abs(Number(digits.value)) <= digitsMax
  if (!isLiteral)
    throw new ExpressionError(
      digits.at,
      `The number of digits must be a whole number from -${digitsMax} to ${digitsMax}.`,
    )
  return apply(at, number, [x, digits], (one, count) => sql`round(${one}::numeric, ${count}::int)`)
}

function extract(at: number, unit: Expression, moment?: Expression): Expression {
  const from = moment as Expression
  if (![...units.values()].some(({ of }) => of.includes(from.type))) {
    throw new ExpressionError(from.at, `A date or a time is expected; this is of type ${from.type.name}.`)
  }
  const { sql: part } = unitOf(unit, ({ of }) => of.includes(from.type))
  return apply(at, number, [from], (x) => sql`extract(${part} from ${x})`)
}

/** Truncates a date or time. With a zone, the result is the instant at which the unit begins there. */
function dateTrunc(at: number, unit: Expression, moment?: Expression, zone?: Expression): Expression {
  const { sql: part } = unitOf(unit, ({ cuts }) => cuts === true)
  const from = moment as Expression
  const of = zone ? [datetime] : [date, datetime, localDatetime]
  if (!of.includes(from.type)) {
    const expected = of.map(({ name }) => name).join(' or ')
    throw new ExpressionError(
      from.at,
      `A value of type ${expected} is expected; this is of type ${from.type.name}.`,
    )
  }
  if (zone)
    return apply(at, datetime, [from, zoneOf(zone)], (x, name) => sql`date_trunc(${part}, ${x}, ${name})`)
  return from.type === localDatetime
    ? apply(at, localDatetime, [from], (x) => sql`date_trunc(${part}, ${x})`)
    : apply(at, datetime, [from], (x) => sql`date_trunc(${part}, ${x}::timestamptz)`)
}
