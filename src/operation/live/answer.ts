/** Reads the answer to a list, as far as its followers need it. */
import { isRawNumber, readJsonVerbatim } from '../../kernel/lib/exact-json.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import type { Listed } from './difference.ts'

export interface ListAnswer {
  /** The answer as JSON without line ends, which would end an event. */
  text: string
  /** The digest of everything beside the records. */
  beside: string
  /** The members beside the records as JSON, which a change repeats. */
  members: string
  /** The names of the key of a record. Empty: the answer has no records with keys. */
  key: readonly string[]
  /** The records. Undefined: the answer has none with keys, and is sent anew whenever it changes. */
  records: readonly Listed[] | undefined
}

/** The most records of an answer that are compared one by one. */
const recordsMax = 1000

/** Reads the text of an answer. `key`: the names of the primary key of the table. */
export function readAnswer(text: string, key: readonly string[]): ListAnswer {
  const answer = readJsonVerbatim(text) as Record<string, unknown>
  const { data, ...beside } = answer
  // The answer to aggregates has an empty list and no total.
  const records = Array.isArray(data) && 'total' in beside ? listed(data, key) : undefined
  return {
    text: JSON.stringify(answer),
    beside: sha256(JSON.stringify(records ? beside : { data, ...beside })),
    key: records ? key : [],
    members: JSON.stringify(beside),
    records,
  }
}

function listed(data: readonly unknown[], names: readonly string[]): Listed[] | undefined {
  if (data.length > recordsMax || names.length === 0) return undefined
  const records = data.map((record) => {
    const values = names.map((name) => (isRecord(record) ? record[name] : undefined))
    const text = JSON.stringify(record)
    const key = values.some((value) => value === undefined || value === null)
      ? ''
      : JSON.stringify(values.length === 1 ? values[0] : values)
    return { key, digest: sha256(text), text }
  })
  const keys = new Set(records.map(({ key }) => key))
  return keys.size === records.length && !keys.has('') ? records : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !isRawNumber(value)
