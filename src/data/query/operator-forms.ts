/** The forms of filter operators: how each reads values, and its SQL for the types of fields. */
import { type Sql, sql } from '../../db/sql.ts'
import { escapeLike } from '../../lib/escape-like.ts'
import { readJson } from '../../lib/exact-json.ts'
import { quoteValue } from '../../lib/quote-value.ts'
import { storageProblem } from '../../lib/storable.ts'
import { type FieldType, fieldTypes } from '../model/field-types.ts'
import { rangeProblem, readDates, readInstants } from './date-ranges.ts'
import { patternProblem, readPattern } from './patterns.ts'

/** The meaning of a comparison on some types. */
export interface Form {
  /** Tells whether the form works on a type. */
  on(type: FieldType): boolean
  /**
   * How values are read and bound. Omitted: as the type of the column. `read` returns undefined for a wrong
   * value. `problem` returns the message for it; omitted: a message that the value is not of the field's
   * type.
   */
  as?: {
    column: Sql
    read(value: unknown, json: boolean): string | undefined
    problem?(value: unknown): string | undefined
  }
  /** Renders the comparison. Values are bound and typed; those of a list are one array. */
  sql(operand: Sql, ...values: Sql[]): Sql
}

const any = () => true
const comparable = (type: FieldType) => type.comparable
const text = (type: FieldType) => type === fieldTypes.get('string') || type.base === 'string'
/** Durations are stored as text, but sorting the text does not sort the durations. */
const inOrder = (type: FieldType) => type.comparable && !type.ordinal
const json = (type: FieldType) => !type.comparable

const readText = (value: unknown) => (typeof value === 'string' && !storageProblem(value) ? value : undefined)

/**
 * Reads a text as a LIKE pattern that allows any text before it, after it, or both. `%` and `_` in the text
 * are literal.
 */
function pattern(before: '' | '%', after: '' | '%') {
  const read = (value: unknown) =>
    readText(value) === undefined ? undefined : `${before}${escapeLike(value as string)}${after}`
  return { column: sql`text`, read }
}
/** Finds texts that contain a text. */
export const containing = pattern('%', '%')
/** Finds texts that start with a text. */
export const startingWith = pattern('', '%')
/** Finds texts that end with a text. */
export const endingWith = pattern('%', '')

/** Creates a case-sensitive form on texts. */
export const like = (as: Form['as'] & object): Form => ({
  on: text,
  as,
  sql: (operand, value) => sql`${operand} like ${value}`,
})
/** Creates a form on texts that ignores case. */
export const ilike = (as: Form['as'] & object): Form => ({
  on: text,
  as,
  sql: (operand, value) => sql`${operand} ilike ${value}`,
})

/** Any JSON. A text of a query string that is not JSON is a string. */
export const anyJson = {
  column: sql`jsonb`,
  read(value: unknown, isJson: boolean): string | undefined {
    let parsed = value
    try {
      if (!isJson) parsed = readJson(value as string)
    } catch {
      // The text is not JSON, so it is a string.
    }
    if (storageProblem(parsed)) return undefined
    return isJson || parsed === value ? JSON.stringify(parsed) : (value as string)
  },
}
/** The name of a member of an object. */
export const key = { column: sql`text`, read: readText }

/** An element of an array: a text, a number, true, false or null. A text of a query string may be all of these. */
const element = {
  column: sql`jsonb`,
  read(value: unknown, isJson: boolean): string | undefined {
    const text = anyJson.read(value, isJson)
    if (text === undefined) return undefined
    return /^\s*[[{]/.test(text) ? undefined : `[${text}]`
  },
  problem: (value: unknown) =>
    `${quoteValue(value)} cannot be compared with elements: these are texts, numbers, true, false and null.`,
}
/** Whether an array contains one of several elements. */
export const overlapping: Form[] = [
  { on: json, as: element, sql: (operand, values) => sql`${operand} @> any (${values})` },
]

const expression = { column: sql`text`, read: readPattern, problem: patternProblem }
/** Creates a form on texts by a regular expression. `match` is the operator of Postgres. */
export const matching = (match: Sql): Form[] => [
  { on: text, as: expression, sql: (operand, value) => sql`${operand} ${match} ${value}` },
]

/** Creates a form for ranges. Their ends are constants, so that Postgres can use an index for the range. */
const inRange = (type: string, column: Sql, read: (value: unknown) => string | undefined): Form => ({
  on: (one) => one === fieldTypes.get(type) || one.base === type,
  as: { column, read, problem: rangeProblem },
  sql: (operand, range) => sql`(${operand} >= lower(${range}) and ${operand} < upper(${range}))`,
})
/** Membership in a range of dates. */
export const within: Form[] = [
  inRange('datetime', sql`tstzrange`, readInstants),
  inRange('date', sql`daterange`, readDates),
]

/** Equality, on every type. */
export const equal: Form[] = [{ on: any, sql: (operand, value) => sql`${operand} = ${value}` }]
/** Membership in a list of values. */
export const among: Form[] = [{ on: comparable, sql: (operand, values) => sql`${operand} = any (${values})` }]
/** Membership in a list of texts, ignoring case. */
export const amongAnyCase: Form[] = [
  {
    on: text,
    sql: (operand, values) =>
      sql`lower(${operand}) = any (array(select lower(_value) from unnest(${values}) _value))`,
  },
]
/** Membership in a range, both ends included. */
export const between: Form[] = [
  { on: inOrder, sql: (operand, min, max) => sql`${operand} between ${min} and ${max}` },
]

/** Creates the form of a comparison by order. */
export const ordered = (render: Form['sql']): Form[] => [{ on: inOrder, sql: render }]
/** Creates a form on objects and arrays. */
export const ofJson = (as: Form['as'] & object, render: Form['sql']): Form => ({ on: json, as, sql: render })
