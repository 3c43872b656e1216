/** Reads a file with rows: CSV with any separator, JSON, or JSON lines. */
import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { parseExact } from '../../shared/exact-json.ts'

/** A row of a file. */
export interface FileRow {
  /** The line on which it begins; in a JSON array, the number of the row. From 1. */
  line: number
  cells: Readonly<Record<string, unknown>>
}

/** The content of a file. */
export interface FileRows {
  columns: readonly string[]
  rows: readonly FileRow[]
  /** The separator of CSV; undefined for JSON. */
  separator: string | undefined
  /** Whether the bytes were not UTF-8, and were read as Windows-1252. */
  isGuessed: boolean
}

/** The errors of a file, with their lines. */
export class FileError extends Error {
  override name = 'FileError'
}

/** The possible separators of CSV. */
export const separators = [',', ';', '\t', '|'] as const

/**
 * Reads a file. Throws FileError. `separator`: the separator of CSV; undefined: the one that gives the most
 * columns.
 */
export async function readFile(file: File, separator?: string): Promise<FileRows> {
  const { text, isGuessed } = decode(await file.arrayBuffer())
  const isJson = /\.(json|jsonl|ndjson)$/i.test(file.name) || /^\s*[[{]/.test(text)
  const read = isJson ? readJson(text) : readCsv(text, separator ?? separatorOf(text))
  return { ...read, isGuessed }
}

function decode(bytes: ArrayBuffer): { text: string; isGuessed: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isGuessed: false }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: true }
  }
}

/** Returns the separator that is most frequent in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [head = ''] = text.split(/\r?\n/, 1)
  const plain = head.replaceAll(/"[^"]*"/g, '')
  const counts = separators.map((one) => plain.split(one).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

interface CsvRecord {
  record: (string | null)[]
  info: { lines: number }
}

function readCsv(text: string, separator: string): Omit<FileRows, 'isGuessed'> {
  try {
    const records = parse(text, {
      bom: true,
      delimiter: separator,
      info: true,
      skip_empty_lines: true,
      // An empty cell means no value; an empty string is in quotes.
      cast: (cell: string, { quoting }: { quoting: boolean }) => (cell === '' && !quoting ? null : cell),
    } as never) as unknown as CsvRecord[]
    const [head, ...others] = records
    const columns = (head?.record ?? []).map((name, index) => name?.trim() || `column_${index + 1}`)
    return {
      columns,
      separator,
      rows: others.map(({ record, info }) => ({
        // The parser counts the lines up to the end of the record.
        line: info.lines - record.join('').split('\n').length + 1,
        cells: Object.fromEntries(columns.map((name, index) => [name, record[index] ?? null])),
      })),
    }
  } catch (error) {
    throw error instanceof CsvError ? new FileError(error.message) : error
  }
}

function readJson(text: string): Omit<FileRows, 'isGuessed'> {
  const values = jsonRows(text)
  const wrong = values.findIndex(
    (value) => typeof value !== 'object' || value === null || Array.isArray(value),
  )
  if (wrong >= 0) throw new FileError(`${wrong + 1}`)
  const rows = values.map((cells, index) => ({
    line: index + 1,
    cells: cells as Readonly<Record<string, unknown>>,
  }))
  const columns = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
  return { columns, rows, separator: undefined }
}

/** Returns the rows of an array, of the only list in an object, or of JSON lines. */
function jsonRows(text: string): unknown[] {
  const whole = tryParse(text)
  if (Array.isArray(whole)) return whole
  if (typeof whole === 'object' && whole !== null) {
    const lists = Object.values(whole).filter(Array.isArray)
    return lists.length === 1 ? (lists[0] as unknown[]) : [whole]
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = tryParse(line)
    if (value === undefined) throw new FileError(`${index + 1}`)
    return [value]
  })
}

function tryParse(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
