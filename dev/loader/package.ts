/** A Frictionless data package: its descriptor, in the terms of the service's schemas. */
import { readFileSync } from 'node:fs'
import { basename, dirname, resolve, sep } from 'node:path'
import { readJson } from '../../src/lib/exact-json.ts'

interface RawField {
  name: string
  type?: string
  format?: string
  constraints?: Record<string, unknown>
  [key: string]: unknown
}

interface RawSchema {
  fields: RawField[]
  primaryKey?: string | string[]
  foreignKeys?: { fields: string | string[]; reference: { resource?: string; fields: string | string[] }; [key: string]: unknown }[]
  missingValues?: (string | { value: string })[]
  [key: string]: unknown
}

interface RawResource {
  name: string
  path?: unknown
  data?: unknown
  format?: string
  mediatype?: string
  encoding?: string
  dialect?: unknown
  schema?: RawSchema
}

export interface Resource {
  /** The table's name. */
  name: string
  /** The file, or undefined where the rows stand in the descriptor. */
  file: string | undefined
  data: unknown
  format: 'csv' | 'json'
  encoding: BufferEncoding
  dialect: Dialect
  missingValues: readonly string[]
  fields: readonly { name: string; type: string; format?: string; [key: string]: unknown }[]
  /** As `create_schema/` takes it. */
  schema: Record<string, unknown> & { fields: unknown[]; foreignKeys?: { reference: { resource: string } }[] }
}

interface Dialect {
  delimiter?: string
  quoteChar?: string
  header?: boolean
}

export interface DataPackage {
  resources: Resource[]
  /** What of the descriptor the service has no place for. */
  leftAside: string[]
}

/** What the service's schemas know; anything else of a field or a schema is left aside. */
const known = {
  schema: new Set([
    'fields',
    'primaryKey',
    'uniqueKeys',
    'foreignKeys',
    'indexes',
    'search_fields',
    'search_language',
    'hierarchy',
    'graph',
    'title',
    'description',
    'name',
    '$schema',
    'fieldsMatch',
    'missingValues',
  ]),
  field: new Set([
    'name',
    'type',
    'format',
    'constraints',
    'default',
    'title',
    'description',
    'example',
    'examples',
    'rdfType',
    'missingValues',
    'categories',
    'categoriesOrdered',
    'trueValues',
    'falseValues',
    'decimalChar',
    'groupChar',
    'bareNumber',
    'delimiter',
    'itemType',
  ]),
  constraint: new Set([
    'required',
    'unique',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'pattern',
    'enum',
    'jsonSchema',
  ]),
}

/** Throws an Error that says what of the descriptor is at fault. */
export function readPackage(file: string): DataPackage {
  let descriptor: { resources?: RawResource[] }
  try {
    descriptor = readJson(readFileSync(file, 'utf8')) as typeof descriptor
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`)
  }
  if (!Array.isArray(descriptor.resources) || descriptor.resources.length === 0) throw new Error(`${basename(file)} has no resources`)
  const leftAside: string[] = []
  const resources = descriptor.resources.map((resource, index) => readResource(resource, index, dirname(resolve(file)), leftAside))
  return { resources, leftAside }
}

function readResource(resource: RawResource, index: number, folder: string, leftAside: string[]): Resource {
  if (typeof resource.name !== 'string') throw new Error(`resources[${index}] has no name`)
  const at = `resource "${resource.name}"`
  if (!Array.isArray(resource.schema?.fields)) throw new Error(`${at} has no schema with fields`)
  const path = Array.isArray(resource.path) && resource.path.length === 1 ? resource.path[0] : resource.path
  if (resource.data === undefined && typeof path !== 'string') throw new Error(`${at} needs a path to one file, or data`)
  const file = resource.data === undefined ? inside(folder, path as string, at) : undefined
  const format = (resource.format ?? (file ?? 'x.json').split('.').at(-1) ?? '').toLowerCase()
  if (format !== 'csv' && format !== 'json') throw new Error(`${at} is of format "${format}"; csv and json can be loaded`)
  const missing = (resource.schema.missingValues ?? ['']).map((value) => (typeof value === 'string' ? value : value.value))
  const schema = readSchema(resource.schema, at, leftAside)
  return {
    name: tableName(resource.name),
    file,
    data: resource.data,
    format,
    encoding: encodingOf(resource.encoding, at),
    dialect: (resource.dialect ?? {}) as Dialect,
    missingValues: missing,
    fields: resource.schema.fields as Resource['fields'],
    schema,
  }
}

/** A package may name files beside and below its descriptor alone. */
function inside(folder: string, path: string, at: string): string {
  if (/^[a-z]+:\/\//i.test(path)) throw new Error(`${at} stands at ${path}; only files beside the descriptor can be loaded`)
  const file = resolve(folder, path)
  if (!file.startsWith(folder + sep)) throw new Error(`${at} names ${path}, which is not below the descriptor's folder`)
  return file
}

function encodingOf(name: string | undefined, at: string): BufferEncoding {
  const encodings: Record<string, BufferEncoding> = {
    'utf-8': 'utf8',
    utf8: 'utf8',
    ascii: 'utf8',
    'us-ascii': 'utf8',
    'iso-8859-1': 'latin1',
    latin1: 'latin1',
    'utf-16le': 'utf16le',
  }
  const encoding = encodings[(name ?? 'utf-8').toLowerCase()]
  if (!encoding) throw new Error(`${at} has the encoding "${name}", which cannot be read`)
  return encoding
}

/** The standard allows hyphens and dots in a name; a table has underscores. */
const tableName = (name: string) => name.replaceAll(/[-.]/g, '_')

const list = (value: string | string[]) => (typeof value === 'string' ? [value] : value)

function readSchema(schema: RawSchema, at: string, leftAside: string[]): Resource['schema'] {
  const keep = (of: Record<string, unknown>, names: Set<string>, place: string) =>
    Object.fromEntries(
      Object.entries(of).filter(([key]) => {
        const isKept = names.has(key) || key.startsWith('x-')
        if (!isKept) leftAside.push(`${place}: ${key}`)
        return isKept
      }),
    )
  const fields = schema.fields.map((field) => {
    const place = `${at}, field "${field.name}"`
    const kept = keep(field, known.field, place)
    if (field.constraints) kept.constraints = keep(field.constraints, known.constraint, `${place}, constraints`)
    return kept
  })
  const foreignKeys = schema.foreignKeys?.map((key) => ({
    fields: list(key.fields),
    reference: { resource: tableName(key.reference.resource ?? ''), fields: list(key.reference.fields) },
    ...(key['x-actions'] ? { 'x-actions': key['x-actions'] } : {}),
  }))
  return { ...keep(schema, known.schema, at), fields, ...(foreignKeys ? { foreignKeys } : {}) } as Resource['schema']
}

/** Resources so that each comes after those it references. */
export function inForeignKeyOrder(resources: readonly Resource[]): Resource[] {
  const ordered: Resource[] = []
  const waiting = new Set(resources)
  while (waiting.size > 0) {
    const next = [...waiting].filter(({ name, schema }) =>
      (schema.foreignKeys ?? []).every(({ reference: { resource } }) => resource === name || ![...waiting].some((other) => other.name === resource)),
    )
    if (next.length === 0)
      throw new Error(
        `the foreign keys of ${[...waiting].map(({ name }) => name).join(', ')} form a circle, so that no order of loading satisfies them`,
      )
    for (const resource of next) {
      waiting.delete(resource)
      ordered.push(resource)
    }
  }
  return ordered
}
