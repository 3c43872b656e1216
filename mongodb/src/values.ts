/** Values of fields as BSON, and back as the JSON that clients read. Nothing is rounded. */
import { Binary, BSON, DBRef, Decimal128, Double, Int32, Long, ObjectId, UUID } from 'mongodb'
import type { FieldForm } from '../../src/data/providers/mongodb/read-forms.ts'
import { instantKey, timeKey } from '../../src/kernel/lib/date-texts.ts'
import { isRawNumber, isWholeNumber, numberText, wholeDigits } from '../../src/kernel/lib/exact-json.ts'
import { decimalOf, plainDecimal } from './decimals.ts'
import { Refusal } from './failures.ts'

const micros = 1000n

/** Returns the date of an instant. The caller has checked that it has whole milliseconds. */
const dateOf = (text: string): Date => new Date(Number(instantOf(text) / micros))

/** The text of a date of which the driver does not read the milliseconds. */
const unreadable = 'out of range'

/** Returns microseconds since 1970. A date without a time is midnight. Reads what `timeText` writes, too. */
export function instantOf(text: string): bigint {
  if (text === unreadable)
    throw new Refusal('not computed', 'This page ends at a time that cannot be read. Sort by another field.')
  if (/^-?\d+$/.test(text)) return BigInt(text) * micros
  return instantKey(text.length === '2026-01-31'.length ? `${text}T00:00` : text)
}

const firstTime = Date.parse('0001-01-01T00:00:00Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

/** Tells whether a value is a time of the years 1 to 9999. MongoDB, to which others write, has more. */
export const isTime = (value: unknown): value is Date =>
  value instanceof Date && value.getTime() >= firstTime && value.getTime() <= lastTime

/** Returns the text of a time: other years have only that of their milliseconds. */
function timeText(date: Date): string {
  const ms = date.getTime()
  if (Number.isNaN(ms)) return unreadable
  return isTime(date) ? date.toISOString() : String(ms)
}

const isLong = (text: string): boolean => {
  const digits = isWholeNumber(text) && !/[.eE]/.test(text) ? wholeDigits(text) : undefined
  return digits !== undefined && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits)
}

/** Sorts the names of members as Postgres does: shorter ones first, then by their bytes. */
function bySize(a: string, b: string): number {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length - other.length || Buffer.compare(one, other)
}

/** Returns JSON as BSON: integers as Long, other numbers as Decimal128, members in a fixed order. */
export function jsonToBson(value: unknown): unknown {
  const number = numberText(value)
  if (number !== undefined) return isLong(number) ? Long.fromString(number) : decimalOf(number)
  if (Array.isArray(value)) return value.map(jsonToBson)
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  return new Map(
    Object.entries(value)
      .sort(([a], [b]) => bySize(a, b))
      .map(([name, member]) => [name, jsonToBson(member)]),
  )
}

/** How the values of each type are stored. The value is of the type: the first Worker has checked it. */
export const encoders: Readonly<Record<string, (value: unknown) => unknown>> = {
  string: (value) => value,
  integer: (value) =>
    Long.fromString(typeof value === 'string' ? value : (wholeDigits(numberText(value) ?? '0') ?? '0')),
  number: (value) => decimalOf(typeof value === 'string' ? value : (numberText(value) ?? '0')),
  boolean: (value) => value === true || /^(true|1)$/i.test(String(value)),
  date: (value) => dateOf(String(value)),
  time: (value) => timeKey(String(value)),
  datetime: (value) => dateOf(String(value)),
  uuid: (value) => new UUID(String(value)),
  object: jsonToBson,
  array: jsonToBson,
  // The clock of a place is stored as that of UTC.
  'local datetime': (value) => dateOf(String(value)),
  // A text that is no ObjectId names no document that has one as its key.
  objectId: (value) => (/^[0-9a-f]{24}$/i.test(String(value)) ? new ObjectId(String(value)) : value),
  double: (value) => new Double(Number(numberText(value) ?? value)),
  int: (value) => new Int32(Number(numberText(value) ?? value)),
}

