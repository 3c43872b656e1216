/** What a provider does for the tables of its datasources. */
import { renderText, type Sql } from '../../db/sql.ts'
import type { Table } from '../datatables/table.ts'
import type { ForeignKeySchema } from '../datatables/table-schema.ts'
import type { Given } from '../records/validate.ts'

/** One step of a schema change, as the operation history keeps it. D9. */
export interface DdlStep {
  table: string
  operation: 'create_table' | 'alter_table' | 'drop_table'
  description: string
  statements: readonly Sql[]
  rollback: readonly Sql[]
}

export interface Provider {
  /** The table with its indexes. Its foreign keys are steps of their own, as what they reference may come later. */
  createTable(table: Table): DdlStep
  /** `referenced` is the table that the key's `resource` names. */
  addForeignKey(table: Table, key: ForeignKeySchema, referenced: Table): DdlStep
  /**
   * The statements that create records; the last one's row has `data`, the new records in the order of the body as
   * the text of a JSON array. `body` is the text of an array of `count` checked records, of which `given` tells.
   */
  insertRecords(table: Table, body: string, count: number, given: Given): Sql[]
}

/** Statements as the history keeps them. */
export const scriptOf = (statements: readonly Sql[]): string => statements.map((statement) => `${renderText(statement)};`).join('\n')
