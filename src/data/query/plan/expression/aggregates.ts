/** The aggregate functions: one row each, with an example that a test runs. Spec: Aggregations; R15. */
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import {
  boolean,
  date,
  datetime,
  integer,
  list,
  localDatetime,
  number,
  string,
  type Type,
  time,
  uuid,
} from './types.ts'

/** An aggregate function. */
export interface Aggregate {
  /** The function of Postgres. */
  sql: Sql
  /** How it is written, for error messages. Omitted: with one value. */
  usage?: string
  /** The number of its operands. Omitted: one. More than one value with `distinct`: see `count`. */
  operands?: readonly [min: number, max: number]
  /** The types that it takes. Omitted: all. */
  of?: readonly Type[]
  /** Returns the type of the result for values of a type. */
  makes(of: Type): Type
  /** Whether the result lists the values themselves, in an order and as they appear in JSON. */
  lists?: true
  /** The default separator of a function that joins texts. */
  separator?: string
  /** Whether its values are written after it: `within group (order by field)`. Its operand is a fraction. */
  withinGroup?: true
  /** Whether Postgres computes a floating-point number. */
  isFloat?: true
  /** Returns the call with a value of a type, if Postgres has no function of this name for every type. */
  write?(value: Sql, type: Type): Sql
  example: Example
}

/** Computes the result of the function for the values `of` of a field. */
interface Example {
  type: string
  of: readonly unknown[]
  makes: unknown
  /** How it is called, with `§` as the field. Omitted: with the field alone. */
  call?: string
}

const numbers = [integer, number]
const ordered = [...numbers, string, date, time, datetime, localDatetime]
const sortable = [...ordered, boolean, uuid]
const same = (type: Type) => type
const always = (type: Type) => () => type
const ofNumbers = (makes: unknown): Example => ({ type: 'number', of: [3, 1, null, 1.5], makes })
const ofTexts = (makes: unknown): Example => ({ type: 'string', of: ['b', null, 'a', 'b'], makes })

/** Creates a statistical function, with its result for 1 and 9. */
const statistic = (name: string, makes: unknown, write: Sql): readonly [string, Aggregate] => [
  name,
  {
    sql: write,
    of: numbers,
    makes: always(number),
    example: { type: 'integer', of: [1, 9, null], makes },
  },
]

/**
 * The functions by name. As in Postgres, most return null if there are no values, and all except the lists
 * ignore null.
 */
export const aggregates: ReadonlyMap<string, Aggregate> = new Map<string, Aggregate>([
  [
    'count',
    {
      sql: sql`count`,
      usage: 'count(*), count(field), count(distinct a, b)',
      operands: [1, 10],
      makes: always(integer),
      example: ofTexts(3),
    },
  ],
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
  statistic('stddev_samp', 5.656854249492381, sql`stddev_samp`),
  statistic('var_samp', 32, sql`var_samp`),
  statistic('stddev_pop', 4, sql`stddev_pop`),
  statistic('var_pop', 16, sql`var_pop`),
  [
    'bool_and',
    {
      sql: sql`bool_and`,
      of: [boolean],
      makes: always(boolean),
      example: { type: 'boolean', of: [true, null, false], makes: false },
    },
  ],
  [
    'bool_or',
    {
      sql: sql`bool_or`,
      of: [boolean],
      makes: always(boolean),
      example: { type: 'boolean', of: [true, null, false], makes: true },
    },
  ],
  [
    'corr',
    {
      sql: sql`corr`,
      usage: 'corr(a, b)',
      operands: [2, 2],
      of: numbers,
      makes: always(number),
      isFloat: true,
      example: {
        type: 'number',
        of: [1, 2, null, 3.5],
        makes: -1,
        call: 'corr(§, 10 - 2 * §)',
      },
    },
  ],
  [
    'percentile_cont',
    {
      sql: sql`percentile_cont`,
      usage: 'percentile_cont(0.5) within group (order by field)',
      of: numbers,
      makes: always(number),
      withinGroup: true,
      isFloat: true,
      example: {
        ...ofNumbers(1.25),
        call: 'percentile_cont(0.25) within group (order by §)',
      },
    },
  ],
  [
    'percentile_disc',
    {
      sql: sql`percentile_disc`,
      usage: 'percentile_disc(0.5) within group (order by field)',
      of: sortable,
      makes: same,
      withinGroup: true,
      example: {
        ...ofTexts('b'),
        call: 'percentile_disc(0.5) within group (order by §)',
      },
    },
  ],
  [
    'mode',
    {
      sql: sql`mode`,
      usage: 'mode() within group (order by field)',
      operands: [0, 0],
      makes: same,
      withinGroup: true,
      example: { ...ofTexts('b'), call: 'mode() within group (order by §)' },
    },
  ],
  // Postgres 15 has no any_value. The smallest value is one of them, and always the same.
  [
    'any_value',
    {
      sql: sql`min`,
      makes: same,
      write: (value, type) =>
        ordered.includes(type)
          ? sql`min(${value})`
          : sql`percentile_disc(0) within group (order by ${value})`,
      example: { type: 'boolean', of: [null, true, true], makes: true },
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
    'jsonb_agg',
    { sql: sql`jsonb_agg`, makes: always(list), lists: true, example: ofNumbers([3, 1, null, 1.5]) },
  ],
  [
    'string_agg',
    {
      sql: sql`string_agg`,
      usage: "string_agg(field, ', ')",
      operands: [1, 2],
      of: [string],
      makes: always(string),
      lists: true,
      separator: ', ',
      example: ofTexts('b, a, b'),
    },
  ],
])
