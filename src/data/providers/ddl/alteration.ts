/** A step of a change of a table, and the same the other way round. */
import type { Sql } from '../../../db/sql.ts'
import type { Table } from '../../datatables/table.ts'
import type { DdlStep } from '../provider.ts'

export const alteration = (table: Table, description: string, statements: readonly Sql[], rollback: readonly Sql[]): DdlStep => ({
  table: table.name,
  operation: 'alter_table',
  description,
  statements,
  rollback,
})
