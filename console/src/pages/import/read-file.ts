/** Reads a file with rows: CSV with any separator, JSON, or JSON lines. */
import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { lengthFault } from '../../../../src/kernel/lib/csv.ts'
import { parseStrictly } from '../../../../src/kernel/lib/parse-json.ts'
import { comparedLines, delimiterOf } from '../../../../src/kernel/lib/written/delimiter.ts'
import { encodingOf } from '../../../../src/kernel/lib/written/encoding.ts'
import { labelsOf } from '../../../../src/kernel/lib/written/labels.ts'
import { parseExact } from '../../shared/exact-json.ts'

export interface FileRow {
  /** The line on which it begins; in a JSON array, the number of the row. From 1. */
  line: number
  cells: Readonly<Record<string, unknown>>
  /** The problem of the row as a whole. */
  fault?: string
}

/** The content of a file. */
export interface FileRows {
  /** The labels of the columns, all different. */
  columns: readonly string[]
  rows: readonly FileRow[]
  /** The separator of CSV; undefined for JSON. */
  separator: string | undefined
  /** Whether the bytes were not Unicode, and were read as Windows-1252. */
  isGuessed: boolean
}

/** The errors of a file, with their lines. */
export class FileError extends Error {
  override name = 'FileError'
}

/**
 * Reads a file. Throws FileError. `separator`: the separator of CSV; undefined: the one that the first lines
 * tell.
 */
export async function readFile(file: File, separator?: string): Promise<FileRows> {
  const { text, isGuessed } = decode(await file.arrayBuffer())
  const read = isJson(file.name, text)
    ? readJson(text, lines.test(file.name))
    : readCsv(text, separator ?? separatorOf(text))
  return { ...read, isGuessed }
}

/** The name of a file with JSON lines. */
const lines = /\.(jsonl|ndjson)$/i

/** The name of a file tells its format. Other names leave it to the text. */
function isJson(name: string, text: string): boolean {
  if (/\.json$/i.test(name) || lines.test(name)) return true
  if (/\.(csv|tsv|tab)$/i.test(name)) return false
  return /^\s*[[{]/.test(text) && [text, firstLine(text)].some((part) => typeof tryParse(part) === 'object')
}

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? ''

function decode(buffer: ArrayBuffer): { text: string; isGuessed: boolean } {
  const encoding = encodingOf(new Uint8Array(buffer))
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(buffer), isGuessed: false }
  } catch {
    if (encoding !== 'utf-8') throw new FileError(encoding)
    return { text: new TextDecoder('windows-1252').decode(buffer), isGuessed: true }
  }
}

const separatorOf = (text: string): string =>
  delimiterOf(text.split(/\r?\n/, comparedLines).filter((line) => line !== '')) ?? ','

interface CsvRecord {
  record: (string | null)[]
  info: { lines: number }
}

function readCsv(text: string, separator: string): Omit<FileRows, 'isGuessed'> {
  try {
    const records = parse(text, {
      bom: true,
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      // A quote within an unquoted value has no special meaning.
      relax_quotes: true,
      // An empty cell means no value; an empty string is in quotes.
      cast: (cell: string, { quoting }: { quoting: boolean }) => (cell === '' && !quoting ? null : cell),
    } as never) as unknown as CsvRecord[]
    const [head, ...others] = records
    const columns = labelsOf(head?.record ?? [])
    let twice = doubled(head?.record ?? [])
    const rows = others.map(({ record, info }): FileRow => {
      // The parser counts the lines up to the end of the record, and each CRLF within quotes twice.
      twice += doubled(record)
      const line = info.lines - twice - (record.join('').split('\n').length - 1)
      const row = { line, cells: cellsOf(columns, record) }
      const { length } = record
      return length === columns.length ? row : { ...row, fault: lengthFault(length, columns.length) }
    })
    return { columns, separator, rows }
  } catch (error) {
    throw error instanceof CsvError ? new FileError(error.message) : error
  }
}

const doubled = (record: readonly (string | null)[]): number => record.join('').split('\r\n').length - 1

const cellsOf = (columns: readonly string[], record: readonly (string | null)[]): Record<string, unknown> =>
  Object.fromEntries(columns.map((name, index) => [name, record[index] ?? null]))

const isRow = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

function readJson(text: string, areLines: boolean): Omit<FileRows, 'isGuessed'> {
  const values = areLines ? linesOf(text) : jsonRows(text)
  const wrong = values.findIndex((value) => !isRow(value))
  if (wrong >= 0) throw new FileError(`${wrong + 1}`)
  const rows = values.map((cells, index) => ({
    line: index + 1,
    cells: cells as Readonly<Record<string, unknown>>,
  }))
  const columns = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
  return { columns, rows, separator: undefined }
}

/** Returns the rows of an array, of the only list of rows in an object, or of JSON lines. */
function jsonRows(text: string): unknown[] {
  const whole = tryParse(text)
  if (Array.isArray(whole)) return whole
  if (typeof whole !== 'object' || whole === null) return linesOf(text)
  const lists = Object.values(whole).filter((value) => Array.isArray(value) && value.every(isRow))
  return lists.length === 1 ? (lists[0] as unknown[]) : [whole]
}

const linesOf = (text: string): unknown[] =>
  text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = tryParse(line)
    if (value === undefined) throw new FileError(`${index + 1}`)
    return [value]
  })

function tryParse(text: string): unknown {
  try {
    return parseStrictly(text, parseExact)
  } catch {
    return undefined
  }
}
