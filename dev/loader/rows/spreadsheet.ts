/** Rows of a sheet of an Excel file (.xlsx), with every digit that is written there. */
import { lengthFault } from '../../../src/kernel/lib/csv.ts'
import { isDatetime } from '../../../src/kernel/lib/date-texts.ts'
import type { Dialect } from '../dialect.ts'
import { Refusal } from '../refusal.ts'
import { zipFiles } from '../zip-files.ts'
import { CellError, CellMoment, CellNumber } from './cells.ts'
import { momentOf } from './excel/serial.ts'
import { openWorkbook, textOfPart, textOfRuns, unescaped, type Workbook } from './excel/workbook.ts'
import { type Element, elements, elementsIn, plainText } from './excel/xml.ts'
import { headerReader } from './header-reader.ts'
import type { Row } from './row.ts'

/** The largest Excel file that is read: its texts are kept in memory. */
const bytesMax = 64 * 1024 * 1024

/** The options for reading a file. */
export interface SheetForm {
  file: string
  dialect: Dialect
  names: readonly string[] | undefined
}

/** Reads the rows of a sheet, except empty ones. Throws a Refusal if the sheet does not exist. */
export async function* sheetRows(blob: Blob, { file, dialect, names }: SheetForm): AsyncGenerator<Row> {
  if (blob.size > bytesMax)
    throw new Refusal(
      `${file} has more than ${bytesMax / 1024 / 1024} MB, too many for Excel. Save it as CSV.`,
    )
  const headerFor = headerReader(dialect, names)
  const files = await zipFiles(blob, file)
  const workbook = await openWorkbook(files, file, dialect.sheet)
  let line = 0
  for await (const row of elements(textOfPart(files, workbook.sheet), ['row'], file)) {
    line = Number(row.attributes.r ?? line + 1)
    const values = cellsOf(row, line, workbook)
    if (values.every((value) => value === null)) continue
    const header = headerFor(values, line)
    if (!header) continue
    const { length } = header.labels
    const filled = values.findLastIndex((value) => value !== null) + 1
    const given = { file, line, header, values: header.labels.map((_, at) => values[at] ?? null) }
    yield filled <= length ? given : { ...given, fault: lengthFault(filled, length) }
  }
}

/** Returns the values of a row by their columns; null for a cell without one. */
function cellsOf(row: Element, line: number, workbook: Workbook): unknown[] {
  const values: unknown[] = []
  for (const cell of elementsIn(row.content, 'c')) {
    const column = columnOf(cell.attributes.r) ?? values.length
    while (values.length < column) values.push(null)
    values[column] = cellValue(cell, cell.attributes.r ?? `${nameOfColumn(column)}${line}`, workbook)
  }
  return values
}

/** The most columns that a sheet has. */
const columnsMax = 16_384

/** Returns the position of a column by the name of a cell, for example 27 for `AB3`. */
function columnOf(name: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(name ?? '')?.[0]
  if (letters === undefined) return undefined
  const position = [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0)
  return position <= columnsMax ? position - 1 : undefined
}

const nameOfColumn = (column: number): string =>
  (column >= 26 ? nameOfColumn(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

/** Returns the value of a cell: a text, true or false, a Cell, or null. */
function cellValue({ attributes, content }: Element, cell: string, workbook: Workbook): unknown {
  const [written] = elementsIn(content, 'v')
  const text = written && plainText(written.content)
  const { t: type = 'n', s: style } = attributes
  if (type === 'inlineStr') return textOfRuns(content) || null
  if (text === undefined || text === '') {
    const [formula] = elementsIn(content, 'f')
    // The result of a formula may be an empty text.
    return formula && text === undefined && type !== 'str' ? noResult(plainText(formula.content), cell) : null
  }
  if (type === 's') return workbook.texts[Number(text)] || null
  if (type === 'str') return unescaped(text)
  if (type === 'b') return text === '1' || text === 'true'
  if (type === 'e')
    return new CellError(
      text,
      `in the cell ${cell} is an error, not a value. Correct it, or add it to "missingValues".`,
    )
  if (type === 'd') return momentOfText(text.trim(), cell)
  const kind = workbook.kinds[Number(style ?? 0)] ?? 'number'
  return kind === 'number' ? new CellNumber(text.trim()) : momentOf(text, kind, workbook.is1904, cell)
}

const noResult = (formula: string, cell: string): CellError =>
  new CellError(
    `=${formula}`,
    `in the cell ${cell} has no result in the file. Open it in a spreadsheet program, and save it.`,
  )

/** Returns a date that is written as text, in ISO 8601. */
function momentOfText(text: string, cell: string): CellMoment | CellError {
  const [, date = '', time = '00:00:00'] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d{1,6})?)Z?)?$/.exec(text) ?? []
  const instant = `${date}T${time}Z`
  if (!isDatetime(instant)) return new CellError(text, `in the cell ${cell} is no date.`)
  const isDay = /^00:00:00(?:\.0+)?$/.test(time)
  return new CellMoment(isDay ? 'date' : 'datetime', [
    ['datetime', instant],
    ...(isDay ? [['date', date] as const] : []),
    ['year', date.slice(0, 4)],
  ])
}
