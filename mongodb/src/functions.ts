/**
 * The functions and operators of expressions: one row each, by the names that the first Worker gives them.
 * Numbers are computed as Decimal128, so that nothing overflows silently.
 */
import type { Expression } from './json-expressions.ts'

/** What a function knows of its call. */
interface Known {
  /** The type of its result. */
  type: string
  /** The types of its operands, and the texts of those that are constants. */
  types: readonly string[]
  constants: readonly (string | undefined)[]
}

type Write = (of: readonly Expression[], known: Known) => Expression

export const isNull = (value: Expression): Expression => ({ $eq: [value, null] })
const some = (...of: Expression[]): Expression => ({ $or: of })

let bound = 0

/** Binds values to names that nothing else has, so that each is computed once. */
export function bind(of: readonly Expression[], use: (names: readonly string[]) => Expression): Expression {
  const names = of.map(() => `v${bound++}`)
  const vars = Object.fromEntries(of.map((value, place) => [names[place] as string, value]))
  return { $let: { vars, in: use(names.map((name) => `$$${name}`)) } }
}

/** Computes a result of values that are all there; null otherwise. */
const strict =
  (compute: (values: readonly Expression[], known: Known) => Expression): Write =>
  (of, known) =>
    bind(of, (values) => ({
      $cond: [some(...values.map(isNull)), null, compute(values, known)],
    }))

const decimal = (value: Expression): Expression => ({ $toDecimal: value })
/** An integer that is too large is an error, as in SQL. */
const whole = (value: Expression): Expression => ({ $toLong: value })
const asType = (value: Expression, type: string): Expression =>
  type === 'integer' ? whole(value) : decimal(value)

const arithmetic = (compute: (...values: Expression[]) => Expression): Write =>
  strict((values, { type }) => asType(compute(...values.map(decimal)), type))

const compare = (operator: string): Write => strict((values) => ({ [operator]: values }))

const ten = (power: number): Expression => ({ $pow: [decimal(10), power] })
/** MongoDB has so many places at most. */
const placesOf = (text: string | undefined): number => Math.max(-20, Math.min(100, Number(text ?? 0)))

/** Rounds half away from zero, as SQL does; MongoDB rounds half to even. */
function rounded(value: Expression, places: number): Expression {
  const half = { $divide: [ten(-places), decimal(2)] }
  const sign = { $cond: [{ $lt: [value, 0] }, decimal(-1), decimal(1)] }
  return { $trunc: [{ $add: [value, { $multiply: [sign, half] }] }, places] }
}

/** `and` and `or`: a part that is `ending` decides; otherwise a part that is null. */
const joined =
  (ending: boolean): Write =>
  ([a, b]) =>
    bind([a], ([left]) => ({
      $cond: [
        { $eq: [left, ending] },
        ending,
        bind([b], ([right]) => ({
          $cond: [
            { $eq: [right, ending] },
            ending,
            { $cond: [some(isNull(left), isNull(right)), null, !ending] },
          ],
        })),
      ],
    }))
const and = joined(false)
const or = joined(true)

const not: Write = strict(([value]) => ({ $not: [value] }))
const negated =
  (write: Write): Write =>
  (of, known) =>
    not([write(of, known)], known)

const among: Write = ([value, ...others], known) =>
  bind([value], ([own]) =>
    others.map((one) => compare('$eq')([own, one], known)).reduce((one, other) => or([one, other], known)),
  )
const between: Write = ([value, low, high], known) =>
  bind([value], ([own]) =>
    and([compare('$gte')([own, low], known), compare('$lte')([own, high], known)], known),
  )

/** The parts of a date, by the names of the units of `extract`. */
const parts: Readonly<Record<string, (value: Expression) => Expression>> = {
  minute: (value) => ({ $minute: value }),
  hour: (value) => ({ $hour: value }),
  second: (value) => ({
    $add: [{ $second: value }, { $divide: [decimal({ $millisecond: value }), decimal(1000)] }],
  }),
  day: (value) => ({ $dayOfMonth: value }),
  week: (value) => ({ $isoWeek: value }),
  month: (value) => ({ $month: value }),
  quarter: (value) => ({ $ceil: { $divide: [{ $month: value }, 3] } }),
  year: (value) => ({ $year: value }),
  dow: (value) => ({ $subtract: [{ $dayOfWeek: value }, 1] }),
  isodow: (value) => ({ $isoDayOfWeek: value }),
  doy: (value) => ({ $dayOfYear: value }),
  isoyear: (value) => ({ $isoWeekYear: value }),
  epoch: (value) => ({ $divide: [decimal({ $toLong: value }), decimal(1000)] }),
}

const extract = (unit: string): Write => strict(([value]) => decimal(parts[unit]?.(value)))
const cut = (unit: string): Write =>
  strict(([value], { constants }) => ({
    $dateTrunc: { date: value, unit, startOfWeek: 'monday', ...(constants[1] && { timezone: constants[1] }) },
  }))

/** The clock of an instant in a zone, as if it were one of UTC, or the reverse. The zone is a known one. */
const inZone: Write = strict(([value], { type, constants }) => {
  const timezone = constants[1]
  const [read, write] = type === 'local datetime' ? [{ timezone }, {}] : [{}, { timezone }]
  const part = (name: string) => ({ [name]: `$$clock.${name}` })
  const names = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond']
  return {
    $let: {
      vars: { clock: { $dateToParts: { date: value, ...read } } },
      in: { $dateFromParts: { ...Object.assign({}, ...names.map(part)), ...write } },
    },
  }
})

