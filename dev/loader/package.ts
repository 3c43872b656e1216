/** A Frictionless data package: its resources, with everything that is needed to read their rows. */
import { basename, posix } from 'node:path'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import type { Hints } from '../../src/kernel/lib/written/guess.ts'
import { isMembers, type Members, resolveReference, settled } from './descriptor.ts'
import { type Dialect, readDialect } from './dialect.ts'
import { FaultsError } from './faults.ts'
import { type Files, nearHint } from './files.ts'
import { compressionOf, extensionOf, type Format, formatOf, readableFormats } from './formats.ts'
import { packagePath } from './package-path.ts'
import { Refusal } from './refusal.ts'

/** A file of a resource. */
export interface Source {
  path: string
  compression: 'gz' | 'zip' | undefined
  /** The file in a zip file that has several. */
  innerPath: string | undefined
}

/** A resource whose rows can be read. */
export interface Resource {
  /** Its name in the package. */
  name: string
  /** The files, in order; empty if the rows are in the descriptor. */
  sources: readonly Source[]
  data: unknown
  format: Format
  encoding: string | undefined
  dialect: Dialect
  /** The unchanged Table Schema; undefined if there is none. */
  schema: Members | undefined
  /** How its values are written, if it has no schema. */
  hints: Hints
  /** All members of the resource. */
  members: Members
}

export interface DataPackage {
  /** Its name in messages. */
  label: string
  members: Members
  resources: readonly Resource[]
}

/** The options from the command line about a package. */
export interface Choice {
  /** The names of the resources to load; undefined means all of them. */
  only: readonly string[] | undefined
  encoding: string | undefined
  /** How values are written in the files that have no schema. */
  hints?: Hints
}

/** Reads the resources of a descriptor. Throws a Refusal with all their problems. */
export async function readPackage(
  files: Files,
  descriptor: unknown,
  label: string,
  choice: Choice,
): Promise<DataPackage> {
  if (!isMembers(descriptor) || !Array.isArray(descriptor.resources) || descriptor.resources.length === 0)
    throw new Refusal(
      `${label} has no resources. ` +
        'A data package lists its tables: {"resources": [{"name": …, "path": …}]}.',
    )
  const all = descriptor.resources.map((resource: unknown, index) => ({
    resource,
    name: nameOf(resource, index),
  }))
  for (const name of choice.only ?? [])
    if (!all.some((one) => one.name === name))
      throw new Refusal(`--only ${name}: the package has ${all.map((one) => one.name).join(', ')}.`)
  const wanted = all.filter(({ name }) => choice.only?.includes(name) ?? true)
  const problems: string[] = []
  const failed: string[] = []
  const resources: Resource[] = []
  for (const { resource, name } of wanted) {
    try {
      resources.push(await readResource(files, resource, name, choice))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      failed.push(name)
      problems.push(
        error instanceof FaultsError ? error.message : `resource ${quoteValue(name)}: ${error.message}`,
      )
    }
  }
  const isHinted = Object.values(choice.hints ?? {}).some((hint) => hint !== undefined)
  if (isHinted && resources.length > 0 && resources.every(({ schema }) => schema !== undefined))
    problems.push('--decimal and --dates are for files without a schema. Correct the fields of the schema.')
  problems.push(...repeated(resources.map(({ name }) => name)))
  if (problems.length > 0) throw new Refusal([...problems, ...rest(resources, failed)].join('\n'))
  return { label, members: descriptor, resources }
}

/** Says how to load the resources that can be read. */
function rest(resources: readonly Resource[], failed: readonly string[]): string[] {
  const others = resources.map(({ name }) => name).filter((name) => !failed.includes(name))
  return failed.length > 0 && others.length > 0
    ? [`To load the others alone: --only ${others.join(',')}`]
    : []
}

const repeated = (names: readonly string[]): string[] =>
  names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => `Two resources are named ${quoteValue(name)}. Give each a name of its own.`)

