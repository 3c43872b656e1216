/** Parses cells that were copied from a spreadsheet: one row per line, columns separated by tabs. */
import type { Field } from '../../session/queries.ts'
import type { DataRecord } from './records.ts'
import { valueOfText } from './values.ts'

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
 * Throws SyntaxError if a text must be JSON but is not.
 */
export function pastedRecords(
  text: string,
  records: readonly DataRecord[],
  fields: readonly Field[],
  primaryKey: readonly string[],
): PastedRecord[] {
  return readCells(text).flatMap((cells, row) => {
    const record = records[row]
    if (!record) return []
    const key = Object.fromEntries(primaryKey.map((name) => [name, record[name]]))
    const values = cells.flatMap((cell, column) => {
      const field = fields[column]
      return field ? [[field.name, valueOfText(field, cell)] as const] : []
    })
    return [{ ...Object.fromEntries(values), ...key }]
  })
}
