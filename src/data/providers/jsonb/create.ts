/**
 * Creates and drops tables with one column of documents, and with indexes and checks on their members. D11.
 */
import { identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { ResolvedKey } from '../../model/keys.ts'
import { documentColumn } from '../../model/storage.ts'
import type { Table } from '../../model/table.ts'
import { tableComments } from '../ddl/comments.ts'
import { addForeignKey, keyTriggersToDrop } from '../ddl/foreign-keys.ts'
import { addStatements, type TableObject } from '../ddl/objects.ts'
import type { DdlStep } from '../provider.ts'
import { startNumbering } from './field-steps.ts'
import { objectsOf } from './shape.ts'

/** See Provider. */
export function createTable(table: Table): DdlStep {
  const objects = objectsOf(table, table)
  const isCheck = ({ kind }: TableObject) => kind === 'check'
  const checks = objects
    .filter(isCheck)
    .map(({ name, definition }): Sql => sql`constraint ${identifier(name)} ${definition}`)
  return {
    table: table.name,
    operation: 'create_table',
    description: `Create table ${table.name}`,
    statements: [
      sql`create table ${table.relation} (${join([sql`${documentColumn} jsonb not null`, ...checks])})`,
      ...(table.identity ? startNumbering(table) : []),
      ...objects.filter((object) => !isCheck(object)).flatMap((object) => addStatements(table, object)),
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
