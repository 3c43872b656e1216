/** Creates the steps of operation type `alter_table`. */
import type { Sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'
import type { DdlStep } from '../provider.ts'

/** Creates a step that alters a table. */
export const alteration = (
  table: Table,
  description: string,
  statements: readonly Sql[],
  rollback: readonly Sql[],
): DdlStep => ({
  table: table.name,
  operation: 'alter_table',
  description,
  statements,
  rollback,
})
