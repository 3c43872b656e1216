/** The forms of filter operators: how each reads values, and its SQL for the types of fields. */
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { escapeLike } from '../../kernel/lib/escape-like.ts'
import { parseJson } from '../../kernel/lib/parse-json.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { storageProblem } from '../../kernel/lib/storable.ts'
import { type FieldType, fieldTypes } from '../model/field-types.ts'
import { rangeProblem, readDates, readInstants } from './date-ranges.ts'
import { matchesEveryText, patternProblem, readPattern, readPatternAnyCase } from './patterns.ts'

/** What forms mean, for databases without SQL. */
export type Meaning =
  | 'equal'
  | 'greater'
  | 'atLeast'
  | 'less'
  | 'atMost'
  | 'between'
  | 'among'
  | 'amongAnyCase'
  | 'like'
  | 'ilike'
  | 'matches'
  | 'imatches'
  | 'inRange'
  | 'containsJson'
  | 'containedBy'
  | 'overlaps'
  | 'hasKey'
  | 'hasAnyKeys'
  | 'hasAllKeys'

/** The meaning of a comparison on some types. */
export interface Form {
  means: Meaning
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
    /** True if a text in quotes is JSON: `"5"` is a text, and 5 a number. */
    isQuotedJson?: true
  }
  /** Renders the comparison. Values are bound and typed; those of a list are one array. */
  sql(operand: Sql, ...values: Sql[]): Sql
  /** Renders it for values with a sigma. Omitted: as others. */
  sqlOfSigma?: Form['sql']
  /**
   * Tells whether everything that a field of the type can hold passes. `bound` is the value as it is bound.
   * Omitted: never. R20.
   */
  admitsAll?(value: unknown, bound: string): boolean
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

const isEmptyText = (value: unknown): boolean => value === ''

/** Creates a case-sensitive form on texts. */
export const like = (as: Form['as'] & object): Form => ({
  means: 'like',
  on: text,
  as,
  sql: (operand, value) => sql`${operand} like ${value}`,
  admitsAll: isEmptyText,
})
/**
 * Returns a text without its case. Postgres takes the two small forms of the Greek sigma, of which one ends
 * words, for two letters.
 */
const folded = (value: Sql) => sql`translate(lower(${value}), 'ς', 'σ')`

/** Creates a form on texts that ignores case. */
export const ilike = (as: Form['as'] & object): Form => ({
  means: 'ilike',
  on: text,
  as,
  sql: (operand, value) => sql`${operand} ilike ${value}`,
  // An index finds the texts with any character at the place of the sigma.
  sqlOfSigma: (operand, value) =>
    sql`(${operand} ilike translate(${value}, 'σςΣ', '___') and ${folded(operand)} like ${folded(value)})`,
  admitsAll: isEmptyText,
})

/** Any JSON. A text of a query string that is not JSON is a string. */
export const anyJson = {
  column: sql`jsonb`,
  read(value: unknown, isJson: boolean): string | undefined {
    const parsed = isJson ? { value } : parseJson(value as string)
    if (!('value' in parsed)) {
      // A text that is not JSON is a string.
      return parsed.isJson || storageProblem(value) ? undefined : JSON.stringify(value)
    }
    if (storageProblem(parsed.value)) return undefined
    return isJson ? JSON.stringify(parsed.value) : (value as string)
  },
}
/** The name of a member of an object. */
export const key = { column: sql`text`, read: readText }

/** An element of an array: a text, a number, true, false or null. A text of a query string may be all of these. */
const element = {
  column: sql`jsonb`,
  isQuotedJson: true as const,
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
  { means: 'overlaps', on: json, as: element, sql: (operand, values) => sql`${operand} @> any (${values})` },
]

/** Creates a form on texts by a regular expression. `match` is the operator of Postgres. */
export const matching = (means: 'matches' | 'imatches', match: Sql): Form[] => [
  {
    means,
    on: text,
    as: {
      column: sql`text`,
      read: means === 'matches' ? readPattern : readPatternAnyCase,
      problem: patternProblem,
    },
    sql: (operand, value) => sql`${operand} ${match} ${value}`,
    admitsAll: matchesEveryText,
  },
]

/** Creates a form for ranges. Their ends are constants, so that Postgres can use an index for the range. */
const inRange = (type: string, column: Sql, read: (value: unknown) => string | undefined): Form => ({
  means: 'inRange',
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
export const equal: Form[] = [
  { means: 'equal', on: any, sql: (operand, value) => sql`${operand} = ${value}` },
]
/** Membership in a list of values. */
export const among: Form[] = [
  { means: 'among', on: comparable, sql: (operand, values) => sql`${operand} = any (${values})` },
]
/** Membership in a list of texts, ignoring case. */
export const amongAnyCase: Form[] = [
  {
    means: 'amongAnyCase',
    on: text,
    sql: (operand, values) =>
      sql`lower(${operand}) = any (array(select lower(_value) from unnest(${values}) _value))`,
    sqlOfSigma: (operand, values) =>
      sql`${folded(operand)} = any (array(select ${folded(sql`_value`)} from unnest(${values}) _value))`,
  },
]
/** Membership in a range, both ends included. */
export const between: Form[] = [
  { means: 'between', on: inOrder, sql: (operand, min, max) => sql`${operand} between ${min} and ${max}` },
]

/** Creates the form of a comparison by order. */
export const ordered = (means: Meaning, render: Form['sql']): Form[] => [{ means, on: inOrder, sql: render }]
/** Creates the form of `gte`. The empty text is the least one. */
export const atLeast: Form[] = [
  {
    means: 'atLeast',
    on: inOrder,
    sql: (operand, value) => sql`${operand} >= ${value}`,
    admitsAll: isEmptyText,
  },
]
/** Creates a form on objects and arrays. */
export const ofJson = (means: Meaning, as: Form['as'] & object, render: Form['sql']): Form => ({
  means,
  on: json,
  as,
  sql: render,
})
/** Whether JSON contains other JSON. Every object contains `{}`, and every array `[]`. */
export const containingJson: Form = {
  ...ofJson('containsJson', anyJson, (operand, value) => sql`${operand} @> ${value}`),
  admitsAll: (_, bound) => /^\s*(?:\{\s*\}|\[\s*\])\s*$/.test(bound),
}
