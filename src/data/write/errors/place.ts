/**
 * Replaces the names of operations in the errors of nested records by the places of the records in the body.
 */
import type { AppError, Json } from '../../../kernel/errors.ts'
import { type RecordsBody, recordName, recordPrefix } from '../../failures/body.ts'
import type { NewRecord } from '../parse/nested.ts'
import { wholeRecord } from '../parse/validate.ts'

/** The name of an operation, or of the first and the last of several, before a message. */
const named = /^operations\[(\d+)\](?: to operations\[(\d+)\])?: /

/**
 * Returns the error with the place of each record instead of the name of its operation: a field becomes
 * `lines[3].price`, and a message about a record of an array begins with `rows[2]: `.
 */
export function placedError(error: AppError, sent: RecordsBody, records: readonly NewRecord[]): AppError {
  const recordIn = (message: Json): NewRecord | undefined => {
    const [, index] = (typeof message === 'string' && named.exec(message)) || []
    return index === undefined ? undefined : records[Number(index)]
  }
  /** Returns the place of a record: `rows[2].lines[3]`. */
  const whereIs = (index: string): string => {
    const { root = 0, place = '' } = records[Number(index)] ?? {}
    return [...(recordPrefix(sent, root) === '' ? [] : [recordName(sent, root)]), place]
      .filter((part) => part !== '')
      .join('.')
  }
  const placed = (message: Json): Json =>
    typeof message !== 'string'
      ? message
      : message.replace(named, (_, first: string, last?: string) => {
          const [from, to] = [whereIs(first), whereIs(last ?? first)]
          if (from === to) return from === '' ? '' : `${from}: `
          return `${from} to ${to}: `
        })
  const members = error.body as Readonly<Record<string, Json>>
  const at = recordIn(members.detail ?? null)
  const changed = Object.entries(members).map(([member, value]): [string, Json] => {
    if (member === 'detail' || member === 'hint') return [member, placed(value)]
    if (member === 'field' && at && typeof value === 'string') return [member, fieldsAt(at.place, value)]
    return [member, member === 'details' ? placedDetails(value) : value]
  })

  function placedDetails(details: Json): Json {
    const byField = new Map<string, Json[]>()
    for (const [field, messages] of Object.entries(details as Readonly<Record<string, Json[]>>)) {
      for (const message of messages) {
        const record = recordIn(message)
        const isWhole = field === wholeRecord
        const name = record && !isWhole ? fieldsAt(record.place, field) : field
        const text =
          record && !isWhole ? withoutName(message, recordPrefix(sent, record.root)) : placed(message)
        byField.set(name, [...(byField.get(name) ?? []), text])
      }
    }
    return Object.fromEntries(byField)
  }

  return error.withBody(Object.fromEntries(changed))
}

/** Returns names of fields, separated by commas, with the place of their record. */
const fieldsAt = (place: string, names: string): string =>
  place === ''
    ? names
    : names
        .split(',')
        .map((name) => `${place}.${name}`)
        .join()

const withoutName = (message: Json, prefix: string): Json => prefix + String(message).replace(named, '')
