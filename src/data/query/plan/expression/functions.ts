/** The scalar functions of expressions: one row each. R11. Aggregate functions are in aggregates.ts. */
import { join, type Sql, sql } from '../../../../kernel/db/sql.ts'
import { quoteValue } from '../../../../kernel/lib/quote-value.ts'
import { ExpressionError } from '../../parse/expression/syntax.ts'
import { bounded } from './bounded.ts'
import { apply, coerce, type Expression, named, unify, unifyNumbers } from './expression.ts'
import { castSql, castsOf, date, datetime, integer, localDatetime, number, string } from './types.ts'
import { textOf, unitOf, units, zoneOf } from './units.ts'

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
  ['ceil', row('ceil(number)', 1, 1, ofNumber(sql`ceil`))],
  ['floor', row('floor(number)', 1, 1, ofNumber(sql`floor`))],
  ['sqrt', row('sqrt(number)', 1, 1, ofNumber(sql`sqrt`))],
  [
    'power',
    row('power(number, exponent)', 2, 2, (at, a, b) =>
      apply(
        at,
        number,
        [coerce(number, a), coerce(number, b as Expression)],
        (x, exponent) => sql`power(${x}::numeric, ${exponent}::numeric)`,
      ),
    ),
  ],
  [
    'mod',
    row('mod(a, b)', 2, 2, (at, a, b) => {
      const { type, of } = unifyNumbers([a, b as Expression])
      return apply(at, type, of, (x, y) => sql`mod(${x}, ${y})`)
    }),
  ],
  ['trunc', row('trunc(number), trunc(number, digits)', 1, 2, rounding(sql`trunc`))],
  [
    'length',
    row('length(text)', 1, 1, (at, text) =>
      apply(at, integer, [coerce(string, text)], (x) => sql`length(${x})::bigint`),
    ),
  ],
  ['concat', { usage: 'concat(a, b, …)', operands: [1, 100], plan: concat }],
  ['left', row('left(text, count)', 2, 2, part(sql`left`))],
  ['right', row('right(text, count)', 2, 2, part(sql`right`))],
  ['replace', row("replace(text, 'old', 'new')", 3, 3, replace)],
  ['greatest', { usage: 'greatest(a, b, …)', operands: [1, 100], plan: extreme(sql`greatest`) }],
  ['least', { usage: 'least(a, b, …)', operands: [1, 100], plan: extreme(sql`least`) }],
  ['to_char', row("to_char(date, 'YYYY-MM')", 2, 2, toChar)],
  [
    'now',
    {
      usage: 'now()',
      operands: [0, 0],
      plan: (at) => apply(at, datetime, [], () => sql`transaction_timestamp()`),
    },
  ],
  ['round', row('round(number), round(number, digits)', 1, 2, rounding(sql`round`))],
  ['extract', row('extract(year from date)', 2, 2, extract)],
  ['date_trunc', row("date_trunc('day', date), date_trunc('day', date, 'Europe/Berlin')", 2, 3, dateTrunc)],
])

/** Calls a function of Postgres as numeric. */
function ofNumber(name: Sql) {
  return (at: number, operand: Expression): Expression =>
    apply(at, number, [coerce(number, operand)], (x) => sql`${name}(${x}::numeric)`)
}

/** Rounds or truncates as numeric. Postgres would convert an integer to a floating-point number. */
function rounding(name: Sql) {
  return (at: number, operand: Expression, digits?: Expression): Expression => {
    if (!digits) return ofNumber(name)(at, operand)
    const x = coerce(number, operand)
    const count = constantOf(digits, digitsMax, 'The number of digits')
    return apply(at, number, [x, count], (one, to) => sql`${name}(${one}::numeric, ${to}::int)`)
  }
}

/** Returns a constant whole number. Throws an ExpressionError for any other expression. */
function constantOf(operand: Expression, max: number, what: string): Expression {
  const isConstant =
    operand.kind === 'value' && operand.type === integer && Math.abs(Number(operand.value)) <= max
  if (isConstant) return operand
  throw new ExpressionError(operand.at, `${what} must be a whole number from -${max} to ${max}.`)
}

const charactersMax = 10_000

/** The beginning or the end of a text. A negative count omits as many characters at the other end. */
function part(name: Sql) {
  return (at: number, text: Expression, characters?: Expression): Expression => {
    const count = constantOf(characters as Expression, charactersMax, 'The number of characters')
    return apply(at, string, [coerce(string, text), count], (x, n) => sql`${name}(${x}, ${n}::int)`)
  }
}

