/**
 * Decides which consecutive operations can run as one statement. The result is the same as if they ran one by
 * one.
 */
import { isToItself, type UniqueKey, uniqueKeysOf } from '../../model/keys.ts'
import type { Table } from '../../model/table.ts'
import type { Operation } from '../said.ts'
import { isSent, nameIn } from './references.ts'

/** How an operation can be joined with those before it. */
export interface Joining {
  /** Operations with the same value can be joined. Null: the operation runs alone. */
  with: string | null
  /** The key of its record, which may occur only once in a statement. Omitted: none. */
  once?: string
  /** Whether no further operation can be joined. */
  isLast?: boolean
}

/** The table of an operation, and whether its changes may exchange unique values. */
export interface Joined {
  table: Table
  shifts: boolean
}

const alone: Joining = { with: null }

/**
 * Returns how a creation joins. A record that brings its own number moves the sequence, and so changes the
 * numbers of later records.
 */
export function joiningCreation(operation: Operation, { table }: Joined): Joining {
  const { data } = operation
  const hasNumber = table.identity !== undefined && Object.hasOwn(data, table.identity.name)
  // If an operation refers to another by name, the other must be in an earlier statement.
  const isLast = toItself(table).some((name) => isSent(data[name]))
  return { with: `create ${table.name} ${hasNumber}`, isLast }
}

/**
 * Returns how a change joins. A change of a unique value, of a reference to the same table, or of a record
 * that others may exclude, runs alone, because it may depend on an earlier change, and one statement makes
 * all of its changes at once. If changes may exchange unique values, they join instead.
 */
export function joiningChange(operation: Operation, { table, shifts }: Joined, key: string): Joining {
  const { data, if_match, include_deleted, id } = operation
  const isSentIn = (name: string) => Object.hasOwn(data, name)
  const isEmptied = (name: string) => table.fields.get(name)?.required === false
  const isShifted = ({ fields, isDeferred }: UniqueKey) => shifts && (isDeferred || fields.some(isEmptied))
  const isOrdered =
    toItself(table).some(isSentIn) ||
    (table.schema.exclusions ?? []).length > 0 ||
    uniqueKeysOf(table).some((unique) => (unique.where || unique.fields.some(isSentIn)) && !isShifted(unique))
  if (if_match !== undefined || nameIn(id) !== undefined || isOrdered) return alone
  return { with: `change ${table.name} ${include_deleted}`, once: key }
}

/**
 * Returns how a deletion joins. If records of the table can reference each other, each deletion runs alone,
 * because their order matters.
 */
export function joiningDeletion(operation: Operation, { table }: Joined): Joining {
  const { if_match, hard_delete, id } = operation
  if (if_match !== undefined || nameIn(id) !== undefined || toItself(table).length > 0) return alone
  return { with: `delete ${table.name} ${hard_delete}` }
}

/** Returns how the creation of an edge joins. */
export const joiningEdge = (_operation: Operation, { table }: Joined): Joining => ({
  with: `create_edge ${table.name}`,
})

/** Returns how an operation joins that always runs alone. */
export const joiningNone = (): Joining => alone

/** Returns the fields that reference records of the same table. */
const toItself = (table: Table): readonly string[] =>
  (table.schema.foreignKeys ?? []).filter((key) => isToItself(table, key)).flatMap(({ fields }) => fields)
