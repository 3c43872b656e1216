/** Renders records as the text of an answer: a JSON array, or lines of JSON or of CSV. */
import { emptySql, join, type Sql, sql } from '../../../db/sql.ts'
import type { Table } from '../../model/table.ts'
import type { Shown } from '../plan/shown.ts'
import { fieldSql } from '../row.ts'
import { recordColumns, recordSelection } from './render-record.ts'

/** The forms of a text of records. */
export type TextForm = 'json' | 'ndjson' | 'csv'

/** The form of a page, and how long it may be. */
export interface PageText {
  form: TextForm
  bytesMax: number
}

/** How records become text. */
interface RecordsText {
  /** What to select as `_record`. */
  columns: Sql
  /** The text of all records. It is never empty: without a record, it is `noLines`. */
  text: Sql
}

/** The text of lines if there are no records. It differs from every line of JSON or CSV. */
export const noLines = '\n'

const lineEnds = { ndjson: sql`chr(10)`, csv: sql`chr(13) || chr(10)` }

/** Returns how the records of a table become text. `more`: further columns, each after a comma. */
export const recordsText = (table: Table, shown: Shown, form: TextForm, more = emptySql): RecordsText =>
  form === 'csv'
    ? csvText(
        [...(shown.fields ?? table.fields.values())].map((field) => csvCell(fieldSql(field), field.type)),
      )
    : jsonText(sql`${recordColumns(table, shown)}${more}`, shown.populate, form)

/** Returns how rows with these columns become JSON: an array, or one object a line. */
export function jsonText(columns: Sql, populate: Shown['populate'], form: 'json' | 'ndjson'): RecordsText {
  const selection = recordSelection(columns, populate)
  if (form === 'json')
    return { columns: selection.columns, text: sql`coalesce(json_agg(${selection.item}), '[]')::text` }
  const line = sql`${selection.json}::text`
  // Postgres puts line breaks between the records of an array. Line breaks within texts are always escaped.
  const oneLine = populate.length > 0 ? sql`replace(${line}, chr(10), '')` : line
  return { columns: selection.columns, text: linesOf(oneLine, lineEnds.ndjson) }
}

/** Returns how rows become CSV. A cell without a value is empty; a text is in quotes. */
export const csvText = (cells: readonly Sql[]): RecordsText => ({
  columns: sql`array_to_string(array[${join(cells)}]::text[], ',', '') as _line`,
  text: linesOf(sql`_record._line`, lineEnds.csv),
})

const linesOf = (line: Sql, end: Sql): Sql => sql`coalesce(string_agg(${line}, ${end}) || ${end}, chr(10))`

/** How Postgres stores the values of a type, and how JSON shows them. */
interface Stored {
  column: Sql
  output?(value: Sql): Sql
}

/**
 * Types whose values are the same text in CSV as in JSON, apart from JSON's quotes. They never need quotes in
 * CSV.
 */
const bareTypes: ReadonlySet<string> = new Set(['bigint', 'numeric', 'boolean', 'time', 'uuid'])

/** Returns the cell of a value; null if there is no value. Numbers keep all digits. */
export function csvCell(value: Sql, { column, output }: Stored): Sql {
  const type = column.strings.join()
  if (bareTypes.has(type)) return sql`${value}::text`
  if (type === 'text') return quoted(value)
  // Lists of aggregates are arrays of Postgres. Their text is not JSON.
  if (type === 'jsonb') return quoted(sql`to_json(${value})::text`)
  return output?.(value) ?? sql`to_json(${value}) #>> '{}'`
}

const quoted = (text: Sql): Sql => sql`'"' || replace(${text}, '"', '""') || '"'`
