/**
 * Validates the records of a write: known fields, required fields, types and constraints. Spec: Validation
 * rules for writes.
 */

import { readJsonVerbatim } from '../../../kernel/lib/exact-json.ts'
import type { JsonRecord, RecordsBody } from '../../failures/body.ts'
import { isOperation, isReference, operationProblem } from '../../model/arithmetic.ts'
import { valueProblems, type WorkBudget, workBudget } from '../../model/constraints.ts'
import type { Field } from '../../model/field.ts'
import { outOfOrder, rangesOutOfOrder } from '../../model/ranges.ts'
import type { Table } from '../../model/table.ts'
import type { InputRows } from '../../providers/writes/input.ts'
import type { ReadMembers } from './read-members.ts'

/** The requirements of a kind of write, in addition to valid values. */
export interface Demands {
  /** Fields that every record must have. */
  required: readonly Field[]
  /** Further fields that may not be null. */
  notNull?: readonly Field[]
  /** What a record has besides its own values, if it was read. Omitted: nothing. */
  read?: ReadMembers
  /** The limit of work for patterns. Omitted: Postgres checks the values that exceed it. */
  work?: WorkBudget
  /** Whether a record can have operations instead of values. */
  canCompute?: boolean
  /**
   * Resolves `{"$": …}`, which stands for a value of an earlier record. Returns the problem if this is not
   * possible. Omitted: it is never possible.
   */
  take?(index: number, field: Field, reference: object): string | undefined
}

/** What is known of records that were inspected. */
type Inspected = Pick<InputRows, 'counts' | 'highestIdentity' | 'computed' | 'claims'> & {
  /** What records have besides their own values, if any has it. */
  read: ReadMembers | undefined
}

/** Returns inspected records as input rows, with their own values only. */
export function inputOf(
  table: Table,
  { records, text, keyOfId }: Pick<RecordsBody, 'records' | 'text' | 'keyOfId'>,
  { read, ...inspected }: Inspected,
): InputRows {
  const count = records.length
  if (!read) return { text, keyOfId, count, ...inspected }
  const isKept = (name: string, record: JsonRecord) =>
    table.fields.has(name) || (name === 'id' && keyOfId?.every((key) => !Object.hasOwn(record, key)))
  // Numbers keep all digits.
  const ownValue = (name: string, value: unknown) => {
    const field = table.fields.get(name)
    return (field && read.keyIn(field, value)) ?? value
  }
  const written = (readJsonVerbatim(text) as JsonRecord[]).map((record) =>
    Object.fromEntries(
      Object.entries(record).flatMap(([name, value]) =>
        isKept(name, record) ? [[name, ownValue(name, value)]] : [],
      ),
    ),
  )
  return { text: JSON.stringify(written), keyOfId, count, ...inspected }
}

/** Calls `tell` for every problem of the records. The result is meaningful only if there was no problem. */
export function inspectRecords(
  table: Table,
  records: readonly unknown[],
  { required, notNull = [], read, work = workBudget(), canCompute = false, take }: Demands,
  tell: (index: number, field: string, message: string) => void,
): Inspected {
  let isOfRead = false
  // Starts required fields at 0, so that an empty array still counts them.
  const counts = new Map(required.map(({ name }) => [name, 0]))
  const computed = new Set<string>()
  let unknownField: string | undefined
  const unknown = () => (unknownField ??= `Unknown field. Fields: ${[...table.fields.keys()].join(', ')}.`)
  let highestIdentity: bigint | undefined
  let claims = false

  function problemsOf(field: Field, value: unknown, index: number): readonly string[] {
    if (field.formula !== undefined) {
      claims = true
      return valueOfComputed(field, value)
    }
    if (value === null) return field.required || notNull.includes(field) ? [notNullable] : noProblems
    if (take && isReference(field, value)) return listOf(take(index, field, value))
    if (isOperation(field, value)) {
      const problem = canCompute ? operationProblem(table, field, value) : onlyInChanges
      if (problem === undefined) computed.add(field.name)
      return listOf(problem)
    }
    const problems = valueProblems(field.type, field.rules, value, work)
    if (field === table.identity && problems.length === 0) {
      const number = field.type.key(value as never) as bigint
      if (highestIdentity === undefined || number > highestIdentity) highestIdentity = number
    }
    return problems
  }

  records.forEach((record, index) => {
    const add = (field: string, message: string) => tell(index, field, message)
    if (typeof record !== 'object' || record === null || Array.isArray(record)) {
      add(wholeRecord, notAnObject)
      return
    }
    for (const name of Object.keys(record)) {
      const value = (record as JsonRecord)[name]
      const field = table.fields.get(name)
      if (!field) {
        if (read?.isIgnored(name, value)) isOfRead = true
        else add(name, unknown())
        continue
      }
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const key = read?.keyIn(field, value)
      if (key !== undefined) isOfRead = true
      for (const problem of problemsOf(field, key ?? value, index)) add(name, problem)
    }
    for (const pair of rangesOutOfOrder(table, record as JsonRecord))
      for (const name of pair) add(name, outOfOrder(pair))
    for (const { name } of required) {
      if (!Object.hasOwn(record, name)) add(name, requiredMessage)
    }
  })
  return { counts, highestIdentity, computed, claims, read: isOfRead ? read : undefined }
}

/**
 * Returns the problems of a value for a computed field. The statement compares it with the one that the
 * record has or gets, so that a record can be sent as it was read.
 */
const valueOfComputed = ({ type }: Field, value: unknown): readonly string[] =>
  value === null || type.problem(value) === undefined ? noProblems : [computedMessage]

const noProblems: readonly string[] = []
const listOf = (problem: string | undefined) => (problem === undefined ? noProblems : [problem])

const notNullable = 'This field may not be null.'
const onlyInChanges = 'An operation such as {"$add": 1} is only possible in a change (PATCH).'

/** The name under which messages about a whole record appear. */
export const wholeRecord = 'non_field_errors'

/** The message for a value that is not a record. */
export const notAnObject = 'A record must be an object.'

/** The message about a missing field. */
export const requiredMessage = 'This field is required.'

/** The message about another value for a computed field than it has or gets. W8. */
export const computedMessage = 'This field is computed and cannot be changed. Omit it.'

/** Returns the fields that a new record must have: those that are not nullable and have no default. */
export const neededFields = (table: Table): Field[] =>
  [...table.fields.values()].filter((field) => field.required && !fillsItself(table, field))

/** Tells whether a field gets a value if a record omits it. */
export const fillsItself = (table: Table, field: Field): boolean =>
  field.default !== undefined || field.formula !== undefined || field === table.identity