const choose: Write = (of) => {
  const count = Math.floor(of.length / 2)
  const branches = of.slice(0, count).map((when, place) => ({
    case: { $eq: [when, true] },
    // biome-ignore lint/suspicious/noThenProperty: a branch of $switch has it
    then: of[count + place],
  }))
  return { $switch: { branches, default: of.length % 2 === 1 ? of.at(-1) : null } }
}

const text = (value: Expression, type: string): Expression => {
  if (type === 'string') return value
  if (type === 'date') return { $dateToString: { date: value, format: '%Y-%m-%d' } }
  return { $toString: value }
}

/** The casts, by the types from which and to which. Those of other pairs are refused by the first Worker. */
const casts: Readonly<Record<string, (value: Expression) => Expression>> = {
  'integer string': (value) => text(value, 'integer'),
  'boolean string': (value) => text(value, 'boolean'),
  'boolean integer': (value) => whole({ $cond: [value, 1, 0] }),
  'date string': (value) => text(value, 'date'),
  'integer number': decimal,
  'number integer': (value) => whole(rounded(value, 0)),
  'string integer': whole,
  'string number': decimal,
  'date datetime': (value) => value,
  'date local datetime': (value) => value,
  'datetime date': (value) => ({ $dateTrunc: { date: value, unit: 'day' } }),
  'local datetime date': (value) => ({ $dateTrunc: { date: value, unit: 'day' } }),
  'datetime local datetime': (value) => value,
  'local datetime datetime': (value) => value,
}

const cast: Write = strict(([value], { types: [from = ''], type }) =>
  from === type ? value : casts[`${from} ${type}`]?.(value),
)

const byPlaces = (compute: (value: Expression, places: number) => Expression): Write =>
  strict(([value], { constants }) => compute(decimal(value), placesOf(constants[1])))

const first = (value: Expression, count: number): Expression =>
  count >= 0
    ? { $substrCP: [value, 0, count] }
    : { $substrCP: [value, 0, { $max: [0, { $add: [{ $strLenCP: value }, count] }] }] }
const end = (value: Expression, count: number): Expression =>
  bind([{ $strLenCP: value }], ([length]) => {
    const from = count >= 0 ? { $max: [0, { $subtract: [length, count] }] } : { $min: [length, -count] }
    return { $substrCP: [value, from, length] }
  })

const units = Object.keys(parts)

/** The functions by name. */
export const functions: Readonly<Record<string, Write>> = {
  '+': arithmetic((a, b) => ({ $add: [a, b] })),
  '-': arithmetic((a, b) => ({ $subtract: [a, b] })),
  '*': arithmetic((a, b) => ({ $multiply: [a, b] })),
  '/': strict(([a, b], { type }) => {
    const quotient = { $divide: [decimal(a), decimal(b)] }
    return type === 'integer' ? whole({ $trunc: [quotient, 0] }) : quotient
  }),
  '%': arithmetic((a, b) => ({ $mod: [a, b] })),
  mod: arithmetic((a, b) => ({ $mod: [a, b] })),
  '+…': ([a]) => a,
  '-…': arithmetic((a) => ({ $subtract: [decimal(0), a] })),
  abs: arithmetic((a) => ({ $abs: a })),
  '=': compare('$eq'),
  '<>': compare('$ne'),
  '<': compare('$lt'),
  '<=': compare('$lte'),
  '>': compare('$gt'),
  '>=': compare('$gte'),
  in: among,
  'not in': negated(among),
  between,
  'not between': negated(between),
  and,
  or,
  not,
  'is true': ([a]) => ({ $eq: [a, true] }),
  'is not true': ([a]) => ({ $ne: [a, true] }),
  'is false': ([a]) => ({ $eq: [a, false] }),
  'is not false': ([a]) => ({ $ne: [a, false] }),
  'is null': ([a]) => isNull(a),
  'is not null': ([a]) => ({ $ne: [a, null] }),
  'at time zone': inZone,
  case: choose,
  cast,
  coalesce: (of) => ({ $ifNull: [...of, null] }),
  nullif: (of) => bind(of, ([a, b]) => ({ $cond: [{ $eq: [a, b] }, null, a] })),
  greatest: (of) => ({ $max: of }),
  least: (of) => ({ $min: of }),
  lower: strict(([a]) => ({ $toLower: a })),
  upper: strict(([a]) => ({ $toUpper: a })),
  length: strict(([a]) => whole({ $strLenCP: a })),
  concat: (of, { types }) => ({
    $concat: of.map((one, place) =>
      bind([one], ([value]) => ({ $cond: [isNull(value), '', text(value, types[place] ?? 'string')] })),
    ),
  }),
  left: strict(([a], { constants }) => first(a, Number(constants[1]))),
  right: strict(([a], { constants }) => end(a, Number(constants[1]))),
  replace: strict(([a], { constants: [, from = '', to = ''] }) => ({
    $replaceAll: { input: a, find: { $literal: from }, replacement: { $literal: to } },
  })),
  ceil: strict(([a]) => ({ $ceil: decimal(a) })),
  floor: strict(([a]) => ({ $floor: decimal(a) })),
  sqrt: strict(([a]) => ({ $sqrt: decimal(a) })),
  trunc: byPlaces((value, places) => ({ $trunc: [value, places] })),
  round: byPlaces(rounded),
  now: () => '$$NOW',
  bounded: ([a]) => a,
  ...Object.fromEntries(units.map((unit) => [`extract ${unit}`, extract(unit)])),
  ...Object.fromEntries(units.map((unit) => [`date_trunc ${unit}`, cut(unit)])),
}
