/**
 * Conversions between field types: one row for each possible pair. A value can be converted only if the API
 * accepts it as a value of the new type, in the spelling of the API. Postgres alone would accept, for
 * example, `today` as a date.
 */
import { literal, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Field } from '../model/field.ts'
import { baseOf } from '../model/types.ts'

/** A conversion of one type to another. */
export interface Conversion {
  /**
   * Returns the condition that a value, never null, can be converted. It never raises an error. Omitted:
   * every value can.
   */
  survives?(value: Sql): Sql
  /** Returns the converted value, for a value that can be converted. */
  cast(value: Sql): Sql
  /**
   * Returns the condition that a value and the one that is converted back are the same, though they may be
   * spelled differently. Omitted: they must be equal.
   */
  isSame?(value: Sql, back: Sql): Sql
}

const matches = (value: Sql, pattern: string) => sql`${value} ~ ${literal(`^${pattern}$`)}`
/**
 * Returns a condition that evaluates each part only if those before it are true. `and` does not guarantee
 * that.
 */
const inTurn = (first: Sql, ...others: Sql[]): Sql =>
  others.length === 0
    ? first
    : sql`case when ${first} then ${inTurn(...(others as [Sql, ...Sql[]]))} else false end`

const date = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?'
const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const number = '-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]{1,3})?'

/** Returns the condition that a text in the form of a date is a day that the calendar has. */
const isDate = (text: Sql) =>
  inTurn(
    sql`left(${text}, 4) <> '0000'`,
    sql`substr(${text}, 9, 2)::integer <= extract(day from ${lastOfMonth(text)})`,
  )
const lastOfMonth = (text: Sql) => sql`(substr(${text}, 1, 8) || '01')::date + interval '1 month - 1 day'`

const isBigint = (value: Sql) => sql`${value} between -9223372036854775808 and 9223372036854775807`
const hasFourDigitYear = (value: Sql) =>
  sql`extract(year from (${value})::timestamptz at time zone 'UTC') between 1 and 9999`

/** Returns a value as the API prints it, independently of the DateStyle of Postgres. */
const printed = (value: Sql) => sql`to_json(${value}) #>> '{}'`

const parsedJson = (kind: 'object' | 'array'): Conversion => ({
  survives: (value) => sql`tessera.is_json(${value}, ${literal(kind)})`,
  cast: (value) => sql`${value}::jsonb`,
  // Blanks and the order of names mean nothing in JSON, but of a repeated name, one value is lost.
  isSame: (value) => sql`not tessera.repeats_name(${value}::json)`,
})
/** Returns a conversion of `any` that only JSON of one kind passes. */
const ofKind = (kind: string): Conversion => ({
  survives: (value) => sql`jsonb_typeof(${value}) = ${literal(kind)}`,
  cast: (value) => value,
})
const asText: Conversion = { cast: (value) => sql`${value}::text` }
const asPrinted: Conversion = { cast: printed }
const zeroOrOne: Conversion = {
  survives: (value) => sql`${value} in (0, 1)`,
  cast: (value) => sql`${value} = 1`,
}

/**
 * The conversions by the two types that Postgres stores: `string integer`. Each has a counterpart in the
 * opposite direction.
 */
