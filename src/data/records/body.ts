/** What a client said in the body of a write: one record, or an array of them. */
import { malformedJson } from '../../errors.ts'
import { bodyBytesMax } from '../../http/failures.ts'
import { readJson, TooManyDigits } from '../../lib/exact-json.ts'
import type { Table } from '../datatables/table.ts'
import { invalidRecords, tooManyDigits, tooManyRows } from './errors.ts'

type JsonRecord = Readonly<Record<string, unknown>>

export interface RecordsBody {
  /** As they were parsed; nothing of them is checked yet. */
  records: readonly JsonRecord[]
  /** Whether it was an array. */
  bulk: boolean
  /** The text of an array of them, as it came: Postgres reads every digit of it. */
  text: string
  /** Where the text has `id` in the place of the primary key: the name of that. The records have it by its name. */
  keyOfId?: string
}

/** R9 */
export const rowsMax = 10_000

/** What a body may be. */
export type Form = 'one' | 'many' | 'one or many'

export function readBody(text: string, form: Form): RecordsBody {
  let parsed: unknown
  try {
    // A number of few characters, as 1e9999, has many digits where Postgres writes it out.
    parsed = readJson(text, bodyBytesMax)
  } catch (error) {
    throw error instanceof TooManyDigits ? tooManyDigits(bodyBytesMax) : malformedJson()
  }
  const bulk = Array.isArray(parsed)
  if (form === 'one' && bulk) throw invalidRecords({ non_field_errors: ['A record is an object.'] })
  if (form === 'many' && !bulk) throw invalidRecords({ non_field_errors: ['An array of records is required.'] })
  const records = (bulk ? parsed : [parsed]) as JsonRecord[]
  if (records.length > rowsMax) throw tooManyRows(rowsMax)
  return { records, bulk, text: bulk ? text : `[${text}]` }
}

/** Records may name themselves by `id` where the primary key is one field with another name. Spec: Records, PATCH of an array. */
export function withKeyOfId(body: RecordsBody, { fields, primaryKey }: Table): RecordsBody {
  const [key, ...more] = primaryKey
  if (!key || more.length > 0 || fields.has('id')) return body
  const isNamedById = (record: unknown): record is JsonRecord =>
    typeof record === 'object' && record !== null && Object.hasOwn(record, 'id') && !Object.hasOwn(record, key.name)
  if (!body.records.some(isNamedById)) return body
  const records = body.records.map((record) => {
    if (!isNamedById(record)) return record
    const { id, ...others } = record
    return { ...others, [key.name]: id }
  })
  return { ...body, records, keyOfId: key.name }
}

/** Which record of a bulk write a message is about: `rows[3]: `, counted from 0. */
export const placeOf = (body: RecordsBody, index: number): string => (body.bulk ? `rows[${index}]: ` : '')
