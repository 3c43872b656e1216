/** Converts rows of a file to records of a table: columns to fields, and cells to values. */
import { parseJson } from '../../../../src/kernel/lib/parse-json.ts'
import { quoteValue } from '../../../../src/kernel/lib/quote-value.ts'
import type { Form } from '../../../../src/kernel/lib/written/form.ts'
import { readWritten } from '../../../../src/kernel/lib/written/read-written.ts'
import type { Field, Table } from '../../session/queries.ts'
import { numberOf, parseExact } from '../../shared/exact-json.ts'
import { isStructured } from '../data/values.ts'
import type { ColumnForm, Mapping } from './forms.ts'
import type { FileRow } from './read-file.ts'

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\d]+/gu, '_')

/** Returns the fields whose names or titles match the columns. */
export function mappingOf(columns: readonly string[], { json_schema: { fields } }: Table): Mapping {
  const free = new Set(fields)
  const found = columns.flatMap((column) => {
    const field = [...free].find(
      ({ name, title }) => plain(name) === plain(column) || (title && plain(title) === plain(column)),
    )
    if (!field) return []
    free.delete(field)
    return [[column, field.name] as const]
  })
  return Object.fromEntries(found)
}

/** Returns the fields by which an upsert can find records: keys and unique fields. */
export const matchesOf = ({ primary_key, json_schema: { fields, uniqueKeys = [] } }: Table): string[][] => [
  primary_key,
  ...fields.filter(({ constraints }) => constraints?.unique === true).map(({ name }) => [name]),
  ...(uniqueKeys as string[][]),
]

/** A value that cannot be read. */
export interface Unreadable {
  /** The problem with the value. */
  text: string
  /** The problem without the value: the same for all values with this problem. */
  cause: string
}

/** The record of a row, and its values that cannot be read. */
export interface ReadRow {
  record: Record<string, unknown>
  problems: readonly Unreadable[]
}

/** Creates the function that reads rows. Values that only the service can check are sent unchanged. */
export function rowReader(
  columns: readonly string[],
  mapping: Mapping,
  fields: ReadonlyMap<string, Field>,
  forms: ReadonlyMap<string, ColumnForm>,
): (row: FileRow) => ReadRow {
  const mapped = columns.flatMap((column, index) => {
    const field = fields.get(mapping[column] ?? '')
    const form = forms.get(column)?.form ?? {}
    return field ? [{ column, field, form, place: `column ${index + 1} (${column})` }] : []
  })
  return ({ cells, fault }) => {
    if (fault !== undefined) return { record: {}, problems: [{ text: fault, cause: fault }] }
    const record: [string, unknown][] = []
    const problems: Unreadable[] = []
    for (const { column, field, form, place } of mapped) {
      const cell = cells[column]
      if (cell === undefined) continue
      const read = typeof cell === 'string' ? cellValue(cell, field, form) : { value: cell }
      if ('value' in read) record.push([field.name, read.value])
      else
        problems.push({
          text: `${place}: ${quoteValue(cell)} ${read.problem}`,
          cause: `${place}: ${read.problem}`,
        })
    }
    return { record: Object.fromEntries(record), problems }
  }
}

function cellValue(text: string, field: Field, form: Form): { value: unknown } | { problem: string } {
  if (isStructured(field)) return readJson(text)
  const reading = readWritten(field.type, text, form)
  if (!reading) return { value: text }
  return 'number' in reading ? { value: numberOf(reading.number) } : reading
}

/** Reads JSON. A text that is none is sent unchanged; one that loses a part if it is read is refused. */
function readJson(text: string): { value: unknown } | { problem: string } {
  const parsed = parseJson(text)
  if ('value' in parsed) return { value: parseExact(text) }
  return parsed.isJson ? { problem: `cannot be read. ${parsed.problem}` } : { value: text }
}
