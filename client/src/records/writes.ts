/** The types of writes: changes, computed changes, and the results of bulk writes. */
import type { CallOptions } from '../connection/transport.ts'
import type { FieldOf, IsUnknown, Table } from '../types/schema.ts'

/** A change that is computed from the current value in the record. */
type Operation = { $add: number | `${bigint}` } | { $multiply: number | `${bigint}` }

/** The fields of a record to change. Numbers can be computed, outside of keys. */
export type Changes<T extends Table> =
  IsUnknown<T> extends true
    ? Readonly<Record<string, unknown>>
    : {
        readonly [Field in keyof T['create']]?:
          | T['create'][Field]
          | (Field extends keyof T['kinds']
              ? T['kinds'][Field] extends 'number'
                ? Operation
                : never
              : never)
      }

/** The fields of a record to change, with its primary key. */
export type NamedChanges<T extends Table> = Changes<T> & {
  readonly [Field in T['key'][number] & keyof T['record']]: T['record'][Field]
}

export interface WriteOptions extends CallOptions {
  /** The key by which the service recognises a retry. Default: a new one for each call. */
  idempotencyKey?: string | undefined
  /** Whether to return what would be written, and write nothing. */
  dryRun?: boolean | undefined
}

/** Options of a write of one record. */
export interface OneWriteOptions extends WriteOptions {
  /** The ETag of the state that was read. If the record has another one, the call throws StaleError. */
  ifMatch?: string | undefined
  includeDeleted?: boolean | undefined
}

export interface ManyOptions extends WriteOptions {
  /** False: writes the valid records, and lists the invalid ones in `failed`. Default: all or none. */
  atomic?: boolean | undefined
}

/** The result of a write of many records. */
export interface Written<Item> {
  data: Item[]
  /** With `onConflict: 'ignore'`: the positions of skipped records. */
  ignored: number[]
  /** With `atomic: false`: the invalid records. */
  failed: { index: number; status: number; [member: string]: unknown }[]
}

/** A record that was created or updated by its unique fields. */
export interface Upserted<Item> {
  data: Item
  created: boolean
}

/** The fields that identify a record in an upsert. */
export interface UpsertOptions<T extends Table> extends WriteOptions {
  uniqueFields: readonly FieldOf<T>[]
}

/** A version of a record. docs/guide/time-travel.md. */
export interface Version<Item> {
  number: number
  valid_from: string
  valid_to: string | null
  operation: 'create' | 'update' | 'delete' | 'schema'
  changed: string[] | null
  changed_by: { id: number; username: string | null } | null
  record: Item | null
}

/** The versions to list. */
export interface HistoryOptions extends CallOptions {
  page?: number | undefined
  pageSize?: number | undefined
  /** The order. Default: newest first. */
  ordering?: 'number' | '-number' | undefined
  operation?: 'create' | 'update' | 'delete' | 'schema' | undefined
}
