/** Checks the records of a write: fields known, required ones there, types and constraints kept. Spec: Validation rules for writes. */
import { valueProblems, type Work, workOf } from '../datatables/constraints.ts'
import type { Field, Table } from '../datatables/table.ts'
import { placeOf, type RecordsBody } from './body.ts'
import { invalidRecords } from './errors.ts'
import { collectMessages } from './messages.ts'

/** What checked records give. */
export interface Given {
  /** The text of an array of them. */
  text: string
  /** See RecordsBody. */
  keyOfId?: string | undefined
  count: number
  /** For how many of them each field is given. */
  counts: ReadonlyMap<string, number>
  /** The highest number given for the key that numbers records by itself. */
  highestIdentity: bigint | undefined
}

/** What a kind of write asks of each record beside its values being good ones. */
export interface Demands {
  /** Fields that may not be left out. */
  required: readonly Field[]
  /** Fields that may not be null, beside those of which no record may be without one. */
  notNull?: readonly Field[]
  /** Whether a member that is no field is left aside; omitted: none is. */
  isIgnored?(name: string, value: unknown): boolean
  /** Omitted: what takes too much work to judge here, Postgres judges when it is written. */
  work?: Work
}

/** Checks all records; answers what they give. Throws the 400. */
export function checkRecords(table: Table, body: RecordsBody, demands: Demands): Given {
  const messages = collectMessages()
  const given = inspectRecords(table, body.records, demands, (index, field, message) => messages.add(field, placeOf(body, index) + message))
  const details = messages.details()
  if (details) throw invalidRecords(details)
  return { text: body.text, keyOfId: body.keyOfId, count: body.records.length, ...given }
}

/** The same, telling `tell` of everything that is wrong; what the records give means something only when nothing was. */
export function inspectRecords(
  table: Table,
  records: readonly unknown[],
  { required, notNull = [], isIgnored, work = workOf() }: Demands,
  tell: (index: number, field: string, message: string) => void,
): Pick<Given, 'counts' | 'highestIdentity'> {
  // What every record has to give is given by all of none, too.
  const counts = new Map(required.map(({ name }) => [name, 0]))
  let highestIdentity: bigint | undefined
  records.forEach((record, index) => {
    const add = (field: string, message: string) => tell(index, field, message)
    if (typeof record !== 'object' || record === null || Array.isArray(record)) {
      add(wholeRecord, 'A record is an object.')
      return
    }
    for (const [name, value] of Object.entries(record)) {
      const field = table.fields.get(name)
      if (!field) {
        if (!isIgnored?.(name, value)) add(name, `Unknown field. Fields: ${[...table.fields.keys()].join(', ')}.`)
        continue
      }
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (value === null) {
        if (field.required || notNull.includes(field)) add(name, 'This field may not be null.')
        continue
      }
      const problems = valueProblems(field.type, field.rules, value, work)
      for (const problem of problems) add(name, problem)
      if (field === table.identity && problems.length === 0) {
        const number = field.type.key(value as never) as bigint
        if (highestIdentity === undefined || number > highestIdentity) highestIdentity = number
      }
    }
    for (const { name } of required) {
      if (!Object.hasOwn(record, name)) add(name, requiredMessage)
    }
  })
  return { counts, highestIdentity }
}

/** Under which stands what concerns no single field. */
export const wholeRecord = 'non_field_errors'

export const requiredMessage = 'This field is required.'

/** The fields without which no record is created: those that cannot be null and do not fill themselves. */
export const neededFields = (table: Table): Field[] => [...table.fields.values()].filter((field) => field.required && !fillsItself(table, field))

/** Whether a record may leave a field out although it cannot be null. */
export const fillsItself = (table: Table, field: Field): boolean => field.default !== undefined || field === table.identity
