/** The statements that create a table with one column of documents, and its indexes and checks. D11. */
import { identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { documentColumn } from '../../model/storage.ts'
import type { Table } from '../../model/table.ts'
import { addStatements, type TableObject } from '../ddl/objects.ts'
import { startNumbering } from './field-steps.ts'
import { objectsOf } from './shape.ts'

export function createStatements(table: Table): Sql[] {
  const objects = objectsOf(table, table)
  const isCheck = ({ kind }: TableObject) => kind === 'check'
  const checks = objects
    .filter(isCheck)
    .map(({ name, definition }): Sql => sql`constraint ${identifier(name)} ${definition}`)
  return [
    sql`create table ${table.relation} (${join([sql`${documentColumn} jsonb not null`, ...checks])})`,
    ...(table.identity ? startNumbering(table) : []),
    ...objects.filter((object) => !isCheck(object)).flatMap((object) => addStatements(table, object)),
  ]
}