/** Returns the name of a resource, or else the name of its file, or else its position. */
function nameOf(resource: unknown, index: number): string {
  if (!isMembers(resource)) return `resource_${index + 1}`
  if (typeof resource.name === 'string' && resource.name !== '') return resource.name
  const path = Array.isArray(resource.path) ? resource.path[0] : resource.path
  return typeof path === 'string' ? nameOfFile(path) : `resource_${index + 1}`
}

/** Returns the name of a file without its folder and its extension. */
export const nameOfFile = (path: string): string =>
  posix
    .basename(path)
    .replace(/\.(?:gz|zip)$/i, '')
    .replace(/\.[^.]+$/, '')

async function readResource(files: Files, given: unknown, name: string, choice: Choice): Promise<Resource> {
  if (!isMembers(given)) throw new Refusal('It must be an object.')
  const { data, ...described } = given
  const members: Members = { ...(settled(described) as Members), ...(data === undefined ? {} : { data }) }
  const sources = members.data === undefined ? readSources(members) : []
  if (members.data === undefined && sources.length === 0)
    throw new Refusal('It needs the path of a file, or its rows as data.')
  for (const { path } of sources)
    if (!files.has(path))
      throw new Refusal(
        `There is no file ${quoteValue(path)} in the package. Put it there, or correct the path.` +
          nearHint(path, files.beside(path)),
      )
  const { format, delimiter = ',' } = readFormat(members, sources)
  const dialect = await resolveReference(files, members.dialect, 'dialect')
  const schema = await resolveReference(files, members.schema, 'schema')
  return {
    name,
    sources,
    data: members.data,
    format,
    encoding: choice.encoding ?? encodingOf(members),
    dialect: readDialect(dialect, 'dialect', delimiter),
    schema: schema && hasFields(schema) ? schema : undefined,
    hints: choice.hints ?? {},
    members,
  }
}

/** Returns whether a schema has fields. Without them, the fields are inferred. */
function hasFields(schema: Members): boolean {
  if (schema.fields === undefined) return false
  if (!Array.isArray(schema.fields) || !schema.fields.every(isMembers))
    throw new Refusal('schema.fields must be an array of objects, one for each field.')
  return schema.fields.length > 0
}

const encodingOf = ({ encoding }: Members): string | undefined => {
  if (encoding === undefined || encoding === null) return undefined
  if (typeof encoding === 'string') return /^utf-?8$/i.test(encoding) ? undefined : encoding
  throw new Refusal('encoding must be a string, for example "utf-8".')
}

/**
 * Returns the files. In the first drafts of the standard, a package has `url` or `file` instead of `path`.
 */
function readSources(members: Members): Source[] {
  const given = members.path ?? members.url ?? members.file
  const paths = (Array.isArray(given) ? given : [given]).filter((path) => path !== undefined && path !== null)
  const { compression } = members
  const declared = compression === 'gz' || compression === 'zip' ? compression : undefined
  return paths.map((path) => {
    if (typeof path !== 'string') throw new Refusal(`path must be a string, or an array of strings.`)
    const inner = members.innerpath ?? members.innerPath
    return {
      path: packagePath(path),
      compression: compressionOf(path) ?? declared,
      innerPath: typeof inner === 'string' ? inner : undefined,
    }
  })
}

function readFormat(members: Members, sources: readonly Source[]) {
  const [first] = sources
  if (!first && typeof members.data !== 'string') return { format: 'json' as const }
  const innerPath = first?.innerPath
  const given =
    typeof members.format === 'string' ? members.format.toLowerCase().replace(/^\./, '') : undefined
  const compressed = given === 'gz' || given === 'zip' ? undefined : given
  const name = compressed ?? extensionOf(innerPath ?? first?.path ?? 'data.csv')
  const found = formatOf(name)
  if (typeof found === 'object') return found
  const file = first ? quoteValue(basename(first.path)) : 'data'
  throw new Refusal(`${file} is ${found}. These can be read: ${readableFormats}.`)
}
