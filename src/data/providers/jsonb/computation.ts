/**
 * The computed fields of documents: a trigger writes them into each document before it is stored
 * (migrations/functions/tessera/compute_fields.sql), so that they are members like all others. D19.
 */
import { literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import { documentOf } from '../../model/storage.ts'
import { type Table, withColumns } from '../../model/table.ts'
import { type ComputedField, computedFields, formulaSql } from '../../query/plan/expression/row-expression.ts'
import type { TableObject } from '../ddl/objects.ts'

const trigger = sql`compute_fields`

/** Returns the value of a computed field of the document of a row. `of`: see Storage.field. */
export const formulaOf = (table: Table, field: ComputedField, of?: Sql): Sql =>
  formulaSql(
    withColumns(table, (one) => table.storage.field(one, of)),
    field,
  )

/** Returns the trigger of a table that has computed fields. It does not depend on the name of the table. */
export function computationOf(table: Table): TableObject[] {
  const fields = computedFields(table)
  if (fields.length === 0) return []
  const members = documentOf(fields.map((field) => [field, formulaOf(table, field, sql`n`)]))
  const action = sql`execute function tessera.compute_fields(${literal(renderText(members))})`
  const create = sql`
    create trigger ${trigger} before insert or update on ${table.relation} for each row ${action}`
  return [
    {
      kind: 'trigger',
      name: 'compute_fields',
      title: `the computation of ${fields.map(({ name }) => name).join(', ')}`,
      fields: [],
      definition: action,
      adding: [create],
      dropping: [sql`drop trigger ${trigger} on ${table.relation}`],
    },
  ]
}
