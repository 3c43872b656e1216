/**
 * The types a field can have: one row each, from the JSON that clients send to the column in Postgres and back. D4, R6.
 * Nothing changes silently on the way: a value that the column could not hold exactly is refused here, by name.
 */
import { type Sql, sql } from '../../db/sql.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { comparable, isRawNumber, isWhole, numberProblem, numberText, readJson, wholeDigits } from '../../lib/exact-json.ts'
import { storageProblem } from '../../lib/storable.ts'

export interface FieldType {
  /** The type of its column. */
  column: Sql
  /** The type as which Postgres reads it from a body, where that is not the column's. */
  input?: Sql
  /** From what was read to the column, where the two differ. */
  read?(input: Sql): Sql
  /** Why a JSON value, never null, is none of this type; undefined when it is one. */
  problem(value: unknown): string | undefined
  /** The value to bind for a text of the query string; undefined when the text is none of this type. */
  parse(text: string): string | undefined
  /** What two values of the type are compared by: equal values, whatever their spelling, have equal keys. */
  key(value: never): string | number | bigint
  /** The column as it stands in a record's JSON, where that is not what Postgres makes of it. */
  output?(column: Sql): Sql
  /** Which constraints make sense. */
  constraints: ReadonlySet<Constraint>
  /** What a primary key or an index needs: an order and an equality. */
  comparable: boolean
  /** The type with a column of its own that it is kept as. */
  base?: string
  /** That a value of that column is one of this type: Postgres holds it. */
  holds?(value: Sql): Sql
  /** By what values come before others, where that is not the column. */
  ordinal?(value: Sql): Sql
}

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

const onText: ReadonlySet<Constraint> = new Set(['required', 'unique', 'minLength', 'maxLength', 'pattern', 'enum'])
const onOrdered: ReadonlySet<Constraint> = new Set(['required', 'unique', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'enum'])
const onEqual: ReadonlySet<Constraint> = new Set(['required', 'unique', 'enum'])
const onJson: ReadonlySet<Constraint> = new Set(['required', 'unique', 'minLength', 'maxLength', 'enum'])

const bigintMax = 2n ** 63n - 1n
const bigintMin = -(2n ** 63n)
const digits = /^(?:0|-?[1-9]\d{0,18})$/

function isBigint(text: string): boolean {
  if (!digits.test(text)) return false
  const value = BigInt(text)
  return value >= bigintMin && value <= bigintMax
}

/** Integers beyond it are written as strings: JavaScript's numbers lose digits of them. R6. */
const safeMax = sql`9007199254740991`

/** Of a JSON number, or of a string that has its digits alone. */
function integerProblem(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return undefined
  if (typeof value === 'string') return isBigint(value) ? undefined : 'A whole number is required.'
  const text = numberText(value)
  if (text === undefined || !isWhole(text)) return 'A whole number is required.'
  return isBigint(wholeDigits(text) ?? '') ? undefined : 'A whole number within ±2^63 is required.'
}

