/** The formats of exported rows, and which of them can represent a table's values exactly. */
import { inCsv } from '../../src/kernel/lib/csv.ts'
import { numberText } from '../../src/kernel/lib/exact-json.ts'
import type { RowFormat } from '../../src/operation/transfers/archive/package.ts'
import { Refusal } from '../loader/refusal.ts'
import type { ExportedTable } from './app.ts'
import type { AnsweredRecord } from './pages.ts'

export const formats: readonly RowFormat[] = ['csv', 'jsonl']

/** Types whose values can be any text. */
const freeTexts = new Set(['string', 'search_vector'])

/** Returns the fields whose values can be any text, including the text that means no value. */
export const textFields = ({ model }: ExportedTable): string[] =>
  [...model.fields.values()].filter(({ schema }) => freeTexts.has(schema.type)).map(({ name }) => name)

/** Writes rows as lines. */
export interface RowWriter {
  /** The first line; undefined if there is none. */
  header: string | undefined
  line(record: AnsweredRecord): string
}

/** Creates the writer of a format. `nothing` is the text that means no value in CSV. */
export function rowWriter(format: RowFormat, names: readonly string[], nothing: string): RowWriter {
  if (format === 'jsonl')
    return {
      header: undefined,
      line: (record) =>
        `${JSON.stringify(Object.fromEntries(names.map((name) => [name, record[name] ?? null])))}\n`,
    }
  return {
    header: `${names.map((name) => inCsv(name)).join(',')}\n`,
    line: (record) => csvLine(names.map((name) => csvValue(record[name] ?? null, nothing))),
  }
}

function csvValue(value: unknown, nothing: string): string {
  if (value === null) return inCsv(nothing)
  const text = numberText(value) ?? (typeof value === 'string' ? value : JSON.stringify(value))
  if (text === nothing) throw new Refusal('The app was changed while it was exported. Export it again.')
  return inCsv(text)
}

/** Returns a line of CSV. A row of one empty value would be an empty line, which readers skip. */
const csvLine = (cells: readonly string[]): string =>
  `${cells.length === 1 && cells[0] === '' ? '""' : cells.join(',')}\n`
