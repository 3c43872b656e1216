/** Creates and drops tables with a column for each field. D4–D6, D9. */
import { identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { ResolvedKey } from '../../model/keys.ts'
import type { Table } from '../../model/table.ts'
import { tableComments } from '../ddl/comments.ts'
import { addForeignKey, keyTriggersToDrop } from '../ddl/foreign-keys.ts'
import { addStatements, constraintsOf, indexesOf } from '../ddl/objects.ts'
import { searchOf } from '../ddl/search-objects.ts'
import type { DdlStep } from '../provider.ts'
import { columnDefinition } from './columns.ts'

/** See Provider. */
export function createTable(table: Table): DdlStep {
  const constraints = constraintsOf(table).map(
    ({ name, definition }): Sql => sql`constraint ${identifier(name)} ${definition}`,
  )
  const columns = [...table.fields.values()].map((field) => columnDefinition(table, field))
  return {
    table: table.name,
    operation: 'create_table',
    description: `Create table ${table.name}`,
    statements: [
      sql`create table ${table.relation} (${join([...columns, ...constraints])})`,
      ...[...searchOf(table), ...indexesOf(table)].flatMap((object) => addStatements(table, object)),
      ...tableComments(table),
    ],
    rollback: [sql`drop table ${table.relation}`],
  }
}

/** See Provider. */
export function dropTable(table: Table, keys: readonly ResolvedKey[]): DdlStep {
  const remade = [
    createTable(table),
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
