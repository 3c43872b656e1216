/** Finds the header of a table: joins the header rows that the dialect names. */
import type { Dialect } from '../dialect.ts'
import { type Header, headerOf } from './row.ts'

/** Gets the rows of a file in order, with their lines. Returns the header for a row of data. */
export type HeaderReader = (cells: readonly unknown[], line: number) => Header | undefined

/** Creates the reader of a file. `names` are the labels of a file without a header. */
export function headerReader(dialect: Dialect, names: readonly string[] | undefined): HeaderReader {
  const { headerRows, headerJoin, commentRows } = dialect
  const last = headerRows.at(-1) ?? 0
  const parts: (readonly unknown[])[] = []
  let row = 0
  let header: Header | undefined
  return (cells, line) => {
    row++
    if (commentRows.includes(row)) return undefined
    if (headerRows.includes(row)) parts.push(cells)
    if (row === last && parts.length > 0) header = headerOf(joined(parts, headerJoin), line)
    if (row <= last) return undefined
    header ??= headerOf(names ?? cells.map((_, index) => `field_${index + 1}`), line)
    return header
  }
}

function joined(rows: readonly (readonly unknown[])[], separator: string): unknown[] {
  const [first = []] = rows
  if (rows.length === 1) return [...first]
  return first.map((_, index) =>
    rows
      .map((row) => String(row[index] ?? '').trim())
      .filter((text, at, texts) => text !== '' && texts.indexOf(text) === at)
      .join(separator),
  )
}
