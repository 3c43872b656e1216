/** Parses cells that were copied from a spreadsheet: one row per line, columns separated by tabs. */
import type { Field } from '../../session/queries.ts'
import { columnForms } from '../import/forms.ts'
import { rowReader } from '../import/rows.ts'
import type { DataRecord } from './records.ts'

/** The new values of a record, with its primary key. */
export type PastedRecord = DataRecord

/** Splits the text. A cell in quotes may have tabs, line breaks, and doubled quotes. */
function readCells(text: string): string[][] {
  const rows: string[][] = [[]]
  const pattern = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/gy
  for (;;) {
    const match = pattern.exec(text)
    if (!match) break
    const [, quoted, plain = '', end] = match
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') break
    if (end !== '\t') rows.push([])
  }
  // A spreadsheet also ends its last row with a line break.
  if (rows.length > 1 && rows.at(-1)?.join('') === '') rows.pop()
  return rows
}

/**
 * Returns the changes of records and fields from a cell on. Ignores cells beyond the last record or field.
 * All cells of a column are read in one form, as in an import. Throws SyntaxError with the first cell that
 * cannot be read.
 */
export function pastedRecords(
  text: string,
  records: readonly DataRecord[],
  fields: readonly Field[],
  primaryKey: readonly string[],
): PastedRecord[] {
  const columns = fields.map(({ name }) => name)
  const rows = readCells(text)
    .slice(0, records.length)
    .map((cells, index) => ({
      line: index + 1,
      cells: Object.fromEntries(
        columns.slice(0, cells.length).map((name, column) => [name, cells[column] || null] as const),
      ),
    }))
  const mapping = Object.fromEntries(columns.map((name) => [name, name]))
  const forms = columnForms({ columns, rows }, mapping, fields, {})
  const read = rowReader(columns, mapping, new Map(fields.map((field) => [field.name, field])), forms)
  return rows.map((row, index) => {
    const { record, problems } = read(row)
    if (problems[0]) throw new SyntaxError(`${index + 1}: ${problems[0].text}`)
    const key = Object.fromEntries(primaryKey.map((name) => [name, records[index]?.[name]]))
    return { ...record, ...key }
  })
}
