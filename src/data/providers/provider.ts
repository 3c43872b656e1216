/** The interface of providers: how the tables of a datasource are created, changed and written. */
import type { z } from 'zod'
import { renderText, type Sql } from '../../kernel/db/sql.ts'
import type { Field } from '../model/field.ts'
import type { ResolvedKey } from '../model/keys.ts'
import type { Reference } from '../model/relationships.ts'
import type { ForeignKeySchema } from '../model/schema-form.ts'
import type { Table } from '../model/table.ts'
import type { Order } from '../query/plan/order.ts'
import type { Predicate } from '../query/predicate.ts'
import type { HeldRecord, InboundKey } from './inbound-key.ts'
import type { Losing, LostValues } from './lost-values.ts'
import type { OnlineStatement } from './online-statement.ts'
import type { InputRows } from './writes/input.ts'

/** One step of a schema change, as the operation history keeps it. D9. */
export interface DdlStep {
  table: string
  operation: 'create_table' | 'alter_table' | 'drop_table' | 'rollback'
  description: string
  statements: readonly Sql[]
  rollback: readonly Sql[]
  /** Whether the step loses values that its rollback does not restore. */
  destructive?: boolean
  /** For a conversion: finds the values that it loses. If there are any, the step is destructive. */
  losing?: Losing | undefined
  /** What `losing` has found. */
  lost?: LostValues
  /** The reasons for which existing records can make the step fail. */
  risks?: readonly Risk[]
  /** The expressions of the schema that it evaluates for all records, by the names of checks and fields. */
  expressions?: readonly string[]
  /**
   * Work on a large table that is done before the transaction of `statements`, so that the transaction blocks
   * others only briefly.
   */
  onlinePhase?: readonly OnlineStatement[]
  /** About how long readers and writers of a large table wait for it, in milliseconds; if that is long. */
  blocksMs?: number
}

/** A record that violates a rule: its primary key, by field. */
export interface BreakingRow {
  key: Record<string, z.core.util.JSONType>
}

/** A reason for which records can violate a new schema, and the records that do. */
export interface Risk {
  fields: readonly string[]
  rule: string
  message: string
  /** Selects a sample of those records from the table before the change. */
  records: Sql<BreakingRow>
}

/** A change of the schema of a materialized table. */
export interface TableChange {
  before: Table
  after: Table
  /** The old names of the kept fields, by their new names. */
  kept: ReadonlyMap<string, string>
  /** The table that each foreign key of `before` and `after` references. */
  referenced: ReadonlyMap<ForeignKeySchema, Table>
  /**
   * The foreign keys of other tables to this one. The fields they reference keep their names, types and
   * uniqueness.
   */
  inbound: readonly InboundKey[]
}

/** The functions of a provider that create and change tables. */
export type TableMaker = Pick<
  Provider,
  'createTable' | 'addForeignKey' | 'alterTable' | 'renameTable' | 'dropTable'
>

/** A provider of datasources. A write that has conflicts writes nothing, and answers with the conflicts. */
export interface Provider {
  /**
   * Creates the table with its indexes. Foreign keys are steps of their own: they may reference later tables.
   */
  createTable(table: Table): DdlStep
  /** Adds a foreign key. `referenced` is the table that the key's `resource` names. */
  addForeignKey(table: Table, key: ForeignKeySchema, referenced: Table): DdlStep
  /**
   * Returns the steps from one schema to another, in an order in which they can be applied, and undone in
   * reverse. The result equals what `createTable` creates for the new schema. For a large table, slow work is
   * done online.
   */
  alterTable(change: TableChange, isLarge: boolean): DdlStep[]
  /**
   * Renames a table and everything that is named after it. `after` is the same table under another physical
   * name. The caller must drop foreign keys to other tables before, and add them again afterwards.
   */
  renameTable(before: Table, after: Table): Sql[]
  /** Drops the table with its rows and its foreign `keys`. The rollback creates it again, without rows. */
  dropTable(table: Table, keys: readonly ResolvedKey[]): DdlStep
  /** Creates records. */
  insertRecords(table: Table, creation: RecordCreation): WriteBatch<CreatedRecords>
  /** Changes the fields of records that the input has. */
  updateRecords(table: Table, update: RecordUpdate): WriteBatch<WrittenRecords>
  /** Changes the records that exist, and creates the others. */
  upsertRecords(table: Table, upsert: RecordUpsert): WriteBatch<UpsertedRecords>
  /** Deletes records, or marks them as deleted. */
  deleteRecords(table: Table, deletion: RecordDeletion): WriteBatch<DeletedRecords>
}

