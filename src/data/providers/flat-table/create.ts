/** The statements that create a table with a column for each field. D4–D6, D9. */
import { identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'
import { checksOf } from '../ddl/checks.ts'
import { exclusionsOf } from '../ddl/exclusion-objects.ts'
import { addStatements, constraintsOf, indexesOf } from '../ddl/objects.ts'
import { searchOf } from '../ddl/search-objects.ts'
import { columnDefinition } from './columns.ts'

export function createStatements(table: Table): Sql[] {
  const constraints = [...constraintsOf(table), ...checksOf(table)].map(
    ({ name, definition }): Sql => sql`constraint ${identifier(name)} ${definition}`,
  )
  const columns = [...table.fields.values()].map((field) => columnDefinition(table, field))
  return [
    sql`create table ${table.relation} (${join([...columns, ...constraints])})`,
    ...[...exclusionsOf(table), ...searchOf(table), ...indexesOf(table)].flatMap((object) =>
      addStatements(table, object),
    ),
  ]
}
