/** The fields that access rules can let guests write. */
import type { Action } from './access.ts'
import type { Field, Table } from './table.ts'

/** An action that writes. */
export type WriteAction = Exclude<Action, 'read' | 'history'>

/** An action that writes records. */
export type RecordAction = Exclude<WriteAction, 'edges'>

/** What a guest does to a table. An upsert is a creation or a change of each record. */
export type GuestAction = WriteAction | 'upsert'

/** Returns the fields of a table that a rule can let guests give a value. See `isGivenByGuests`. */
export const writableFields = (table: Table, action: WriteAction): Field[] =>
  [...table.fields.values()].filter((field) => isGivenByGuests(table, field, action))

/**
 * Tells whether a rule can let guests give a field a value. Postgres numbers records, a key does not change,
 * nor does the time of the creation, and `is_deleted` is no field but a deletion.
 */
function isGivenByGuests(table: Table, field: Field, action: WriteAction): boolean {
  const { identity, softDelete, primaryKey, createdAt, updatedAt } = table
  if (action === 'delete' || action === 'edges' || field === softDelete) return false
  if (action === 'create') return field !== identity
  return !primaryKey.includes(field) && field !== createdAt && field !== updatedAt
}
