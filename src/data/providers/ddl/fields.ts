/** The fields of a table as its objects name them. */
import { join, type Sql } from '../../../db/sql.ts'
import type { Field, Table } from '../../datatables/table.ts'

/** The columns of fields, which are named as in the schema. */
export const columnList = (table: Table, fields: readonly string[]): Sql => join(fields.map((name) => columnOf(table, name)))

export const columnOf = (table: Table, field: string): Sql => (table.fields.get(field) as Field).column