/** The functions of a provider that write or delete records. */
export type RecordWriter = Pick<
  Provider,
  'insertRecords' | 'updateRecords' | 'upsertRecords' | 'deleteRecords'
>

/** The options of every write of records. */
interface RecordWrite {
  /** Whether the answer contains the records. */
  returnsRecords: boolean
  /** Whether the answer contains the keys of the records. The answer of a deletion always does. */
  returnsKeys?: boolean
  /**
   * Whether the statement runs by itself and its rows are read once. Then it is not wrapped, and its result
   * is not stored.
   */
  isAlone?: boolean
}

/** The options of every write that has records in its body. */
export interface RecordInsert extends RecordWrite {
  input: InputRows
  /** The references to tables with soft deletion. No new reference may lead to a soft-deleted record. R10. */
  references: readonly Reference[]
  /**
   * The keys that prevent a soft deletion: see writes/held.ts. Creations delete nothing, and omit them. With
   * `includeDeleted`, a mark is a value like any other.
   */
  inbound?: readonly InboundKey[]
}

/** The input of a creation. */
export interface RecordCreation extends RecordInsert {
  /** Whether to skip records with a value of a unique key that another record has. */
  ignoresTaken: boolean
}

/** The input of an update. */
export interface RecordUpdate extends RecordInsert {
  which: UpdatedRecords
  /** Whether soft-deleted records can be changed, too. */
  includeDeleted: boolean
  /** The ETags of which the record must have one. Null: any version will do. */
  ifMatch: readonly string[] | null
  /** Whether absent fields get their defaults. Omitted: they keep their values. */
  whole?: boolean
  /**
   * Whether records may take unique values that others give up in the same write. It takes two statements.
   */
  shifts?: boolean
}

/**
 * The records that an update changes: the one with the key of the path, as values to bind; those whose keys
 * the body has; or all that match a filter, which get the values of the one record of the body.
 */
type UpdatedRecords = { key: readonly string[] } | 'keys of the body' | FilteredRecords

/** The most matching records that a conflict counts. */
export const matchCountMax = 100_000

/** All records that match a filter. */
export interface FilteredRecords {
  filter: Predicate
  /** The maximum number of records to write, in the order of `order`. Null: all. */
  limit: number | null
  /**
   * The order. Undefined: by their keys. Writes lock rows in the order of keys, so that they do not wait for
   * each other.
   */
  order: readonly Order[] | undefined
  /**
   * The number of records that the client expects to match. Any other number is a conflict. Null: any number
   * is accepted.
   */
  expected: number | null
  /** The most records to write. More are a conflict. */
  rowsMax: number
  /** Whether the request says how many records it means. If not, the conflict counts all that match. R20 */
  isMeant: boolean
}

/** The input of an upsert. */
export interface RecordUpsert extends RecordInsert {
  /** The fields that identify a record. Every record has values or defaults for them. */
  unique: readonly Field[]
  /** The fields that a record needs in order to be created. */
  needed: readonly Field[]
  includeDeleted: boolean
}

