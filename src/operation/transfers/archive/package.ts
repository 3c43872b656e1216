/** The descriptor of an exported app: a Frictionless data package that loads back to an equal app. */
import type { Table as Model } from '../../../data/model/service.ts'
import { typeOf } from '../../../data/model/service.ts'
import type { Members } from '../source/source.ts'
import { datedTypes, lexicalFieldMembers } from './lexical.ts'

/** Marks a data package that the service, or its export, has written. Its schemas are used unchanged. */
export const exportedMember = 'x-tessera'

export type RowFormat = 'csv' | 'jsonl'

/** The media type and the file extension of each format. */
const fileForms: Record<RowFormat, { mediatype: string }> = {
  csv: { mediatype: 'text/csv' },
  jsonl: { mediatype: 'application/jsonl' },
}

/** A table in the descriptor. */
export interface PackagedTable {
  name: string
  description: string
  datasource: string
  isMaterialized: boolean
  /** The stored schema of the table. */
  schema: Members
  model: Model
}

/** A table of another app that is readable in this one. */
interface PackagedReference {
  source_app_slug: string
  source_table_name: string
  reference_name: string
}

/** An app in the descriptor. */
export interface PackagedApp {
  slug: string
  name: string
  description: string
  datasources: readonly Members[]
  references: readonly PackagedReference[]
}

/** Types whose values look the same in a CSV cell: the number 5 and the text "5", or a list and its items. */
const onlyInJson = new Set(['any', 'list'])

/** Returns the format for a table. CSV cannot represent all types. */
export const formatFor = (wanted: RowFormat, { model }: PackagedTable): RowFormat =>
  [...model.fields.values()].some(({ schema }) => onlyInJson.has(schema.type)) ? 'jsonl' : wanted

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A file of the package with its resource. */
export interface ExportedFile<Table extends PackagedTable = PackagedTable> {
  path: string
  format: RowFormat
  /** The text that stands for no value; only used in CSV. */
  nothing: string
  table: Table
  resource: Members
}

/** Returns the schema of the exported file for a stored schema. Values in the file have their usual forms. */
function schemaOfFile(stored: Members, missingValues: readonly string[]): Members {
  const { missingValues: _, fieldsMatch: _match, ...schema } = stored
  const fields = (Array.isArray(stored.fields) ? stored.fields : []).filter(isMembers).map((field) => {
    const isDated = datedTypes.has(String(field.type))
    return Object.fromEntries(
      Object.entries(field).filter(
        ([name]) => !lexicalFieldMembers.has(name) && !(isDated && name === 'format'),
      ),
    )
  })
  return { ...schema, fields, missingValues }
}

/** The members of a schema that come first. The others follow in the order of their names. */
const firstMembers = [
  '$schema',
  'name',
  'title',
  'description',
  'fields',
  'primaryKey',
  'uniqueKeys',
  'foreignKeys',
]

/** Returns a schema with its members in a fixed order, independently of the order in which they were sent. */
function inOrder(schema: Members): Members {
  const names = Object.keys(schema).filter((name) => !firstMembers.includes(name))
  const ordered = [...firstMembers.filter((name) => schema[name] !== undefined), ...names.sort()]
  return Object.fromEntries(ordered.map((name) => [name, schema[name]]))
}

/** Returns the file of a table's records. */
export function fileOfTable<Table extends PackagedTable>(
  table: Table,
  wanted: RowFormat,
  nothing: string,
): ExportedFile<Table> {
  const format = formatFor(wanted, table)
  const path = `data/${table.name}.${format}`
  const stored = inOrder(table.schema)
  const schema = inOrder(schemaOfFile(stored, format === 'csv' ? [nothing] : []))
  const { missingValues: _, ...rest } = schema
  const isStored = JSON.stringify(rest) === JSON.stringify(stored)
  const resource = {
    ...head(table.name, table.description),
    ...(table.isMaterialized ? { path, ...formOf(format) } : { data: [], 'x-draft': true }),
    schema,
    ...(isStored ? {} : { 'x-schema': stored }),
    'x-datasource': table.datasource,
  }
  return { path, format, nothing, table, resource }
}

/** The fields of the edges of a table. */
export const edgeFields = ['from_id', 'to_id', 'type', 'metadata']

/** Returns the file of a table's edges. */
export function fileOfEdges<Table extends PackagedTable>(
  table: Table,
  format: RowFormat,
): ExportedFile<Table> {
  const path = `data/${table.name}-edges.${format}`
  const key = table.model.primaryKey[0]?.schema
  const end = { type: typeOf(key ?? { type: 'string' }).base ?? key?.type ?? 'string' }
  const required = { constraints: { required: true } }
  const schema = {
    fields: [
      { name: 'from_id', ...end, ...required },
      { name: 'to_id', ...end, ...required },
      { name: 'type', type: 'string', ...required },
      { name: 'metadata', type: 'object' },
    ],
    primaryKey: ['from_id', 'to_id', 'type'],
    missingValues: [],
  }
  const resource = {
    ...head(`${table.name}-edges`, ''),
    path,
    ...formOf(format),
    schema,
    'x-edges': table.name,
  }
  return { path, format, nothing: '', table, resource }
}

const head = (name: string, description: string): Members => ({
  name,
  ...(description === '' ? {} : { description }),
})

const formOf = (format: RowFormat): Members => ({ format, ...fileForms[format], encoding: 'utf-8' })

export function descriptorText(app: PackagedApp, files: readonly ExportedFile[]): string {
  const descriptor = {
    name: app.slug,
    title: app.name,
    ...(app.description === '' ? {} : { description: app.description }),
    [exportedMember]: { version: 1 },
    'x-datasources': app.datasources,
    ...(app.references.length > 0 ? { 'x-references': app.references } : {}),
    resources: files.map(({ resource }) => resource),
  }
  return `${JSON.stringify(descriptor, undefined, 2)}\n`
}
