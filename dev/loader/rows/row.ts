/** A row of a file, before its values are converted. */

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

/** A number of a spreadsheet, with its text there. */
export class CellNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Makes labels from the cells of a header: each has a text, and all are different. */
export function headerOf(cells: readonly unknown[], line: number): Header {
  const labels: string[] = []
  for (const [index, cell] of cells.entries()) {
    const text = cell instanceof CellNumber ? cell.text : String(cell ?? '').trim()
    const name = text === '' ? `field_${index + 1}` : text
    let label = name
    for (let count = 2; labels.includes(label); count++) label = `${name}_${count}`
    labels.push(label)
  }
  return { labels, line }
}
