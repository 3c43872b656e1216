/** Checks the records of a write: fields known, required ones there, types and constraints kept. Spec: Validation rules for writes. */
import { valueProblems } from '../datatables/constraints.ts'
import type { Field, Table } from '../datatables/table.ts'
import { type Details, invalidRecords } from './errors.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

/** What checked records give. */
export interface Given {
  /** For how many of them each field is given. */
  counts: ReadonlyMap<string, number>
  /** The highest number given for the key that numbers records by itself. */
  highestIdentity: bigint | undefined
}

/** Messages in one answer at most: a bulk of bad rows is told by its first ones. */
const messagesMax = 100

/** Checks all records; answers what they give. `bulk`: messages say which record they are about, as `rows[3]`. Throws the 400. */
export function checkRecords(table: Table, records: readonly unknown[], bulk: boolean): Given {
  const counts = new Map<string, number>()
  let highestIdentity: bigint | undefined
  const details = new Map<string, string[]>()
  let found = 0
  const add = (index: number, field: string, message: string) => {
    found++
    if (found > messagesMax) return
    const messages = details.get(field) ?? []
    messages.push(bulk ? `rows[${index}]: ${message}` : message)
    details.set(field, messages)
  }
  const required = [...table.fields.values()].filter((field) => field.required && !fillsItself(table, field))

  records.forEach((record, index) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) {
      add(index, 'non_field_errors', 'A record is an object.')
      return
    }
    for (const [name, value] of Object.entries(record)) {
      const field = table.fields.get(name)
      if (!field) {
        add(index, name, `Unknown field. Fields: ${[...table.fields.keys()].join(', ')}.`)
        continue
      }
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (value === null) {
        if (field.required) add(index, name, 'This field may not be null.')
        continue
      }
      const problems = valueProblems(field.type, field.rules, value)
      for (const problem of problems) add(index, name, problem)
      if (field === table.identity && problems.length === 0) {
        const number = BigInt(value as string | number)
        if (highestIdentity === undefined || number > highestIdentity) highestIdentity = number
      }
    }
    for (const { name } of required) {
      if (!Object.hasOwn(record, name)) add(index, name, 'This field is required.')
    }
  })
  if (found > messagesMax)
    details.set('non_field_errors', [...(details.get('non_field_errors') ?? []), `… and ${found - messagesMax} problems more.`])
  if (found > 0) throw invalidRecords(Object.fromEntries(details) as Details)
  return { counts, highestIdentity }
}

/** Whether a record may leave a field out although it cannot be null. */
const fillsItself = (table: Table, field: Field): boolean => field.default !== undefined || field === table.identity