/** The input of a deletion. */
export interface RecordDeletion extends RecordWrite {
  /** The keys that prevent a soft deletion: see writes/held.ts. */
  inbound: readonly InboundKey[]
  /** Unknown keys are ignored. With `input`, a record must exist for each key. */
  which: { keys: readonly (readonly string[])[] } | { input: InputRows } | FilteredRecords
  /**
   * Whether to delete records physically in a table with soft deletion, including those that are already
   * soft-deleted.
   */
  hard: boolean
  ifMatch: readonly string[] | null
}

/** The answer of an insert or an update. */
export interface WrittenRecords {
  /** The records in the order of the body, as the text of a JSON array; null if they are not returned. */
  data: string | null
  /** The version of the first record. All written records have the same version. */
  etag: string | null
  /** The keys of the records in the same order, as the text of a JSON array. Omitted: not returned. */
  ids?: string | null
  /** The number of records that were written. */
  written: number
  conflicts?: WriteConflicts
}

/** The answer of a creation. */
export interface CreatedRecords extends WrittenRecords {
  /** The positions of the records that were left out, if the write may leave records out. */
  ignored?: number[] | null
}

/** The answer of an upsert, with the number of records that were created. */
export interface UpsertedRecords extends WrittenRecords {
  created: number
}

/** The answer of a deletion. Its `ids` are null if no record was deleted. */
export type DeletedRecords = WrittenRecords

/** The statements of a write. */
export type WriteBatch<Row> = {
  /** Takes the locks of exclusions, before anything else. */
  readonly holding?: Sql | undefined
  /** Moves the sequence of the key beyond the highest number in the body. */
  readonly numbering?: Sql | undefined
  /** A statement that runs right before `written`, in the same step. */
  readonly first?: Sql | undefined
  readonly written: Sql<Row>
}

/** The conflicts of a write: positions of records in the body, from 0. */
export interface WriteConflicts {
  /** Records that repeat a key, each with the first record that has it. */
  repeated?: [place: number, first: number][] | null
  /** Records that do not exist. */
  missing?: number[] | null
  /** Records that lack a field without which they cannot be created. */
  incomplete?: number[] | null
  /** Records that would change their primary key. */
  moved?: number[] | null
  /** Records with another value for a computed field than they have or get, each with the field. */
  claimed?: [place: number, field: string][] | null
  /** Records that would reference a soft-deleted record, each with the position of the reference. */
  deletedTargets?: [place: number, reference: number][] | null
  /** In MongoDB: records with a value that another record has, each with the name of the unique key. */
  taken?: [place: number, constraint: string, paths?: string[]][] | null
  /** In MongoDB: records with results of operations that break rules of their fields. */
  broken?: [place: number, field: string, problems: string[]][] | null
  /** In MongoDB: records whose earlier values others reference, each with the position of the key. */
  referenced?: [place: number, key: number][] | null
  /** Records that are soft-deleted. */
  hidden?: number[] | null
  /** Records that other records keep from being soft-deleted. */
  held?: HeldRecord[] | null
  /** Records with none of the required ETags. */
  stale?: number[] | null
  /** A number of records that exceeds the limit. If the request means many, there may be more. */
  many?: number[] | null
  /** The number of records that match a filter, if it is not the expected one. */
  unexpected?: number[] | null
  /** For guests: records that no access rule allows to write. */
  refused?: number[] | null
  /** For guests: records with another value than the one that rules set, each with the field. */
  filled?: [place: number, field: string][] | null
  /**
   * For guests: references to records that do not exist, or that the guest may not read, with the names of
   * their fields and of the referenced table.
   */
  unseen?: [place: number, fields: string[]][] | null
}

/** Returns statements as the operation history stores them. */
export const scriptOf = (statements: readonly Sql[]): string =>
  statements.map((statement) => `${renderText(statement)};`).join('\n')

/** Returns the SQL of a step, its online phase first. */
export const sqlOf = ({ onlinePhase = [], statements }: DdlStep): string =>
  scriptOf([...onlinePhase.map(({ statement }) => statement), ...statements])
