/** Reads the body of a write: one record, or an array of records. */
import { malformedJson, tooManyRows } from '../../kernel/http/body-errors.ts'
import { bodyBytesMax } from '../../kernel/http/failures.ts'
import { readJson, TooManyDigits } from '../../kernel/lib/exact-json.ts'
import type { JsonScan } from '../../kernel/lib/json-scan.ts'
import { ProblemList } from '../../kernel/lib/problem-list.ts'
import type { Table } from '../model/table.ts'
import { invalidRecords, tooManyDigits } from './errors.ts'

/** A record as it was sent. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** A parsed body. */
export interface RecordsBody {
  /** The records, which are not validated yet. */
  records: readonly JsonRecord[]
  /** Whether the body was an array. */
  bulk: boolean
  /** The text of an array of the records, unchanged: Postgres reads it, with every digit. */
  text: string
  /** The names of the primary key, if the text contains it as `id`. `records` have the real names. */
  keyOfId?: readonly string[] | undefined
  /** How messages refer to a record of an array, by its position. Omitted: `rows[3]`. */
  nameOf?: (index: number) => string
  /** The positions of the records in a CSV or JSON lines body. Undefined: the body is JSON. */
  places?: BodyPlaces
}

/** The positions of the records in a CSV or JSON lines body. All numbers count from 1. */
interface BodyPlaces {
  /** The line on which each record begins. */
  lines: readonly number[]
  /** The column of each field in CSV. */
  columns?: ReadonlyMap<string, number>
}

/** The most records in a request. R9 */
export const rowsMax = 10_000

/** The forms that a body can be required to have. */
export type Form = 'one' | 'many' | 'one or many'

/** Parses a body. Throws 400 for malformed JSON or another form, 413 for too many records or digits. */
export function readBody(text: string, form: Form, scan?: JsonScan): RecordsBody {
  let parsed: unknown
  try {
    // A short number like 1e9999 has many digits when Postgres writes it out.
    parsed = readJson(text, bodyBytesMax, scan)
  } catch (error) {
    throw error instanceof TooManyDigits ? tooManyDigits(bodyBytesMax) : malformedJson()
  }
  const bulk = Array.isArray(parsed)
  if (form === 'one' && bulk) throw invalidRecords({ non_field_errors: ['A record must be an object.'] })
  if (form === 'many' && !bulk)
    throw invalidRecords({ non_field_errors: ['An array of records is required.'] })
  const records = (bulk ? parsed : [parsed]) as JsonRecord[]
  if (records.length > rowsMax) throw tooManyRows(rowsMax)
  return { records, bulk, text: bulk ? text : `[${text}]` }
}

/**
 * Accepts `id` for a primary key with other names: the value, or an array of the values of a composite key.
 * Spec: Records, PATCH of an array; R17. Throws 400 if `id` is not such an array.
 */
export function withKeyOfId(body: RecordsBody, { fields, primaryKey }: Table): RecordsBody {
  const names = primaryKey.map(({ name }) => name)
  if (names.length === 0 || fields.has('id')) return body
  const isNamedById = (record: unknown): record is JsonRecord =>
    typeof record === 'object' &&
    record !== null &&
    Object.hasOwn(record, 'id') &&
    !names.some((name) => Object.hasOwn(record, name))
  if (!body.records.some(isNamedById)) return body
  const problems = new ProblemList()
  const records = body.records.map((record, index) => {
    if (!isNamedById(record)) return record
    const { id, ...others } = record
    const values = names.length === 1 ? [id] : id
    if (Array.isArray(values) && values.length === names.length)
      return { ...others, ...Object.fromEntries(names.map((name, place) => [name, values[place]])) }
    problems.add('id', recordPrefix(body, index) + compositeKeyProblem(names))
    return record
  })
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  return { ...body, records, keyOfId: names }
}

/** Returns the message for JSON that is not the key of a table with a composite key. */
export const compositeKeyProblem = (names: readonly string[]): string =>
  `Must be an array of the values of ${names.join(', ')}.`

/**
 * Returns `rows[3]: ` for a record of an array, counted from 0; '' for a single record. In a body of lines it
 * is `line 5: `, or `line 5, column 2: ` with a field of CSV.
 */
export function recordPrefix(body: RecordsBody, index: number, field?: string): string {
  const column = field === undefined ? undefined : body.places?.columns?.get(field)
  const isNamed = body.bulk || body.nameOf !== undefined
  return isNamed ? `${recordName(body, index)}${column === undefined ? '' : `, column ${column}`}: ` : ''
}

/** Returns what messages call a record of several: `rows[3]`, or `line 5` in a body of lines. */
export function recordName({ places, nameOf }: RecordsBody, index: number): string {
  if (nameOf) return nameOf(index)
  return places ? `line ${places.lines[index]}` : `rows[${index}]`
}
