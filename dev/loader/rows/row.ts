/** A row of a file, before its values are converted. */
import { labelsOf } from '../../../src/kernel/lib/written/labels.ts'

/** The labels of a row's values, with the line of the header. Rows with the same labels share it. */
export interface Header {
  labels: readonly string[]
  line: number
  /** Whether each row names its own values, as JSON objects do. */
  isOfRow?: true
}

/** A row. Its values are in the order of the labels: texts of CSV, values of JSON, cells of a spreadsheet. */
export interface Row {
  file: string
  /** The number of the line on which the row begins, from 1; in a spreadsheet, the number of the row. */
  line: number
  header: Header
  values: readonly unknown[]
  /** The problem of the row as a whole, if its values cannot be read. */
  fault?: string
}

export const headerOf = (cells: readonly unknown[], line: number): Header => ({
  labels: labelsOf(cells),
  line,
})
