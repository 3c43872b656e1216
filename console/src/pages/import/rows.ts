/** Converts rows of a file to records of a table: columns to fields, and cells to values. */
import type { Field, Table } from '../../session/queries.ts'
import { numberOf, parseExact } from '../../shared/exact-json.ts'
import { isNumeric, isStructured } from '../data/values.ts'
import type { FileRow } from './read-file.ts'

/** The field of each column; a column without one is left out. */
export type Mapping = Readonly<Record<string, string>>

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
  ...fields.filter(({ constraints }) => constraints?.unique).map(({ name }) => [name]),
  ...(uniqueKeys as string[][]),
]

/** The format of numbers in the file. */
export type DecimalSign = '.' | ','

/** Returns the record of a row. Invalid values are sent unchanged, so that the service reports them. */
export function recordOf(
  { cells }: FileRow,
  mapping: Mapping,
  fields: ReadonlyMap<string, Field>,
  sign: DecimalSign,
): Record<string, unknown> {
  const values = Object.entries(mapping).flatMap(([column, name]) => {
    const field = fields.get(name)
    const cell = cells[column]
    if (!field || cell === undefined) return []
    return [[name, typeof cell === 'string' ? cellValue(cell, field, sign) : cell]]
  })
  return Object.fromEntries(values)
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function cellValue(text: string, field: Field, sign: DecimalSign): unknown {
  if (isStructured(field)) return jsonOf(text)
  if (field.type === 'boolean') return truths.get(text.trim().toLowerCase()) ?? text
  if (!isNumeric(field)) return text
  const trimmed = text.trim()
  return numberOf(sign === ',' ? trimmed.replaceAll('.', '').replace(',', '.') : trimmed)
}

function jsonOf(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return text
  }
}
