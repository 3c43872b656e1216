/**
 * Bounds the JSON of rows before Postgres makes it: `aggregateWithin` makes every array of rows, and
 * `recordWithin` every record that may be long. `octet_length` knows the length of a stored text without
 * reading it, also of a compressed one. T9.
 */
import { answerBytesMax } from './answer-bytes.ts'
import { literal, type Sql, sql } from './sql.ts'

/** Returns the text of an answer of so many bytes. Fails if they are too many. */
export const within = (bytes: Sql, text: Sql, bytesMax: number): Sql =>
  sql`case when ${bytes} <= ${bytesMax} then ${text}
           else tessera.refuse_answer(${literal(bytesMax)}) end`

/** Returns the text. Fails if it is too long. */
export const textWithin = (text: Sql, bytesMax = answerBytesMax): Sql =>
  within(sql`octet_length(${text})`, text, bytesMax)

/** What tells how long the JSON of a row becomes. Its columns are those of the row. */
export interface Measure {
  /** The bytes of the longest value. */
  longest: Sql
  /** The bytes of all values that can be long, as JSON. */
  bytes: Sql
  /** The number of these values. */
  count: number
}

/** In JSON, a character may take six bytes: `\\u0001`. */
export const escapedMax = 6

/** Measures a value that is stored as JSON. */
export function measureJson(value: Sql): Pick<Measure, 'longest' | 'bytes'> {
  const length = sql`octet_length(${value}::text)`
  return { longest: length, bytes: sql`coalesce(${length}, 0)` }
}

/**
 * Measures JSON that the statement made. Unlike a stored value it is not compressed, so its size is known
 * without a cast to text, which would copy it twice.
 */
export function measureMade(value: Sql): Pick<Measure, 'longest' | 'bytes'> {
  const length = sql`pg_column_size(${value})`
  return { longest: length, bytes: sql`coalesce(${length}, 0)` }
}

/** Returns the measure of JSON that the statement made. */
export const madeMeasure = (value: Sql): Measure => ({ ...measureMade(value), count: 1 })

/** Returns the measure of a value that is stored as JSON. */
export const jsonMeasure = (value: Sql): Measure => ({ ...measureJson(value), count: 1 })

/**
 * Returns the length up to which a value is not counted: that many in each of the rows are not too long. A
 * page may have no rows.
 */
const shortOf = ({ count }: Measure, rows: number): number =>
  Math.max(128, Math.floor(answerBytesMax / escapedMax / Math.max(1, rows) / count))

/** Returns the JSON of a row. Fails before it is made if it would be too long. */
export const recordWithin = (json: Sql, measure: Measure | undefined): Sql =>
  measure
    ? sql`case when (${measure.longest} > ${literal(shortOf(measure, 1))}) is not true
                 or tessera.add_bytes(0, ${measure.bytes}, ${literal(answerBytesMax)}) >= 0 then ${json} end`
    : json

/** An aggregate of rows, of which there are usually at most `rows`. */
interface Aggregated {
  measure: Measure | undefined
  /** The row, as `json_agg` takes it. Omitted: the measure has its exact bytes. */
  item?: Sql
  rows: number
  bytesMax?: number
}

/**
 * Returns an aggregate of rows as `json_agg` makes it. Fails at the first row with which it would be too
 * long. Postgres evaluates the aggregates of a select row by row, in their order.
 */
export function aggregateWithin(
  aggregate: Sql,
  { measure, item, rows, bytesMax = answerBytesMax }: Aggregated,
): Sql {
  if (!measure) return aggregate
  const { longest, bytes } = measure
  const [short, shortInAll] = [literal(shortOf(measure, 1)), literal(shortOf(measure, rows))]
  const counted = item
    ? sql`case when ${longest} <= ${short} then octet_length(row_to_json(${item})::text) else ${bytes} end`
    : bytes
  const isCounted = sql`filter (where ${longest} > ${shortInAll})`
  const sum = sql`tessera.bytes_within(${counted}, ${literal(bytesMax)}) ${isCounted}`
  return sql`case when coalesce(${sum}, 0) >= 0 then ${aggregate} end`
}
