/** The rows of a resource as the service takes them: JSON as it is, CSV by the types of its fields. */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { numberOf, readJson } from '../../src/lib/exact-json.ts'
import type { Resource } from './package.ts'

type Row = Record<string, unknown>

/** Throws an Error that names the row at fault, counted from 1. */
export function readRows(resource: Resource): Row[] {
  const text = resource.file === undefined ? undefined : readFileSync(resource.file, resource.encoding)
  if (resource.format === 'csv') return csvRows(resource, text ?? String(resource.data))
  const data = text === undefined ? resource.data : readJson(text)
  if (!Array.isArray(data)) throw new Error(`${resource.name}: the rows have to be an array`)
  return tabular(data)
}

/** JSON rows are objects, or arrays of which the first names the fields. */
function tabular(data: unknown[]): Row[] {
  if (!Array.isArray(data[0])) return data as Row[]
  const [header, ...rows] = data as unknown[][]
  return rows.map((row) => Object.fromEntries((header as string[]).map((name, index) => [name, row[index]])))
}

function csvRows(resource: Resource, text: string): Row[] {
  const { delimiter = ',', quoteChar = '"', header = true } = resource.dialect
  const records = parse(text, {
    bom: true,
    delimiter,
    quote: quoteChar,
    columns: header ? true : resource.fields.map(({ name }) => name),
    relax_column_count: false,
    skip_empty_lines: true,
  }) as Record<string, string>[]
  const missing = new Set(resource.missingValues)
  return records.map((record, index) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => {
        if (missing.has(value)) return [name, null]
        const field = resource.fields.find((candidate) => candidate.name === name)
        if (!field) throw new Error(`${resource.name}, row ${index + 1}: the column "${name}" is none of the schema's fields`)
        try {
          return [name, convert(field, value)]
        } catch (error) {
          throw new Error(`${resource.name}, row ${index + 1}: ${name}: ${(error as Error).message}`)
        }
      }),
    ),
  )
}

function convert(field: Resource['fields'][number], text: string): unknown {
  const list = (key: string, otherwise: string[]) => (Array.isArray(field[key]) ? (field[key] as string[]) : otherwise)
  switch (field.type) {
    case 'integer':
    case 'year':
      // As text: no digit is lost on the way.
      return bare(field, text)
    case 'number': {
      const number = bare(field, text).replace(String(field.decimalChar ?? '.'), '.')
      if (number.trim() === '' || !Number.isFinite(Number(number))) throw new Error(`"${text}" is no number`)
      return numberOf(number.trim()) ?? Number(number)
    }
    case 'boolean': {
      if (list('trueValues', ['true', 'True', 'TRUE', '1']).includes(text)) return true
      if (list('falseValues', ['false', 'False', 'FALSE', '0']).includes(text)) return false
      throw new Error(`"${text}" is neither true nor false`)
    }
    case 'object':
    case 'array':
    case 'geojson':
      return readJson(text)
    case 'list': {
      const { itemType } = field
      const items = text.split(String(field.delimiter ?? ','))
      return typeof itemType === 'string' ? items.map((item) => convert({ ...field, type: itemType }, item)) : items
    }
    case 'geopoint':
      return field.format === 'array' || field.format === 'object' ? readJson(text) : text
    default:
      return text
  }
}

/** Without the separators of thousands, and without the units that `bareNumber: false` allows around it. */
function bare(field: Resource['fields'][number], text: string): string {
  const digits = field.groupChar ? text.replaceAll(String(field.groupChar), '') : text
  return field.bareNumber === false ? digits.replace(/^[^\d-]+|[^\d]+$/g, '') : digits
}