/** What is neither infinite nor more than Postgres holds. */
function isNumber(text: string): boolean {
  return decimal.test(text) && numberProblem(text) === undefined
}

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const date = /^(\d{4})-(\d{2})-(\d{2})$/
const time = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/
const offset = /^(?:z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/i

function isDate(text: string): boolean {
  const match = date.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const days = [31, year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= (days[month - 1] as number)
}

/** RFC 3339, with a space for the `T` if need be; without an offset it is UTC. */
function isDatetime(text: string): boolean {
  if (!isDate(text.slice(0, 10)) || !/^[Tt ]$/.test(text.charAt(10))) return false
  const rest = text.slice(11)
  const zoneAt = rest.search(/[zZ+-]/)
  const clock = zoneAt === -1 ? rest : rest.slice(0, zoneAt)
  if (!time.test(clock) || !offset.test(zoneAt === -1 ? '' : rest.slice(zoneAt))) return false
  // The offset may lead out of the years that have four digits.
  const year = new Date(Number(instantKey(text) / 1000n)).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Microseconds since 1970. */
function instantKey(text: string): bigint {
  const [, start, fraction = '', zone = 'Z'] = /^(.{10}.\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(.+)?$/.exec(text) ?? []
  const seconds = Date.parse(`${start?.replace(/^(.{10})./, '$1T')}${zone.toUpperCase()}`)
  return BigInt(seconds) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

const timeKey = (text: string): string =>
  `${text}${text.length === 5 ? ':00' : ''}`.replace(/\.?0*$/, (zeros) => (zeros.startsWith('.') ? '' : zeros))

function parseJson(text: string, isOne: (value: unknown) => boolean): string | undefined {
  try {
    const value = readJson(text)
    return isOne(value) && !storageProblem(value) ? text : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** A type whose JSON is a string of a certain form. */
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
      // As numeric, so that 1.0 and 1e3, which are integers in JSON, are read as such; what has a fraction fails, and is not rounded.
      input: sql`numeric`,
      read: (input) => sql`trim_scale(${input})::text::bigint`,
      key: (value: unknown) => BigInt(typeof value === 'string' ? value : (wholeDigits(numberText(value) ?? '') ?? '')),
      problem: integerProblem,
      parse: (text) => (isBigint(text) ? text : undefined),
      output: (value) => sql`case when ${value} between -${safeMax} and ${safeMax} then to_json(${value}) else to_json(${value}::text) end`,
      constraints: onOrdered,
      comparable: true,
    },
  ],
  [
    'number',
    {
      column: sql`numeric`,
      key: (value: unknown) => comparable(numberText(value) ?? ''),
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
      parse: (text) => (/^(?:true|false)$/i.test(text) ? text : undefined),
      constraints: onEqual,
      comparable: true,
    },
  ],
  ['date', textual(sql`date`, isDate, 'A date is required, as 2026-01-31.', onOrdered)],
  ['time', textual(sql`time`, (text) => time.test(text), 'A time of day is required, as 18:30 or 18:30:05.25.', onOrdered, timeKey)],
  [
    'datetime',
    {
      ...textual(sql`timestamptz`, isDatetime, 'A date and time is required, as 2026-01-31T18:30:00Z.', onOrdered, instantKey),
      output: (column) => sql`replace(to_json(${column}) #>> '{}', '+00:00', 'Z')`,
    },
  ],
  [
    'uuid',
    textual(
      sql`uuid`,
      (text) => uuid.test(text),
      'A UUID is required.',
      onEqual,
      (text) => text.toLowerCase(),
    ),
  ],
  [
    'object',
    {
      column: sql`jsonb`,
      key: canonicalJson,
      problem: (value) => (isObject(value) ? storageProblem(value) : 'An object is required.'),
      parse: (text) => parseJson(text, isObject),
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
      parse: (text) => parseJson(text, Array.isArray),
      constraints: onJson,
      comparable: false,
    },
  ],
])

export interface Format {
  /** What the expression cannot say. */
  test?(text: string): boolean
  /** The same expression for JavaScript and for Postgres's check: plain ASCII, no look-around, no classes of either. */
  pattern: string
  lengthMax: number
  problem: string
}

const label = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'

/** Formats of `string` fields. */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    'email',
    { pattern: `^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${label}(\\.${label})+$`, lengthMax: 254, problem: 'An e-mail address is required.' },
  ],
  ['binary', { pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$', lengthMax: 10_000_000, problem: 'Base64 is required.' }],
  ['uri', { pattern: '^[a-zA-Z][a-zA-Z0-9+.-]*:[!-~]+$', lengthMax: 4096, problem: 'A URI is required, as https://example.com/.' }],
  ['uuid', { pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', lengthMax: 36, problem: 'A UUID is required.' }],
  [
    'date',
    { pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$', lengthMax: 10, problem: 'A date is required, as 2026-01-31.', test: isDate },
  ],
  [
    'datetime',
    {
      pattern:
        '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$',
      lengthMax: 40,
      test: isDatetime,
      problem: 'A date and time is required, as 2026-01-31T18:30:00Z.',
    },
  ],
])
