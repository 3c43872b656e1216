/** What a request says about records and edges to write. It does not depend on the tables. */
import type { JsonRecord } from '../failures/body.ts'

/** A kind of operation on records. */
export type RecordOperation = 'create' | 'update' | 'upsert' | 'delete'

export type OperationKind = RecordOperation | 'create_edge' | 'delete_edge'

/** An operation of a batch. Members that it does not have are undefined. */
export interface Operation {
  /** Its position in the batch, from 0. */
  index: number
  op: OperationKind
  table: string
  /** The name by which later operations take values of its record. */
  as: string | undefined
  /** The key of a record: a value, an array of the values of a composite key, or a reference. */
  id: unknown
  data: JsonRecord
  unique_fields: readonly string[]
  if_match: string | undefined
  include_deleted: boolean
  hard_delete: boolean
}

/** Returns what messages call an operation. */
export const nameOf = ({ index }: Pick<Operation, 'index'>): string => `operations[${index}]`

/** The options of a write in its query parameters. */
export interface Flags {
  /** Includes soft-deleted records. */
  includeDeleted: boolean
  /** Removes the records themselves, even if the table has soft deletion. */
  hardDelete: boolean
  /** Rolls everything back, but answers as if the write had happened. */
  isDry: boolean
  /** Whether one invalid record prevents writing the others. */
  isAtomic: boolean
  /** Whether the answer contains the records; undefined if the request does not say. */
  returnsRecords: boolean | undefined
}
