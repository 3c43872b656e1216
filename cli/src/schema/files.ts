/** Reads and writes an app as files, one for each table, function and secret type: docs/guide/cli.md. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../../dev/loader/refusal.ts'
import { fileName, isFileName, makeOwnFolder, readOwn, writeOwn } from '../../../dev/own-files.ts'
import { parseStrictly } from '../../../src/kernel/lib/parse-json.ts'
import { inOrder } from '../../../src/operation/transfers/archive/order.ts'
import {
  functionSettings,
  unknownSettings,
} from '../../../src/operation/transfers/source/function-settings.ts'
import {
  type AppPart,
  isReference,
  type Members,
  type TablePart,
} from '../../../src/operation/transfers/source/source.ts'
import { exitCodes } from '../exit-codes.ts'
import { buildSource, type Source } from '../functions/bundle.ts'
import { Problem } from '../problem.ts'
import type { FunctionPart, Parts } from './parts.ts'
import { subscriptionsFile, subscriptionsOf } from './subscriptions-file.ts'

const appFile = 'app.json'
const rolesFile = 'roles.json'
const folders = { tables: 'tables', functions: 'functions', secretTypes: 'secret-types' } as const

/** Writes the parts, and deletes the files of removed parts. */
export async function writeFiles(folder: string, parts: Parts): Promise<void> {
  const files = new Map<string, string>([
    [appFile, jsonText(parts.app)],
    [subscriptionsFile, jsonText(parts.subscriptions)],
  ])
  if (parts.roles.size > 0) files.set(rolesFile, jsonText(Object.fromEntries(parts.roles)))
  else rmSync(join(folder, rolesFile), { force: true })
  const add = (kind: string, name: string, extension: string, text: string) => {
    files.set(join(kind, `${fileName(name)}.${extension}`), text)
  }
  for (const [name, table] of parts.tables) add(folders.tables, name, 'json', jsonText(table))
  for (const [name, { settings, code }] of parts.functions) {
    add(folders.functions, name, 'json', jsonText(settings))
    if (code === '') continue
    const source = await sourceOf(folder, name, code)
    if (source === undefined) add(folders.functions, name, 'js', code)
    else files.set(source.path, source.text)
  }
  for (const [name, type] of parts.secretTypes) add(folders.secretTypes, name, 'json', jsonText(type))
  for (const kind of Object.values(folders)) {
    makeOwnFolder(folder, kind)
    for (const { path } of filesIn(folder, kind)) if (!files.has(path)) rmSync(join(folder, path))
  }
  for (const [path, text] of files)
    if (!existsSync(join(folder, path)) || readOwn(folder, path) !== text) writeOwn(folder, path, text)
}

/**
 * Returns the source in the folder whose bundle is the code in the service, if there is one. It is not
 * overwritten.
 */
async function sourceOf(folder: string, name: string, code: string) {
  for (const { path } of sourcesIn(folder, name)) {
    const text = readOwn(folder, path)
    if (text === code) return { path, text }
    // If it cannot be bundled, it differs from the service.
    const built = await buildSource({ folder, path }).catch(() => undefined)
    if (built?.code === code) return { path, text }
  }
  return undefined
}

const sourcesIn = (folder: string, name: string): FoundFile[] =>
  filesIn(folder, folders.functions).filter((file) => file.name === name && file.extension !== 'json')

const jsonText = (value: unknown): string => `${JSON.stringify(inOrder(value), null, 2)}\n`

export const hasFiles = (folder: string): boolean => existsSync(join(folder, appFile))

/** Returns the code of a source for deployment. */
type ReadCode = (source: Source) => Promise<string>

const bundled: ReadCode = async (source) => (await buildSource(source)).code

/** Reads a source byte for byte, as an archive has it. */
export const verbatim: ReadCode = async ({ folder, path }) => readOwn(folder, path)

/** Reads the parts, with the code of functions for deployment. Throws a Problem with all errors. */
export async function readFiles(folder: string, readCode = bundled): Promise<Parts> {
  if (!hasFiles(folder))
    throw new Problem(
      `There is no ${join(folder, appFile)}. Begin with: tessera schema pull <app> --dir ${folder}`,
    )
  const problems: string[] = []
  const read = (path: string): Members => readMembers(folder, path, problems)
  const eachOf = <Value>(kind: string, make: (members: Members, name: string) => Value): Map<string, Value> =>
    new Map(
      filesIn(folder, kind)
        .filter(({ extension }) => extension === 'json')
        .map(({ name, path }) => {
          if (!isFileName(name)) problems.push(`${path}: a name has lower-case letters, digits, - and _ only`)
          return [name, make(read(path), name)]
        }),
    )
  const tables = eachOf(folders.tables, (members, name) =>
    tableOf(members, join(folders.tables, `${name}.json`), problems),
  )
  const settings = eachOf(folders.functions, (members, name) => settingsOf(members, name, problems))
  const functions = new Map<string, FunctionPart>()
  for (const [name, one] of settings)
    functions.set(name, { settings: one, code: await codeOf({ folder, name, readCode, problems }) })
  for (const { name, path, extension } of filesIn(folder, folders.functions))
    if (extension !== 'json' && !functions.has(name))
      problems.push(`${path}: there is no ${name}.json beside it`)
  const parts = {
    app: appOf(read(appFile), tables),
    tables,
    functions,
    subscriptions: subscriptionsOf(read(subscriptionsFile), functions, problems),
    secretTypes: eachOf(folders.secretTypes, (members, name) => ({
      name,
      description: '',
      sensitivity_level: 'private',
      schema: null,
      ...members,
    })),
    roles: new Map(
      Object.entries(read(rolesFile)).map(([name, role]) => [
        name,
        { title: '', description: '', groups: [], ...Object(role) },
      ]),
    ),
  }
  if (problems.length > 0) throw new Problem(problems.join('\n'))
  return parts
}