const conversions: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  [
    'string integer',
    {
      survives: (value) => inTurn(matches(value, '(0|-?[1-9][0-9]{0,18})'), isBigint(sql`${value}::numeric`)),
      cast: (value) => sql`${value}::bigint`,
    },
  ],
  [
    'string number',
    {
      survives: (value) => inTurn(sql`char_length(${value}) <= 1000`, matches(value, number)),
      cast: (value) => sql`${value}::numeric`,
    },
  ],
  [
    'string boolean',
    { survives: (value) => sql`${value} in ('true', 'false')`, cast: (value) => sql`${value} = 'true'` },
  ],
  [
    'string date',
    {
      survives: (value) => inTurn(matches(value, date), isDate(value)),
      cast: (value) => sql`${value}::date`,
    },
  ],
  ['string time', { survives: (value) => matches(value, time), cast: (value) => sql`${value}::time` }],
  [
    'string datetime',
    {
      survives: (value) =>
        inTurn(
          matches(value, `${date}[Tt ]${time}([zZ]|[+-](0[0-9]|1[0-4]):[0-5][0-9])?`),
          isDate(sql`left(${value}, 10)`),
          hasFourDigitYear(value),
        ),
      cast: (value) => sql`${value}::timestamptz`,
    },
  ],
  ['string uuid', { survives: (value) => matches(value, uuid), cast: (value) => sql`${value}::uuid` }],
  ['string object', parsedJson('object')],
  ['string array', parsedJson('array')],
  ['integer string', asText],
  ['integer number', { cast: (value) => sql`${value}::numeric` }],
  ['integer boolean', zeroOrOne],
  ['number string', asText],
  [
    'number integer',
    {
      survives: (value) => isBigint(sql`round(${value})`),
      cast: (value) => sql`round(${value})::bigint`,
    },
  ],
  ['number boolean', zeroOrOne],
  ['boolean string', asText],
  ['boolean integer', { cast: (value) => sql`${value}::integer::bigint` }],
  ['boolean number', { cast: (value) => sql`${value}::integer::numeric` }],
  ['date string', asPrinted],
  ['date datetime', { cast: (value) => sql`${value}::timestamp at time zone 'UTC'` }],
  ['time string', asPrinted],
  ['datetime string', { cast: (value) => sql`(${printed(sql`${value} at time zone 'UTC'`)}) || 'Z'` }],
  ['datetime date', { cast: (value) => sql`(${value} at time zone 'UTC')::date` }],
  ['uuid string', asText],
  ['object string', asText],
  ['array string', asText],
  ['object any', { cast: (value) => value }],
  ['any object', ofKind('object')],
  ['array any', { cast: (value) => value }],
  ['any array', ofKind('array')],
  ['string any', { cast: (value) => sql`to_jsonb(${value}::text)` }],
  ['any string', { ...ofKind('string'), cast: (value) => sql`${value} #>> '{}'` }],
])

/**
 * Tells whether two types are stored alike, so that no conversion is needed. The check of the new type still
 * applies.
 */
export const isKeptAlike = (from: Pick<Field, 'schema'>, to: Pick<Field, 'schema'>): boolean =>
  baseOf(from.schema) === baseOf(to.schema)

/** Returns the conversion; undefined if it is not needed or not possible. */
export const conversionOf = (
  from: Pick<Field, 'schema'>,
  to: Pick<Field, 'schema'>,
): Conversion | undefined => conversions.get(`${baseOf(from.schema)} ${baseOf(to.schema)}`)

/**
 * Returns the condition that a value, never null, is lost by the conversion from one field to another: it can
 * be converted, but the result, converted back, is another value. It never raises an error. Undefined: there
 * is no conversion.
 */
export function isLost(from: Pick<Field, 'schema'>, to: Pick<Field, 'schema'>, value: Sql): Sql | undefined {
  const there = conversionOf(from, to)
  const back = conversionOf(to, from)
  if (!there || !back) return undefined
  const converted = sql`(${there.cast(value)})`
  const returned = sql`(${back.cast(converted)})`
  const isSame = there.isSame?.(value, returned) ?? sql`${value} is not distinct from ${returned}`
  const comesBack = back.survives ? inTurn(back.survives(converted), isSame) : isSame
  return there.survives
    ? sql`case when ${there.survives(value)} then not (${comesBack}) else false end`
    : sql`not (${comesBack})`
}

/** Tells whether a conversion rounds values, so that those of another time may not come back. */
export const isRounded = (from: Pick<Field, 'schema'>, to: Pick<Field, 'schema'>): boolean =>
  ['number integer', 'datetime date'].includes(`${baseOf(from.schema)} ${baseOf(to.schema)}`)
