/** What a client said in the body of a write: one record, or an array of them. */
import { malformedJson } from '../../errors.ts'
import { bodyBytesMax } from '../../http/failures.ts'
import { readJson, TooManyDigits } from '../../lib/exact-json.ts'
import { invalidRecords, tooManyDigits, tooManyRows } from './errors.ts'

type JsonRecord = Readonly<Record<string, unknown>>

export interface RecordsBody {
  /** As they were parsed; nothing of them is checked yet. */
  records: readonly JsonRecord[]
  /** Whether it was an array. */
  bulk: boolean
  /** The text of an array of them, as it came: Postgres reads every digit of it. */
  text: string
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

/** Which record of a bulk write a message is about: `rows[3]: `, counted from 0. */
export const placeOf = (body: RecordsBody, index: number): string => (body.bulk ? `rows[${index}]: ` : '')
