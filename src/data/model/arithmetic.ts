/**
 * Operations that a change can have instead of a value: `{"$add": -1}`. Postgres computes the new value when
 * it has locked the record.
 */
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import { isRawNumber } from '../../kernel/lib/exact-json.ts'
import type { Field } from './field.ts'
import type { Table } from './table.ts'

type Compute = (present: Sql, operand: Sql) => Sql

/** The operations: one row each. */
const operations: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ['$add', (present, operand) => sql`${present} + ${operand}`],
  ['$multiply', (present, operand) => sql`${present} * ${operand}`],
])

const names = [...operations.keys()].join(', ')

/**
 * Tells whether a value is an operation: an object with a member that begins with `$`. In a field of objects
 * or arrays, such an object is data.
 */
export const isOperation = ({ type }: Field, value: unknown): value is object =>
  type.comparable &&
  typeof value === 'object' &&
  value !== null &&
  !isRawNumber(value) &&
  Object.keys(value).some((name) => name.startsWith('$'))

/** Tells whether a value is `{"$": …}`, which stands for a value of another record. */
export const isReference = (field: Field, value: unknown): value is object =>
  isOperation(field, value) && Object.hasOwn(value, '$')

/** Returns why an operation cannot be done on a field; undefined if it can. */
export function operationProblem(table: Table, field: Field, operation: object): string | undefined {
  const [[name, operand] = ['', undefined], ...others] = Object.entries(operation)
  if (!operations.has(name)) return `Unknown operation "${name}". Operations: ${names}.`
  if (others.length > 0) return 'An operation has one member.'
  const type = field.type.base ?? field.schema.type
  if (type !== 'integer' && type !== 'number') return `"${name}" needs a field of the type integer or number.`
  const keys = (table.schema.foreignKeys ?? []).flatMap((key) => key.fields)
  if (table.primaryKey.includes(field) || keys.includes(field.name))
    return `"${name}" is not possible in a field of a primary key or a foreign key.`
  return operand === null ? `"${name}" needs a number.` : field.type.problem(operand)
}

/**
 * Returns the value that a record gets: computed from `present` if `sent`, the JSON of the field, is an
 * operation, otherwise `value`.
 */
export function computed({ type }: Field, sent: Sql, present: Sql, value: Sql): Sql {
  const cases = [...operations].map(([name, compute]) => {
    const operand = sql`(${sent} ->> ${name})::${type.column}`
    return sql`when jsonb_typeof(${sent}) = 'object' and ${sent} ? ${name} then ${compute(present, operand)}`
  })
  return sql`case ${join(cases, sql` `)} else ${value} end`
}
