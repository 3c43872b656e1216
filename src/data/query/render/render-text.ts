/** Renders records as the text of an answer: a JSON array, or lines of JSON or of CSV. */

import { aggregateWithin, madeMeasure, recordWithin } from '../../../kernel/db/answer-size.ts'
import { join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'
import type { Shown } from '../plan/shown.ts'
import { fieldSql } from '../row.ts'
import type { Place } from './answer-size.ts'
import { recordSelection, type Selected } from './render-record.ts'

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

/** The form of a text, how many rows it has at most, and how many bytes. */
interface TextSize extends PageText {
  rows: number
}

/** The cells of a row in CSV, and the row that they are read from, as in `Place`. */
interface Cells extends Pick<Place, 'of'> {
  cells: readonly Sql[]
}

/** Returns how rows become text. In CSV, each has the cells. */
export function textOf(selected: Selected, cells: () => Cells, size: TextSize): RecordsText {
  const { form, rows, bytesMax } = size
  if (form === 'csv') return csvText(selected, cells(), size)
  const { columns, array, json, aggregate } = recordSelection(selected)
  if (form === 'json') return { columns, text: sql`${array(rows, bytesMax)}::text` }
  const line = sql`${json}::text`
  // Postgres puts line breaks between the records of an array. Line breaks within texts are always escaped.
  const oneLine = selected.populate.length > 0 ? sql`replace(${line}, chr(10), '')` : line
  return {
    columns,
    text: linesOf((lines) => aggregate(lines, rows, bytesMax), oneLine, lineEnds.ndjson),
  }
}

/** Returns how the records of a table become text. */
export const recordsText = (table: Table, shown: Shown, selected: Selected, size: TextSize): RecordsText =>
  textOf(
    selected,
    () => ({
      of: undefined,
      cells: [...(shown.fields ?? table.fields.values())].map((field) =>
        csvCell(fieldSql(field), field.type),
      ),
    }),
    size,
  )

/** Returns how rows become CSV. A cell without a value is empty; a text is in quotes. */
function csvText({ measure }: Selected, { of, cells }: Cells, { rows, bytesMax }: TextSize): RecordsText {
  const line = sql`array_to_string(array[${join(cells)}]::text[], ',', '')`
  const lines = (all: Sql) =>
    aggregateWithin(all, {
      measure: madeMeasure(sql`_record._line`),
      rows,
      bytesMax,
    })
  return {
    columns: sql`${recordWithin(line, measure({ of, rows: 1, json: [] }))} as _line`,
    text: linesOf(lines, sql`_record._line`, lineEnds.csv),
  }
}

const linesOf = (within: (aggregate: Sql) => Sql, line: Sql, end: Sql): Sql =>
  sql`coalesce(${within(sql`string_agg(${line}, ${end})`)} || ${end}, chr(10))`

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
