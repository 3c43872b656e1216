/** The formats of exported rows, and which of them a table's values can be written in exactly. */
import { inCsv } from '../../src/lib/csv.ts'
import { numberText } from '../../src/lib/exact-json.ts'
import { Refusal } from '../loader/refusal.ts'
import type { ExportedTable } from './app.ts'
import type { AnsweredRecord } from './pages.ts'

/** A format of rows. */
export type RowFormat = 'csv' | 'jsonl'

/** The formats of rows. */
export const formats: readonly RowFormat[] = ['csv', 'jsonl']

/** The media type and the end of the file's name, by format. */
export const fileForms: Record<RowFormat, { mediatype: string }> = {
  csv: { mediatype: 'text/csv' },
  jsonl: { mediatype: 'application/jsonl' },
}

/**
 * Types whose values a cell of CSV does not tell apart: the number 5 and the text "5", a list and its items.
 */
const onlyInJson = new Set(['any', 'list'])

/** Returns the format of a table: CSV cannot have all types. */
export const formatFor = (wanted: RowFormat, { model }: ExportedTable): RowFormat =>
  [...model.fields.values()].some(({ schema }) => onlyInJson.has(schema.type)) ? 'jsonl' : wanted

/** Types whose values can be any text. */
const freeTexts = new Set(['string', 'search_vector'])

/**
 * Returns the fields whose values can be any text, which could be taken for the text that stands for no
 * value.
 */
export const textFields = ({ model }: ExportedTable): string[] =>
  [...model.fields.values()].filter(({ schema }) => freeTexts.has(schema.type)).map(({ name }) => name)

/** Writes rows as lines. */
export interface RowWriter {
  /** The first line; undefined if there is none. */
  header: string | undefined
  line(record: AnsweredRecord): string
}

/** Makes the writer of a format. `nothing` is the text that stands for no value in CSV. */
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

/** A row of one empty value would be an empty line, which readers skip. */
const csvLine = (cells: readonly string[]): string =>
  `${cells.length === 1 && cells[0] === '' ? '""' : cells.join(',')}\n`
