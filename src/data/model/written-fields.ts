/** The fields that access rules can allow guests to write. */
import type { Action } from './access.ts'
import type { Field } from './field.ts'
import type { Table } from './table.ts'

export type WriteAction = Exclude<Action, 'read' | 'history'>

/** An action that writes records. */
export type RecordAction = Exclude<WriteAction, 'edges'>

/** The actions of a guest on a table. An upsert is a creation or a change of each record. */
export type GuestAction = WriteAction | 'upsert'

/** Returns the fields of a table that a rule can allow guests to write. See `isGivenByGuests`. */
export const writableFields = (table: Table, action: WriteAction): Field[] =>
  [...table.fields.values()].filter((field) => isGivenByGuests(table, field, action))

/**
 * Tells whether a rule can allow guests to write a field. Excluded are generated numbers, computed fields,
 * keys and times of creation in changes, and `is_deleted`, which only deletions set.
 */
function isGivenByGuests(table: Table, field: Field, action: WriteAction): boolean {
  const { identity, softDelete, primaryKey, createdAt, updatedAt } = table
  if (action === 'delete' || action === 'edges' || field === softDelete) return false
  if (field.formula !== undefined) return false
  if (action === 'create') return field !== identity
  return !primaryKey.includes(field) && field !== createdAt && field !== updatedAt
}
