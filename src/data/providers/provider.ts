/** What a provider does for the tables of its datasources. */
import { renderText, type Sql } from '../../db/sql.ts'
import type { ResolvedKey } from '../datatables/references.ts'
import type { ForeignKeySchema } from '../datatables/schema-form.ts'
import type { Field, Table } from '../datatables/table.ts'
import type { Predicate } from '../query/predicate.ts'
import type { Reference } from '../query/relationships.ts'
import type { Given } from '../records/validate.ts'

/** One step of a schema change, as the operation history keeps it. D9. */
export interface DdlStep {
  table: string
  operation: 'create_table' | 'alter_table' | 'drop_table' | 'rollback'
  description: string
  statements: readonly Sql[]
  rollback: readonly Sql[]
  /** Values are lost by it that its rollback does not bring back. */
  destructive?: boolean
  /** What of the records that are there can keep it from being done. */
  risks?: readonly Risk[]
  /** What is done before the transaction of `statements`, so that this one holds nobody up. Of large tables alone. */
  ahead?: readonly Ahead[]
}

/** Why records may break a new schema, and which ones do. */
export interface Risk {
  fields: readonly string[]
  rule: string
  message: string
  /** Selects a sample of them from the table as it is before the change: `key`, the text of an object with their primary key. */
  records: Sql
}

/**
 * Work on a large table that neither reads nor writes have to wait for. Each is a transaction of its own but an index,
 * which Postgres builds concurrently outside of any. What it makes has a pending name (datatables/names.ts) until the
 * schema that it belongs to is in force; `stage` is its place in the order in which all such work of a change is done.
 */
export interface Ahead {
  stage: 'column' | 'index' | 'constraint' | 'validation'
  statement: Sql
}

/** A materialized table that gets another schema. */
export interface TableChange {
  before: Table
  after: Table
  /** The fields that go on, by their new names: what they were called before. */
  kept: ReadonlyMap<string, string>
  /** The table that a foreign key of `before` or `after` leads to. */
  referenced: ReadonlyMap<ForeignKeySchema, Table>
  /** The foreign keys of other tables that lead here. What they reference goes on, with its name, its type, and unique. */
  inbound: readonly { table: Table; key: ForeignKeySchema }[]
}

/** How a provider makes and changes tables. */
export type TableMaker = Pick<Provider, 'createTable' | 'addForeignKey' | 'alterTable' | 'renameTable' | 'dropTable'>

/**
 * The functions that write records return statements of which the last answers one row. A write that finds something
 * against it writes nothing, and answers what it found as `refused`.
 */
export interface Provider {
  /** The table with its indexes. Its foreign keys are steps of their own, as what they reference may come later. */
  createTable(table: Table): DdlStep
  /** `referenced` is the table that the key's `resource` names. */
  addForeignKey(table: Table, key: ForeignKeySchema, referenced: Table): DdlStep
  /**
   * The steps from one schema to another, in an order in which each can be done, and undone in the opposite one. What
   * they lead to is what `createTable` makes of the new schema. `online`: the table is large.
   */
  alterTable(change: TableChange, online: boolean): DdlStep[]
  /**
   * Gives a table, and all that is named after it, the names of `after`, which is the same table under another physical
   * name. Foreign keys to other tables are left out: they are dropped before, or added afterwards.
   */
  renameTable(before: Table, after: Table): Sql[]
  /** The table with its rows and its own `keys`. What undoes it makes it anew, without rows. */
  dropTable(table: Table, keys: readonly ResolvedKey[]): DdlStep
  /** Creates records. Answers Written. */
  insertRecords(table: Table, insert: RecordInsert): Sql[]
  /** Changes what the records give. Answers Written. */
  updateRecords(table: Table, update: RecordUpdate): Sql[]
  /** Changes the records that there are, creates the others. Answers Upserted. */
  upsertRecords(table: Table, upsert: RecordUpsert): Sql[]
  /** Deletes records, or marks them as deleted. Answers Deleted. */
  deleteRecords(table: Table, deletion: RecordDeletion): Sql[]
}

export interface RecordInsert {
  given: Given
  /** To tables whose records can be soft-deleted: those that are, no new reference may lead to. R10. */
  references: readonly Reference[]
}

export interface RecordUpdate extends RecordInsert {
  /** Of the one record in a path, as values to bind; null: each record gives its own. */
  key: readonly string[] | null
  /** Whether records that are soft-deleted are meant, too. */
  includeDeleted: boolean
  /** The states, by their etags, in which the record may be changed; null: in any. */
  ifMatch: readonly string[] | null
  /** Whether fields that are not given get their defaults. Omitted: they keep their values. */
  whole?: boolean
}

export interface RecordUpsert extends RecordInsert {
  /** By which a record is found: every record gives them, or has their default. */
  unique: readonly Field[]
  /** Without which none is created. */
  needed: readonly Field[]
  includeDeleted: boolean
}

export interface RecordDeletion {
  which: { keys: readonly (readonly string[])[] } | { filter: Predicate }
  /** Whether they are gone also where the table would mark them as deleted; those that are marked are meant, too. */
  hard: boolean
  ifMatch: readonly string[] | null
  /** More are refused. */
  rowsMax: number
  /** Whether the records are answered, too, as Written has them. */
  shown?: boolean
}

export interface Written {
  /** The records in the order of the body, as the text of a JSON array. */
  data: string
  /** What tells the state of the one record from its others. */
  etag: string | null
  refused?: Refused
}

export interface Upserted extends Written {
  created: number
  written: number
}

export interface Deleted {
  deleted: number
  /** Their keys in the order of those that were asked for, as the text of a JSON array; null: none. */
  ids: string | null
  /** Where they are shown: they, as the text of a JSON array. */
  data?: string
  refused: Refused
}

/** What stands against a write: the places of the records in the body, from 0. */
export interface Refused {
  /** With the place of the one that has the same key. */
  repeated?: [place: number, first: number][] | null
  /** Do not exist, but would have to. */
  missing?: number[] | null
  /** Would have to be created, but lack what is needed for it. */
  incomplete?: number[] | null
  /** Give their record another primary key. */
  moved?: number[] | null
  /** Would reference a record that is soft-deleted: with the position of the reference. */
  unreferenced?: [place: number, reference: number][] | null
  /** Are soft-deleted. */
  hidden?: number[] | null
  /** Are in none of the wanted states. */
  stale?: number[] | null
  /** How many there are, at least, when there are too many. */
  many?: number[] | null
}

/** Statements as the history keeps them. */
export const scriptOf = (statements: readonly Sql[]): string => statements.map((statement) => `${renderText(statement)};`).join('\n')

/** What a step runs: what is done ahead of it comes first. */
export const sqlOf = ({ ahead = [], statements }: DdlStep): string => scriptOf([...ahead.map(({ statement }) => statement), ...statements])
