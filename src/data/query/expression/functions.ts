/** The functions of one record's values: one row each. R11. Those of many records stand in aggregates.ts. */
import { join, sql } from '../../../db/sql.ts'
import { alike, applied, as, type Expression, numeric } from './expression.ts'
import { RefusedExpression } from './syntax.ts'
import { date, datetime, integer, localDatetime, number, string } from './types.ts'
import { unitOf, units, zoneOf } from './units.ts'

export interface ScalarFunction {
  /** How it is written: what is told to whoever gives it too little or too much. */
  usage: string
  operands: readonly [min: number, max: number]
  /** What it means. Throws what is wrong with the types of its operands. */
  plan(at: number, operands: readonly Expression[]): Expression
}

/** A row; of optional operands the last ones may be missing. */
const row = (
  usage: string,
  min: number,
  max: number,
  plan: (at: number, first: Expression, second?: Expression, third?: Expression) => Expression,
): ScalarFunction => ({ usage, operands: [min, max], plan: (at, operands) => plan(at, ...(operands as [Expression])) })

const digitsMax = 100

export const scalarFunctions: ReadonlyMap<string, ScalarFunction> = new Map<string, ScalarFunction>([
  [
    'coalesce',
    {
      usage: 'coalesce(a, b, …)',
      operands: [1, 100],
      plan(at, operands) {
        const { type, of } = alike(operands)
        return applied(at, type, of, (...parts) => sql`coalesce(${join(parts)})`)
      },
    },
  ],
  [
    'nullif',
    row('nullif(a, b)', 2, 2, (at, a, b) => {
      const { of } = alike([a, b as Expression])
      return applied(at, (of[0] as Expression).type, of, (one, other) => sql`nullif(${one}, ${other})`)
    }),
  ],
  ['lower', row('lower(text)', 1, 1, (at, text) => applied(at, string, [as(string, text)], (x) => sql`lower(${x})`))],
  ['upper', row('upper(text)', 1, 1, (at, text) => applied(at, string, [as(string, text)], (x) => sql`upper(${x})`))],
  [
    'abs',
    row('abs(number)', 1, 1, (at, a) => {
      const { type, of } = numeric([a])
      return applied(at, type, of, (x) => sql`abs(${x})`)
    }),
  ],
  ['round', row('round(number), round(number, digits)', 1, 2, round)],
  ['extract', row('extract(year from date)', 2, 2, extract)],
  ['date_trunc', row("date_trunc('day', date), date_trunc('day', date, 'Europe/Berlin')", 2, 3, dateTrunc)],
])

/** As a numeric: of an integer Postgres would make a floating-point number first. */
function round(at: number, given: Expression, digits?: Expression): Expression {
  const x = as(number, given)
  if (!digits) return applied(at, number, [x], (one) => sql`round(${one}::numeric)`)
  const isLiteral = digits.kind === 'value' && digits.type === integer && Math.abs(Number(digits.value)) <= digitsMax
  if (!isLiteral) throw new RefusedExpression(digits.at, `Digits are a whole number, ${digitsMax} at most.`)
  return applied(at, number, [x, digits], (one, count) => sql`round(${one}::numeric, ${count}::int)`)
}

function extract(at: number, unit: Expression, moment?: Expression): Expression {
  const from = moment as Expression
  if (![...units.values()].some(({ of }) => of.includes(from.type))) {
    throw new RefusedExpression(from.at, `A date or a time is expected; this is of type ${from.type.name}.`)
  }
  const { sql: part } = unitOf(unit, ({ of }) => of.includes(from.type))
  return applied(at, number, [from], (x) => sql`extract(${part} from ${x})`)
}

/** With a zone it answers the instant at which the unit begins there. */
function dateTrunc(at: number, unit: Expression, moment?: Expression, zone?: Expression): Expression {
  const { sql: part } = unitOf(unit, ({ cuts }) => cuts === true)
  const from = moment as Expression
  const of = zone ? [datetime] : [date, datetime, localDatetime]
  if (!of.includes(from.type)) {
    throw new RefusedExpression(from.at, `A value of type ${of.map(({ name }) => name).join(' or ')} is expected; this is of type ${from.type.name}.`)
  }
  if (zone) return applied(at, datetime, [from, zoneOf(zone)], (x, name) => sql`date_trunc(${part}, ${x}, ${name})`)
  return from.type === localDatetime
    ? applied(at, localDatetime, [from], (x) => sql`date_trunc(${part}, ${x})`)
    : applied(at, datetime, [from], (x) => sql`date_trunc(${part}, ${x}::timestamptz)`)
}
