/** Fields as columns of a real table. D4, D5. */
import { identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { constraintNames } from '../../model/names.ts'
import type { Table } from '../../model/table.ts'
import { formulaSql, isComputed } from '../../query/plan/expression/row-expression.ts'

/** Returns the definition of a column. `column` gives it another name. */
export const columnDefinition = (table: Table, field: Field, column: Sql = field.column): Sql =>
  join([sql`${column} ${field.type.column}`, ...notNullClause(field), ...defaultClause(table, field)], sql` `)

const notNullClause = ({ required }: Field): Sql[] => (required ? [sql`not null`] : [])

function defaultClause(table: Table, field: Field): Sql[] {
  if (isComputed(field)) return [sql`generated always as (${formulaSql(table, field)}) stored`]
  if (field === table.identity) return [sql`generated ${identityClause(table)}`]
  return field.default ? [sql`default ${field.default}`] : []
}

/** Returns the identity clause of a column that numbers records. */
export function identityClause(table: Table): Sql {
  const { identitySequence } = constraintNames(table.physicalName)
  return sql`by default as identity (sequence name ${identifier(identitySequence)})`
}