export interface FunctionFiles {
  settings: Members
  source: Source
  /** The paths of the settings and of the source. */
  files: readonly string[]
}

/**
 * Reads the settings of one function, and finds its source. Throws a Problem with all errors, or if one of
 * the two is missing.
 */
export function readFunction(folder: string, slug: string): FunctionFiles {
  const path = join(folders.functions, `${fileName(slug)}.json`)
  const [source, other] = sourcesIn(folder, slug)
  if (!existsSync(join(folder, path)) || source === undefined)
    throw new Problem(
      `There is no ${join(folder, folders.functions, slug)}.json with a source beside it. ` +
        `Write both with: tessera functions new <app> ${slug}`,
      exitCodes.notFound,
    )
  const problems = other ? [`${other.path}: ${source.path} is there as well. Delete one of them`] : []
  const settings = settingsOf(readMembers(folder, path, problems), slug, problems)
  if (problems.length > 0) throw new Problem(problems.join('\n'))
  return {
    settings,
    source: { folder, path: source.path },
    files: [path, source.path].map((each) => join(folder, each)),
  }
}

/** Returns the settings of all functions by their slugs. Throws a Problem with all errors. */
export function readSettings(folder: string): Map<string, Members> {
  const problems: string[] = []
  const settings = filesIn(folder, folders.functions)
    .filter(({ extension }) => extension === 'json')
    .map(({ name, path }): [string, Members] => [
      name,
      settingsOf(readMembers(folder, path, problems), name, problems),
    ])
  if (problems.length > 0) throw new Problem(problems.join('\n'))
  return new Map(settings)
}

interface FoundFile {
  /** The path, relative to the folder of the app. */
  path: string
  name: string
  extension: string
}

function filesIn(folder: string, kind: string): FoundFile[] {
  const place = join(folder, kind)
  if (!existsSync(place)) return []
  return readdirSync(place)
    .toSorted()
    .flatMap((file) => {
      const [, name = '', extension = ''] = /^([^.].*)\.(json|js|ts)$/.exec(file) ?? []
      return name === '' ? [] : [{ path: join(kind, file), name, extension }]
    })
}

function readMembers(folder: string, path: string, problems: string[]): Members {
  if (!existsSync(join(folder, path))) return {}
  try {
    const value: unknown = parseStrictly(readOwn(folder, path))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
    problems.push(`${path}: it must be a JSON object`)
  } catch (error) {
    problems.push(`${path}: ${error instanceof Error ? error.message : error}`)
  }
  return {}
}

const defaultDatasource = 'main'

/** Returns the app. If it names no datasources, it has the default one for the tables that are in it. */
function appOf({ name, description, datasources, rules }: Members, tables: Parts['tables']): AppPart {
  const needsDefault = [...tables.values()].some(
    (one) => !isReference(one) && one.datasource === defaultDatasource,
  )
  const named = datasources ?? (needsDefault ? { [defaultDatasource]: { name: 'Main' } } : {})
  return {
    name: String(name ?? ''),
    description: String(description ?? ''),
    datasources: Object.fromEntries(
      Object.entries(Object(named)).map(([slug, one]) => [
        slug,
        { name: slug, provider_type: 'flat_table', provider_config: {}, description: '', ...Object(one) },
      ]),
    ),
    ...(Array.isArray(rules) && rules.length > 0 ? { rules } : {}),
  }
}

/** The members of a table's file. */
const tableMembers = ['description', 'datasource', 'materialized', 'schema', 'reference']

function tableOf(members: Members, path: string, problems: string[]): TablePart {
  const { description = '', datasource = defaultDatasource, materialized = true, schema, reference } = members
  for (const name of Object.keys(members).filter((one) => !tableMembers.includes(one)))
    problems.push(`${path}: unknown member ${JSON.stringify(name)}. Members: ${tableMembers.join(', ')}`)
  if (reference !== undefined) {
    const { app, table } = Object(reference) as Members
    return { reference: { app: String(app), table: String(table) } }
  }
  if (typeof schema !== 'object' || schema === null) problems.push(`${path}: "schema" is missing`)
  return {
    description: String(description),
    datasource: String(datasource),
    materialized: materialized !== false,
    schema: Object(schema) as Members,
  }
}

function settingsOf(members: Members, name: string, problems: string[]): Members {
  for (const unknown of unknownSettings(members))
    problems.push(`${join(folders.functions, `${name}.json`)}: unknown member ${JSON.stringify(unknown)}`)
  return functionSettings({ name, ...members })
}

interface CodePlace {
  folder: string
  name: string
  readCode: ReadCode
  problems: string[]
}

/** Returns the code of a function for deployment; empty if it has no source. */
async function codeOf({ folder, name, readCode, problems }: CodePlace): Promise<string> {
  const [source, other] = sourcesIn(folder, name)
  if (source === undefined) return ''
  if (other !== undefined) problems.push(`${other.path}: ${source.path} is there as well. Delete one of them`)
  try {
    return await readCode({ folder, path: source.path })
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Refusal)) throw error
    problems.push(error.message)
    return ''
  }
}
