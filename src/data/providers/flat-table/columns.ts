/** Fields as columns of a real table. D4, D5. */
import { identifier, nothing, type Sql, sql } from '../../../db/sql.ts'
import { constraintNames } from '../../datatables/names.ts'
import type { Field, Table } from '../../datatables/table.ts'

/** A column as it is declared; under another name, if one is given. */
export const declared = (table: Table, field: Field, column: Sql = field.column): Sql =>
  sql`${column} ${field.type.column}${field.required ? sql` not null` : nothing}${filled(table, field)}`

function filled(table: Table, field: Field): Sql {
  if (field === table.identity) return sql` generated ${numbering(table)}`
  return field.default ? sql` default ${field.default}` : nothing
}

/** What numbers records by itself. */
export const numbering = (table: Table): Sql =>
  sql`by default as identity (sequence name ${identifier(constraintNames(table.physicalName).identitySequence)})`