/** Joins values as texts. Values that are missing are left out. */
function concat(at: number, operands: readonly Expression[]): Expression {
  const texts = operands.map((one) => {
    if (one.type === string) return coerce(string, one)
    if (castsOf(one.type).includes(string))
      return named(
        'cast',
        apply(one.at, string, [bounded(one)], (x) => castSql(x, one.type, string)),
      )
    throw new ExpressionError(one.at, `A value of type ${one.type.name} cannot be a part of a text.`)
  })
  // The function of this name is not immutable: it writes dates and times as the session is set.
  const given = (part: Sql) => sql`coalesce(${part}, '')`
  return apply(at, string, texts, (...parts) => sql`(${join(parts.map(given), sql` || `)})`)
}

/** Replaces a text. Only in a stored text may the new one be longer: nested calls could make a text of any size. */
function replace(at: number, text: Expression, old?: Expression, by?: Expression): Expression {
  const [from, to] = [old as Expression, by as Expression].map((one) => {
    const constant = textOf(one)
    if (constant === undefined) throw new ExpressionError(one.at, 'A text in quotes is expected.')
    return constant
  }) as [string, string]
  const more = text.kind === 'application' ? 0 : replacementMax
  if (to.length > from.length + more)
    throw new ExpressionError(
      (by as Expression).at,
      `The new text may have ${more} characters more than the old one at most.`,
    )
  const of = [text, old as Expression, by as Expression].map((one) => coerce(string, one))
  return apply(at, string, of, (x, a, b) => sql`replace(${x}, ${a}, ${b})`)
}

const replacementMax = 10

/** The greatest or least of some values. Values that are missing are left out. */
function extreme(name: Sql) {
  return (at: number, operands: readonly Expression[]): Expression => {
    const { type, of } = unify(operands)
    if (!type.ordered)
      throw new ExpressionError(at, `Values of type ${type.name} cannot be compared in this way.`)
    return apply(at, type, of, (...parts) => sql`${name}(${join(parts)})`)
  }
}

/** The patterns of to_char. */
const patterns = [
  ...['YYYY', 'YYYY-MM', 'YYYY-MM-DD', 'YYYY"-Q"Q', 'IYYY"-W"IW', 'MM', 'DD', 'Q', 'IW', 'D', 'ID', 'DDD'],
  ...['HH24', 'HH24:MI', 'HH24:MI:SS', 'YYYY-MM-DD HH24:MI', 'YYYY-MM-DD HH24:MI:SS', 'Mon', 'Month', 'Dy'],
  ...['Day', 'Mon YYYY', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'FMDay', 'FMMonth'],
]

/** Writes a date or a time by a pattern of the list. */
function toChar(at: number, moment: Expression, pattern?: Expression): Expression {
  const text = textOf(pattern as Expression) ?? ''
  if (!patterns.includes(text))
    throw new ExpressionError(
      (pattern as Expression).at,
      `${quoteValue(text)} is not a pattern here. Patterns: ${patterns.join(', ')}.`,
    )
  if (![date, datetime, localDatetime].includes(moment.type))
    throw new ExpressionError(moment.at, `A date is expected; this is of type ${moment.type.name}.`)
  const format = coerce(string, pattern as Expression)
  return apply(at, string, [moment, format], (x, by) =>
    moment.type === date ? sql`to_char(${x}::timestamp, ${by})` : sql`to_char(${x}, ${by})`,
  )
}

function extract(at: number, unit: Expression, moment?: Expression): Expression {
  const from = moment as Expression
  if (![...units.values()].some(({ of }) => of.includes(from.type))) {
    throw new ExpressionError(from.at, `A date or a time is expected; this is of type ${from.type.name}.`)
  }
  const { sql: part } = unitOf(unit, ({ of }) => of.includes(from.type))
  return named(
    `extract ${textOf(unit)?.toLowerCase()}`,
    apply(at, number, [from], (x) => sql`extract(${part} from ${x})`),
  )
}

/**
 * Truncates a date or time. The result has the type of the operand: a date stays a date. With a zone, the
 * result is the instant at which the unit begins there.
 */
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
  const name = `date_trunc ${textOf(unit)?.toLowerCase()}`
  if (zone) {
    const of = [from, zoneOf(zone)]
    return named(
      name,
      apply(at, datetime, of, (x, own) => sql`date_trunc(${part}, ${x}, ${own})`),
    )
  }
  return named(
    name,
    from.type === date
      ? apply(at, date, [from], (x) => sql`date_trunc(${part}, ${x}::timestamp)::date`)
      : apply(at, from.type, [from], (x) => sql`date_trunc(${part}, ${x})`),
  )
}
