/** CSV (RFC 4180): writes it, and reads it with the line and the column of every fault. */
import { quotedAt } from './quoted.ts'

/** Returns a text as a cell. Adds quotes if they are needed. */
export const inCsv = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text

export const csvLine = (texts: readonly string[]): string => `${texts.map(inCsv).join(',')}\r\n`

/** Returns the problem of a row whose number of values differs from that of its header. */
export function lengthFault(values: number, columns: number): string {
  const counted = values === 1 ? '1 value' : `${values} values`
  return `The row has ${counted}, but there ${columns === 1 ? 'is 1 column' : `are ${columns} columns`}.`
}

/** The possible problems of a CSV text. */
export const csvFaults = {
  notClosed: 'A quote is not closed.',
  behindQuote: 'A closing quote must be followed by a delimiter or the end of the line.',
  quoteWithin:
    'A value without quotes contains a quote. Put the value in quotes, and double the quotes in it.',
  returnWithin: 'A carriage return stands alone. Put a value that has one in quotes.',
  tooMany: 'A row may have at most 1000 values.',
} as const

/** The most values of a row. */
const valuesMax = 1_000

/** Thrown for a text that is not CSV. Lines and columns count from 1; a column is a value of its row. */
export class CsvFault extends Error {
  readonly line: number
  readonly column: number

  constructor(line: number, column: number, text: string) {
    super(text)
    this.line = line
    this.column = column
  }
}

/** A row, with the line on which it begins. A value that is empty without quotes is null. */
export interface CsvRow {
  line: number
  values: readonly (string | null)[]
}

/** Reads the rows of a text, including the header. Throws CsvFault. */
export function* csvRows(text: string): Generator<CsvRow> {
  const plain = /[^",\r\n]*/y
  let at = 0
  let line = 1
  while (at < text.length) {
    const begin = line
    const values: (string | null)[] = []
    for (;;) {
      const fault = (reason: keyof typeof csvFaults) =>
        new CsvFault(line, values.length + 1, csvFaults[reason])
      if (text[at] === '"') {
        const quoted = quotedAt(text, at)
        if (!quoted) throw fault('notClosed')
        at = quoted.end
        if (at < text.length && !/[,\r\n]/.test(text[at] as string)) throw fault('behindQuote')
        values.push(quoted.value)
        line += countLineFeeds(quoted.value)
      } else {
        plain.lastIndex = at
        const [value = ''] = plain.exec(text) ?? []
        at += value.length
        if (text[at] === '"') throw fault('quoteWithin')
        values.push(value === '' ? null : value)
      }
      if (text[at] !== ',') break
      refuseMore(line, values.length)
      at++
    }
    if (text[at] === '\r' && text[at + 1] !== '\n')
      throw new CsvFault(line, values.length, csvFaults.returnWithin)
    at += text[at] === '\r' ? 2 : 1
    line++
    yield { line: begin, values }
  }
}

/** Throws if a row that goes on has as many values as it may have. */
function refuseMore(line: number, values: number): void {
  if (values === valuesMax) throw new CsvFault(line, values + 1, csvFaults.tooMany)
}

function countLineFeeds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
