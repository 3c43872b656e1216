/** The aggregate functions: one row each, with an example that a test runs. Spec: Aggregations; R15. */
import { type Sql, sql } from '../../../../db/sql.ts'
import { date, datetime, integer, list, localDatetime, number, string, type Type, time } from './types.ts'

/** An aggregate function. */
export interface Aggregate {
  /** The function of Postgres. */
  sql: Sql
  /** The types that it takes. Omitted: all. */
  of?: readonly Type[]
  /** Returns the type of the result for values of a type. */
  makes(of: Type): Type
  /** Whether the result lists the values themselves, in an order and as they appear in JSON. */
  lists?: true
  /** The default separator of a function that joins texts. */
  separator?: string
  example: Example
}

/** Computes the result of the function for the values `of` of a field. */
interface Example {
  type: string
  of: readonly unknown[]
  makes: unknown
}

const numbers = [integer, number]
const ordered = [...numbers, string, date, time, datetime, localDatetime]
const same = (type: Type) => type
const always = (type: Type) => () => type
const ofNumbers = (makes: unknown): Example => ({ type: 'number', of: [3, 1, null, 1.5], makes })
const ofTexts = (makes: unknown): Example => ({ type: 'string', of: ['b', null, 'a', 'b'], makes })

/**
 * The functions by name. As in Postgres, most return null if there are no values, and all except the lists
 * ignore null.
 */
export const aggregates: ReadonlyMap<string, Aggregate> = new Map<string, Aggregate>([
  ['count', { sql: sql`count`, makes: always(integer), example: ofTexts(3) }],
  ['sum', { sql: sql`sum`, of: numbers, makes: always(number), example: ofNumbers(5.5) }],
  [
    'avg',
    {
      sql: sql`avg`,
      of: numbers,
      makes: always(number),
      example: { type: 'integer', of: [1, null, 2], makes: 1.5 },
    },
  ],
  ['min', { sql: sql`min`, of: ordered, makes: same, example: ofNumbers(1) }],
  ['max', { sql: sql`max`, of: ordered, makes: same, example: ofTexts('b') }],
  [
    'stddev',
    {
      sql: sql`stddev`,
      of: numbers,
      makes: always(number),
      example: { type: 'number', of: [2, 4, 4, 6, null], makes: 1.632993161855452 },
    },
  ],
  [
    'variance',
    {
      sql: sql`variance`,
      of: numbers,
      makes: always(number),
      example: { type: 'integer', of: [1, 3], makes: 2 },
    },
  ],
  [
    'array_agg',
    { sql: sql`array_agg`, makes: always(list), lists: true, example: ofTexts(['b', null, 'a', 'b']) },
  ],
  [
    'json_agg',
    { sql: sql`json_agg`, makes: always(list), lists: true, example: ofNumbers([3, 1, null, 1.5]) },
  ],
  [
    'string_agg',
    {
      sql: sql`string_agg`,
      of: [string],
      makes: always(string),
      lists: true,
      separator: ', ',
      example: ofTexts('b, a, b'),
    },
  ],
])
