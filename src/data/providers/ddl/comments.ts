/** The titles and descriptions of tables and fields as comments in Postgres. D14. */
import { literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { alteration } from './alteration.ts'

const textOf = ({
  title,
  description,
}: {
  title?: string | undefined
  description?: string | undefined
}): string | null =>
  [title, description].filter((part) => part !== undefined && part !== '').join('\n\n') || null

const onTable = ({ relation }: Table, text: string | null): Sql =>
  sql`comment on table ${relation} is ${literal(text)}`
const onColumn = ({ relation }: Table, { column }: Field, text: string | null): Sql =>
  sql`comment on column ${relation}.${column} is ${literal(text)}`

/** Returns the comment statement of a new field; none without a column, a title or a description. */
export function fieldComment(table: Table, field: Field): Sql[] {
  const text = textOf(field.schema)
  return table.storage.hasColumns && text !== null ? [onColumn(table, field, text)] : []
}

/** Returns the comment statements of a new table. */
export function tableComments(table: Table): Sql[] {
  const text = textOf(table.schema)
  return [
    ...(text === null ? [] : [onTable(table, text)]),
    ...[...table.fields.values()].flatMap((field) => fieldComment(table, field)),
  ]
}

/**
 * Returns the step that changes the comments of a table and its kept fields. New fields already have theirs.
 */
export function alterComments(
  { before, after }: TableChange,
  kept: readonly { before: Field; after: Field }[],
): DdlStep[] {
  const changed = before.storage.hasColumns
    ? kept.filter((field) => textOf(field.before.schema) !== textOf(field.after.schema))
    : []
  const isTableChanged = textOf(before.schema) !== textOf(after.schema)
  if (!isTableChanged && changed.length === 0) return []
  const statements = (of: 'before' | 'after') => [
    ...(isTableChanged ? [onTable(after, textOf((of === 'before' ? before : after).schema))] : []),
    ...changed.map((field) => onColumn(after, field.after, textOf(field[of].schema))),
  ]
  return [alteration(after, 'Change comments', statements('after'), statements('before'))]
}
