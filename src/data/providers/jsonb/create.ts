/** A schema as DDL: a real table with one column for the records, and with indexes and checks of what is in it. D11. */
import { identifier, join, type Sql, sql } from '../../../db/sql.ts'
import { documentColumn } from '../../datatables/storage.ts'
import type { Table } from '../../datatables/table.ts'
import { tableComments } from '../ddl/comments.ts'
import { adding, type TableObject } from '../ddl/objects.ts'
import type { DdlStep, Provider } from '../provider.ts'
import { startNumbering } from './field-steps.ts'
import { objectsOf } from './shape.ts'

/** See Provider. */
export function createTable(table: Table): DdlStep {
  const objects = objectsOf(table, table)
  const isCheck = ({ kind }: TableObject) => kind === 'check'
  const checks = objects.filter(isCheck).map(({ name, definition }): Sql => sql`constraint ${identifier(name)} ${definition}`)
  return {
    table: table.name,
    operation: 'create_table',
    description: `Create table ${table.name}`,
    statements: [
      sql`create table ${table.relation} (${join([sql`${documentColumn} jsonb not null`, ...checks])})`,
      ...(table.identity ? startNumbering(table) : []),
      ...objects.filter((object) => !isCheck(object)).flatMap((object) => adding(table, object)),
      ...tableComments(table),
    ],
    rollback: [sql`drop table ${table.relation}`],
  }
}

/** No schema with a key gets so far. */
export const addForeignKey: Provider['addForeignKey'] = () => {
  throw new TypeError('a jsonb table has no foreign keys')
}

/** See Provider. */
export const dropTable = (table: Table): DdlStep => ({
  table: table.name,
  operation: 'drop_table',
  description: `Drop table ${table.name}`,
  statements: [sql`drop table ${table.relation}`],
  rollback: createTable(table).statements,
  destructive: true,
})
