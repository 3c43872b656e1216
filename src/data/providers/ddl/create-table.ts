/** The steps that create and drop a table, by the statements that create it. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { ResolvedKey } from '../../model/keys.ts'
import type { Table } from '../../model/table.ts'
import type { DdlStep } from '../provider.ts'
import { tableComments } from './comments.ts'
import { addForeignKey, keyTriggersToDrop } from './foreign-keys.ts'

type Statements = (table: Table) => readonly Sql[]

/** See Provider. */
export const createTableWith =
  (statementsOf: Statements) =>
  (table: Table): DdlStep => ({
    table: table.name,
    operation: 'create_table',
    description: `Create table ${table.name}`,
    statements: [...statementsOf(table), ...tableComments(table)],
    rollback: [sql`drop table ${table.relation}`],
  })

/** See Provider. */
export const dropTableWith =
  (statementsOf: Statements) =>
  (table: Table, keys: readonly ResolvedKey[]): DdlStep => {
    const remade = [
      createTableWith(statementsOf)(table),
      ...keys.map(({ key, referenced }) => addForeignKey(table, key, referenced)),
    ]
    return {
      table: table.name,
      operation: 'drop_table',
      description: `Drop table ${table.name}`,
      statements: [...keyTriggersToDrop(table, keys), sql`drop table ${table.relation}`],
      rollback: remade.flatMap((step) => step.statements),
      destructive: true,
    }
  }
