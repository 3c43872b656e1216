/**
 * The types of fields that have a Postgres column type of their own: one row each, from the JSON that clients
 * send to the column and back. Values are never changed silently: a value that the column cannot hold exactly
 * is rejected here. D4, R6.
 */
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { canonicalJson } from '../../kernel/lib/canonical-json.ts'
import { instantKey, isDate, isDatetime, timeKey, timeOfDay } from '../../kernel/lib/date-texts.ts'
import {
  isRawNumber,
  isWholeNumber,
  numberProblem,
  numberText,
  sortKeyOf,
  wholeDigits,
} from '../../kernel/lib/exact-json.ts'
import { isUuid } from '../../kernel/lib/is-uuid.ts'
import { parseJson } from '../../kernel/lib/parse-json.ts'
import { storageProblem } from '../../kernel/lib/storable.ts'

/** How values of one type are read, checked, stored, compared and written. */
export interface FieldType {
  /** The Postgres type of the column. */
  column: Sql
  /** The Postgres type that a body's value is read as. Omitted: the column's. */
  input?: Sql
  /** Converts a value of `input` to the column's type. Omitted: the two are the same. */
  read?(input: Sql): Sql
  /** Returns why a JSON value, never null, is not of this type; undefined if it is. */
  problem(value: unknown): string | undefined
  /** Returns the value to bind for a text of the query string; undefined if the text is not of this type. */
  parse(text: string): string | undefined
  /**
   * Returns the key by which values are compared: equal values have equal keys, even if they are written
   * differently.
   */
  key(value: never): string | number | bigint
  /** Returns the column as it appears in a record's JSON. Omitted: as Postgres writes it. */
  output?(column: Sql): Sql
  /**
   * Applies the same conversion to a value of the JSON that Postgres writes without `output`; it may be
   * `null`.
   */
  reform?(json: string): string
  /** The constraints that a field of this type can declare. */
  constraints: ReadonlySet<Constraint>
  /** Whether values can be compared and sorted, as primary keys and indexes require. */
  comparable: boolean
  /** The type with its own column that values are stored as. Omitted: this one. */
  base?: string
  /** Returns the condition, checked by Postgres, that a value of the base type is of this type. */
  holds?(value: Sql): Sql
  /** Returns what values are ordered by. Omitted: the column. */
  ordinal?(value: Sql): Sql
}

/**
 * A constraint that a type of field may allow. `jsonSchema` is allowed for all types whose values are not
 * comparable.
 */
export type Constraint =
  | 'required'
  | 'unique'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'pattern'
  | 'enum'

const onText: ReadonlySet<Constraint> = new Set([
  'required',
  'unique',
  'minLength',
  'maxLength',
  'pattern',
  'enum',
])
export const onOrdered: ReadonlySet<Constraint> = new Set([
  'required',
  'unique',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'enum',
])
export const onEqual: ReadonlySet<Constraint> = new Set(['required', 'unique', 'enum'])
const onJson: ReadonlySet<Constraint> = new Set(['required', 'unique', 'minLength', 'maxLength', 'enum'])

const bigintMax = 2n ** 63n - 1n
const bigintMin = -(2n ** 63n)
const digits = /^(?:0|-?[1-9]\d{0,18})$/

function isBigint(text: string): boolean {
  if (!digits.test(text)) return false
  const value = BigInt(text)
  return value >= bigintMin && value <= bigintMax
}

/**
 * The largest integer written as a JSON number. Beyond it JavaScript loses digits, so a string is written.
 * R6.
 */
const safeMax = sql`9007199254740991`

/** Checks a JSON number, or a string of its digits. */
function integerProblem(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return undefined
  if (typeof value === 'string') return isBigint(value) ? undefined : 'A whole number is required.'
  const text = numberText(value)
  if (text === undefined || !isWholeNumber(text)) return 'A whole number is required.'
  return isBigint(wholeDigits(text) ?? '') ? undefined : 'A whole number within ±2^63 is required.'
}

