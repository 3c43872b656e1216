/** The descriptor of an exported app: a Frictionless data package that loads back to an equal app. */
import { typeOf } from '../../src/data/model/types.ts'
import { isMembers, type Members } from '../loader/descriptor.ts'
import { datedTypes, lexicalFieldMembers } from '../loader/lexical.ts'
import { exportedMember } from '../loader/make-tables.ts'
import type { ExportedApp, ExportedTable } from './app.ts'
import { fileForms, formatFor, type RowFormat } from './formats.ts'

/** A file of the package with its resource. */
export interface ExportedFile {
  path: string
  format: RowFormat
  /** The text that stands for no value; used in CSV only. */
  nothing: string
  table: ExportedTable
  resource: Members
}

/** Returns a stored schema as one that describes the exported file: its values are in the usual forms. */
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

/** The members of a schema that come first; the others follow by their names. */
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

/** Returns a schema with its members in one order, whatever order they were sent in. */
function inOrder(schema: Members): Members {
  const names = Object.keys(schema).filter((name) => !firstMembers.includes(name))
  const ordered = [...firstMembers.filter((name) => schema[name] !== undefined), ...names.sort()]
  return Object.fromEntries(ordered.map((name) => [name, schema[name]]))
}

/** Returns the file of a table's records. */
export function fileOfTable(table: ExportedTable, wanted: RowFormat, nothing: string): ExportedFile {
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
export function fileOfEdges(table: ExportedTable, format: RowFormat): ExportedFile {
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

/** Returns the descriptor as text. */
export function descriptorText(app: ExportedApp, files: readonly ExportedFile[]): string {
  const descriptor = {
    name: app.service.app,
    title: app.name,
    ...(app.description === '' ? {} : { description: app.description }),
    [exportedMember]: { version: 1 },
    'x-datasources': app.datasources,
    ...(app.references.length > 0 ? { 'x-references': app.references } : {}),
    resources: files.map(({ resource }) => resource),
  }
  return `${JSON.stringify(descriptor, undefined, 2)}\n`
}
