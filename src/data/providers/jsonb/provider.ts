/** Tables whose records are documents: a row's fields in one column. D11. */
import type { TableMaker } from '../provider.ts'
import { alterTable } from './alter.ts'
import { addForeignKey, createTable, dropTable } from './create.ts'

export const jsonb: TableMaker = {
  // Foreign keys of Postgres are of columns.
  problems: ({ schema }) =>
    (schema.foreignKeys ?? []).map((_, position) => `foreignKeys[${position}]: a jsonb datasource has no foreign keys; a flat_table datasource does`),
  createTable,
  addForeignKey,
  alterTable,
  dropTable,
}
