/** Tables whose records are documents: a row's fields in one column. D11. */

import { renamingOf } from '../ddl/rename-table.ts'
import type { TableMaker } from '../provider.ts'
import { alterTable } from './alter.ts'
import { addForeignKey, createTable, dropTable } from './create.ts'
import { objectsOf } from './shape.ts'

export const jsonb: TableMaker = {
  // Foreign keys of Postgres are of columns.
  problems: ({ schema }) =>
    (schema.foreignKeys ?? []).map((_, position) => `foreignKeys[${position}]: a jsonb datasource has no foreign keys; a flat_table datasource does`),
  createTable,
  addForeignKey,
  alterTable,
  renameTable: renamingOf((table) => objectsOf(table, table)),
  dropTable,
}
