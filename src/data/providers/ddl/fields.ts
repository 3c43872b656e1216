/** The columns of fields, for the definitions of keys, checks and indexes. */
import { join, type Sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'

/** Returns the columns of fields, separated by commas. */
export const columnList = (table: Table, fields: readonly string[]): Sql =>
  join(fields.map((name) => columnOf(table, name)))

/** Returns the column of a field, which must exist. */
export const columnOf = (table: Table, field: string): Sql => (table.fields.get(field) as Field).column
