/** Reads all rows of all tables once before anything is written, and collects their problems. */
import { type Fault, FaultList, FaultsError } from './faults.ts'
import type { Files } from './files.ts'
import { rowConverter } from './records.ts'
import { messageOf, Refusal } from './refusal.ts'
import type { Row } from './rows/row.ts'
import { rowsOf } from './rows/rows.ts'
import type { Table } from './table.ts'

/** The results of the check. */
export interface Checked {
  /** The number of rows that can be sent, by table. */
  rows: ReadonlyMap<string, number>
  /** The number of rows with faults. */
  badRows: number
  faults: FaultList
  /** Problems because of which a table cannot be loaded at all. */
  fatal: readonly string[]
}

/** Returns the labels of a file without a header: the fields in order. */
export const labelsOf = (table: Table): string[] => [...table.columns.keys()]

/** Checks the rows of the tables. `onRow` gets the number of rows of a table that are read so far. */
export async function checkTables(
  files: Files,
  tables: readonly Table[],
  onRow: (table: Table, count: number) => void,
): Promise<Checked> {
  const rows = new Map<string, number>()
  const faults = new FaultList()
  const fatal: string[] = []
  let badRows = 0
  for (const table of tables) {
    let [good, read] = [0, 0]
    const convert = rowConverter(table)
    try {
      for await (const row of rowsOf(files, table.resource, labelsOf(table))) {
        const converted = convert(row)
        onRow(table, ++read)
        if (converted.isHeaderWrong) throw new FaultsError(converted.faults)
        if (converted.faults.length === 0) good++
        else badRows++
        faults.add(...converted.faults)
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      fatal.push(messageOf(error))
    }
    rows.set(table.name, good)
  }
  return { rows, badRows, faults, fatal }
}

/** Returns the place of a field's value in its file. */
export function placeOf(table: Table, row: Row, field: string): Omit<Fault, 'text'> {
  const column = [...table.columns.values()].find(({ name }) => name === field)
  const at = column ? row.header.labels.indexOf(column.label) : -1
  return at === -1
    ? { file: row.file, line: row.line }
    : { file: row.file, line: row.line, column: at + 1, name: column?.label }
}