/** Returns the BSON of a value of JSON. */
export const encode = (type: string, value: unknown): unknown =>
  value === null || value === undefined ? null : (encoders[type] ?? jsonToBson)(value)

const trimmed = (text: string): string => text.replace(/\.?0*Z$/, 'Z')
const uuidText = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const integerText = (digits: bigint): string =>
  digits >= -9007199254740991n && digits <= 9007199254740991n ? String(digits) : `"${digits}"`

/**
 * Writes a value of BSON inside JSON. What was just written has other classes than what the driver reads.
 */
function bsonToJson(value: unknown): string {
  if (value instanceof Long) return value.toString()
  if (value instanceof Map) return bsonToJson(Object.fromEntries(value))
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Decimal128) return plainDecimal(value)
  if (value instanceof Date) return JSON.stringify(timeText(value))
  if (value instanceof Binary) {
    const bytes = value.value()
    return JSON.stringify(bytes.length === 16 ? uuidText(bytes) : Buffer.from(bytes).toString('base64'))
  }
  if (value instanceof ObjectId) return JSON.stringify(value.toHexString())
  if (value instanceof Double || value instanceof Int32) return bsonToJson(value.valueOf())
  if (Array.isArray(value)) return `[${value.map(bsonToJson).join(', ')}]`
  if (value instanceof BSON.BSONValue && !(value instanceof DBRef)) return BSON.EJSON.stringify(value)
  // The driver reads an object with the members of a reference as one.
  const members = Object.entries(value instanceof DBRef ? value.toJSON() : value)
  return `{${members
    .sort(([a], [b]) => bySize(a, b))
    .map(([name, member]) => `${JSON.stringify(name)}: ${bsonToJson(member)}`)
    .join(', ')}}`
}

/** Collections that were there before can have values of any type in a field. */
const isWhole = (value: unknown): value is bigint | number | Long =>
  typeof value === 'bigint' ||
  (Number.isSafeInteger(Number(value)) && (typeof value === 'number' || value instanceof Int32)) ||
  value instanceof Long

const wholeText = (value: unknown) => (isWhole(value) ? integerText(BigInt(value.toString())) : undefined)

/** How the values of types are written that do not look as they are stored. */
const decoders: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  integer: wholeText,
  int: wholeText,
  date: (value) => (isTime(value) ? JSON.stringify(value.toISOString().slice(0, 10)) : undefined),
  datetime: (value) => (isTime(value) ? JSON.stringify(trimmed(value.toISOString())) : undefined),
  'local datetime': (value) =>
    isTime(value) ? JSON.stringify(trimmed(value.toISOString()).slice(0, -1)) : undefined,
}

/** Returns the JSON of a value of a field. */
export const decode = (type: string, value: unknown): string =>
  (value === null || value === undefined ? 'null' : decoders[type]?.(value)) ?? bsonToJson(value)

/** Returns the text of a value as it is written in a position of a list; null for none. */
export function positionText(type: string, value: unknown): string | null {
  if (value === null || value === undefined) return null
  const json = decode(type, value)
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}

/** Returns a text that only equal values have. Numbers are equal however many zeros they end with. */
export const keyText = (values: readonly unknown[]): string =>
  JSON.stringify(
    values.map((value) => {
      const text = positionText('any', value)
      return value instanceof Decimal128 ? text?.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : text
    }),
  )

/** The name under which a document carries the version of its record. */
export const versionName = '_v'

type Document = Readonly<Record<string, unknown>>

/** Returns the value at the path of a field: its own member, or one of the key. */
export function valueAt(document: Document, path: string): unknown {
  if (!path.startsWith('_id.')) return document[path]
  return (document._id as Document | undefined)?.[path.slice(4)]
}

/** Writes a record as the text of JSON. */
export const recordText = (document: Document, fields: readonly FieldForm[]): string =>
  `{${fields.map(({ name, path, type }) => `"${name}":${decode(type, valueAt(document, path))}`).join(',')}}`