/** Accepts finite numbers within the range of Postgres's numeric. */
function isNumber(text: string): boolean {
  return decimal.test(text) && numberProblem(text) === undefined
}

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function parseJsonOf(text: string, isOne: (value: unknown) => boolean): string | undefined {
  const parsed = parseJson(text)
  return 'value' in parsed && isOne(parsed.value) && !storageProblem(parsed.value) ? text : undefined
}

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** Creates a type whose JSON is a string of a certain form. `wanted` is the message for other values. */
function textual(
  column: Sql,
  form: (text: string) => boolean,
  wanted: string,
  constraints: ReadonlySet<Constraint>,
  key: (text: string) => string | bigint = (text) => text,
): FieldType {
  return {
    column,
    key,
    problem: (value) => (typeof value === 'string' && form(value) ? undefined : wanted),
    parse: (text) => (form(text) ? text : undefined),
    constraints,
    comparable: true,
  }
}

/** The types by name. */
export const fieldTypes: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  [
    'string',
    {
      column: sql`text`,
      key: (value: string) => value,
      problem: (value) => (typeof value === 'string' ? storageProblem(value) : 'A string is required.'),
      parse: (text) => (storageProblem(text) ? undefined : text),
      constraints: onText,
      comparable: true,
    },
  ],
  [
    'integer',
    {
      column: sql`bigint`,
      // Read as numeric: 1.0 and 1e3 are integers in JSON. A value with a fraction fails instead of being
      // rounded.
      input: sql`numeric`,
      read: (input) => sql`trim_scale(${input})::text::bigint`,
      key: (value: unknown) =>
        BigInt(typeof value === 'string' ? value : (wholeDigits(numberText(value) ?? '') ?? '')),
      problem: integerProblem,
      parse: (text) => (isBigint(text) ? text : undefined),
      output(value) {
        const isSafe = sql`${value} between -${safeMax} and ${safeMax}`
        return sql`case when ${isSafe} then to_json(${value}) else to_json(${value}::text) end`
      },
      // Numbers of fewer digits need no parsing: they are always safe.
      reform: (json) => (json.length < 16 || Number.isSafeInteger(Number(json)) ? json : `"${json}"`),
      constraints: onOrdered,
      comparable: true,
    },
  ],
  [
    'number',
    {
      column: sql`numeric`,
      key: (value: unknown) => sortKeyOf(numberText(value) ?? ''),
      problem: (value) => (numberText(value) === undefined ? 'A number is required.' : storageProblem(value)),
      parse: (text) => (isNumber(text) ? text : undefined),
      constraints: onOrdered,
      comparable: true,
    },
  ],
  [
    'boolean',
    {
      column: sql`boolean`,
      key: (value: boolean) => Number(value),
      problem: (value) => (typeof value === 'boolean' ? undefined : 'true or false is required.'),
      parse: (text) => (/^(?:true|false|1|0)$/i.test(text) ? text : undefined),
      constraints: onEqual,
      comparable: true,
    },
  ],
  ['date', textual(sql`date`, isDate, 'A date is required, for example 2026-01-31.', onOrdered)],
  [
    'time',
    textual(
      sql`time`,
      (text) => timeOfDay.test(text),
      'A time of day is required, for example 18:30 or 18:30:05.25.',
      onOrdered,
      timeKey,
    ),
  ],
  [
    'datetime',
    {
      ...textual(
        sql`timestamptz`,
        isDatetime,
        'A date and time is required, for example 2026-01-31T18:30:00Z.',
        onOrdered,
        instantKey,
      ),
      output: (column) => sql`replace(to_json(${column}) #>> '{}', '+00:00', 'Z')`,
      reform: (json) => json.replaceAll('+00:00', 'Z'),
    },
  ],
  ['uuid', textual(sql`uuid`, isUuid, 'A UUID is required.', onEqual, (text) => text.toLowerCase())],
  [
    'object',
    {
      column: sql`jsonb`,
      key: canonicalJson,
      problem: (value) => (isObject(value) ? storageProblem(value) : 'An object is required.'),
      parse: (text) => parseJsonOf(text, isObject),
      constraints: onJson,
      comparable: false,
    },
  ],
  [
    'array',
    {
      column: sql`jsonb`,
      key: canonicalJson,
      problem: (value) => (Array.isArray(value) ? storageProblem(value) : 'An array is required.'),
      parse: (text) => parseJsonOf(text, Array.isArray),
      constraints: onJson,
      comparable: false,
    },
  ],
])
