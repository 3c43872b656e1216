/** Parses the operations of a batch, before the tables are known. */
import { malformedJson } from '../../../kernel/http/body-errors.ts'
import { bodyBytesMax } from '../../../kernel/http/failures.ts'
import { isRawNumber, readJson, readJsonVerbatim, TooManyDigits } from '../../../kernel/lib/exact-json.ts'
import { ProblemList } from '../../../kernel/lib/problem-list.ts'
import { storageProblem } from '../../../kernel/lib/storable.ts'
import type { JsonRecord } from '../../failures/body.ts'
import { invalidRecords, tooManyDigits, tooManyOperations } from '../../failures/errors.ts'
import { nameOf, type Operation, type OperationKind } from '../said.ts'

/** The most operations in a batch. */
export const operationsMax = 1_000

/** The required members of each kind of operation, and the optional ones apart from `op`. */
const forms = {
  create: { needed: ['table', 'data'], others: ['as'] },
  update: { needed: ['table', 'id', 'data'], others: ['as', 'if_match', 'include_deleted'] },
  upsert: { needed: ['table', 'unique_fields', 'data'], others: ['as', 'include_deleted'] },
  delete: { needed: ['table', 'id'], others: ['if_match', 'hard_delete'] },
  create_edge: { needed: ['table', 'data'], others: [] },
  delete_edge: { needed: ['table', 'id'], others: [] },
} as const satisfies Record<OperationKind, { needed: readonly Member[]; others: readonly Member[] }>

type Member = keyof typeof members

/** The kinds of operations. */
const operationKinds = Object.keys(forms) as OperationKind[]

export const isObject = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
const isKeyPart = (value: unknown): boolean =>
  ['string', 'number'].includes(typeof value) || isRawNumber(value) || isObject(value)
const flag = (value: unknown) => (typeof value === 'boolean' ? undefined : 'Must be true or false.')
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? undefined : 'Must be a text.')

/** Returns the problem of a member, by its name; undefined if there is none. */
const members = {
  table: text,
  data: (value: unknown) => (isObject(value) ? undefined : 'Must be an object.'),
  id: (value: unknown) =>
    isKeyPart(value) || (Array.isArray(value) && value.length > 0 && value.every(isKeyPart))
      ? undefined
      : 'Must be the key of a record, an array of the values of a composite key, or {"$": "name.field"}.',
  as: (value: unknown) =>
    typeof value === 'string' && /^[A-Za-z_]\w{0,62}$/.test(value)
      ? undefined
      : 'Must be a name: letters, digits and underscores, at most 63.',
  unique_fields: (value: unknown) => (isTexts(value) ? undefined : 'Must be an array of names of fields.'),
  if_match: text,
  include_deleted: flag,
  hard_delete: flag,
}

/** Reads a body. Throws 400 with all problems, and 413 for too many operations or digits. */
export function readOperations(body: string): Operation[] {
  const all = readBatch(body)
  if (all.length > operationsMax) throw tooManyOperations(operationsMax)
  const problems = new ProblemList()
  const taken = new Set<unknown>()
  const operations = all.map((operation, index) => {
    const add = (member: string, message: string) => problems.add(member, `${nameOf({ index })}: ${message}`)
    if (!isObject(operation)) add('non_field_errors', 'An operation must be an object.')
    else inspect(operation, add, taken)
    return newOperation(isObject(operation) ? operation : {}, index)
  })
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  return operations
}

function readBatch(body: string): readonly unknown[] {
  let parsed: unknown
  try {
    // Counts the digits of all numbers.
    readJson(body, bodyBytesMax)
    parsed = readJsonVerbatim(body)
  } catch (error) {
    throw error instanceof TooManyDigits ? tooManyDigits(bodyBytesMax) : malformedJson()
  }
  if (!Array.isArray(parsed) || parsed.length === 0)
    throw invalidRecords({ non_field_errors: ['An array of at least one operation is required.'] })
  return parsed
}

function inspect(operation: JsonRecord, add: (member: string, message: string) => void, taken: Set<unknown>) {
  const kind = operationKinds.find((one) => one === operation.op)
  if (!kind) return add('op', `Must be one of: ${operationKinds.join(', ')}.`)
  const { needed, others }: { needed: readonly Member[]; others: readonly Member[] } = forms[kind]
  const allowed = ['op', ...needed, ...others]
  for (const name of needed) if (!Object.hasOwn(operation, name)) add(name, `"${kind}" needs this member.`)
  for (const [name, value] of Object.entries(operation)) {
    if (!allowed.includes(name)) add(name, `Unknown member. Members of "${kind}": ${allowed.join(', ')}.`)
    else if (name !== 'op') {
      // The fields of a record are checked by their types.
      const problem = members[name as Member](value) ?? (name === 'data' ? undefined : storageProblem(value))
      if (problem) add(name, problem)
    }
  }
  if (operation.as === undefined) return
  if (taken.has(operation.as)) add('as', 'An earlier operation has this name.')
  taken.add(operation.as)
}

/**
 * Returns an operation with defaults for omitted members. `operation` has only members that its kind can
 * have.
 */
export const newOperation = (operation: JsonRecord, index: number): Operation => ({
  op: 'create',
  table: '',
  as: undefined,
  id: undefined,
  data: {},
  unique_fields: [],
  if_match: undefined,
  include_deleted: false,
  hard_delete: false,
  ...(operation as Partial<Operation>),
  index,
})
