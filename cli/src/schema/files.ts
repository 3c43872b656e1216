/**
 * Reads and writes an app as files: one for each table, function and secret type, in a stable order.
 * docs/guide/cli.md.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inOrder } from '../../../src/transfers/archive/order.ts'
import { functionSettings, unknownSettings } from '../../../src/transfers/source/function-settings.ts'
import { exitCodes } from '../exit-codes.ts'
import { bundleOf } from '../functions/bundle.ts'
import { Problem } from '../problem.ts'
import type { AppPart, FunctionPart, Members, Parts, TablePart } from './parts.ts'

const appFile = 'app.json'
const subscriptionsFile = 'subscriptions.json'
const folders = { tables: 'tables', functions: 'functions', secretTypes: 'secret-types' } as const

/** A name of a part that is a valid file name: the allowed names of tables and slugs. */
const fileName = /^[a-z0-9][a-z0-9_-]{0,99}$/

/** Writes the parts, and deletes the files of removed parts. */
export async function writeFiles(folder: string, parts: Parts): Promise<void> {
  const files = new Map<string, string>([
    [appFile, jsonText(parts.app)],
    [subscriptionsFile, jsonText(parts.subscriptions)],
  ])
  const add = (kind: string, name: string, extension: string, text: string) => {
    if (!fileName.test(name)) throw new Problem(`The name ${JSON.stringify(name)} cannot be that of a file.`)
    files.set(join(kind, `${name}.${extension}`), text)
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
    mkdirSync(join(folder, kind), { recursive: true })
    for (const { path } of filesIn(folder, kind)) if (!files.has(path)) rmSync(join(folder, path))
  }
  for (const [path, text] of files) {
    const file = join(folder, path)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  }
}

/**
 * Returns the source in the folder whose bundle is the code in the service, if there is one. It is not
 * overwritten.
 */
async function sourceOf(folder: string, name: string, code: string) {
  for (const { path } of sourcesIn(folder, name)) {
    const file = join(folder, path)
    // If it cannot be bundled, it differs from the service.
    if ((await bundleOf(file).catch(() => undefined)) === code)
      return { path, text: readFileSync(file, 'utf8') }
  }
  return undefined
}

const sourcesIn = (folder: string, name: string): FoundFile[] =>
  filesIn(folder, folders.functions).filter((file) => file.name === name && file.extension !== 'json')

const jsonText = (value: unknown): string => `${JSON.stringify(inOrder(value), null, 2)}\n`

/** Returns whether a folder has an app. */
export const hasFiles = (folder: string): boolean => existsSync(join(folder, appFile))

/** Reads the parts, with the code of functions for deployment. Throws a Problem with all errors. */
export async function readFiles(folder: string): Promise<Parts> {
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
          if (!fileName.test(name))
            problems.push(`${path}: a name has lower-case letters, digits, - and _ only`)
          return [name, make(read(path), name)]
        }),
    )
  const app = appOf(read(appFile))
  const tables = eachOf(folders.tables, (members, name) =>
    tableOf(members, join(folders.tables, `${name}.json`), problems),
  )
  const settings = eachOf(folders.functions, (members, name) => settingsOf(members, name, problems))
  const functions = new Map<string, FunctionPart>()
  for (const [name, one] of settings)
    functions.set(name, { settings: one, code: await codeOf(folder, name, problems) })
  for (const { name, path, extension } of filesIn(folder, folders.functions))
    if (extension !== 'json' && !functions.has(name))
      problems.push(`${path}: there is no ${name}.json beside it`)
  const parts = {
    app,
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
  }
  if (problems.length > 0) throw new Problem(problems.join('\n'))
  return parts
}

/** The files of one function. */
export interface FunctionFiles {
  settings: Members
  /** The file of the settings, and the source. */
  files: { settings: string; source: string }
}

/**
 * Reads the settings of one function, and finds its source. Throws a Problem with all errors, or if one of
 * the two is missing.
 */
export function readFunction(folder: string, slug: string): FunctionFiles {
  const path = join(folders.functions, `${slug}.json`)
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
  return { settings, files: { settings: join(folder, path), source: join(folder, source.path) } }
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
  const file = join(folder, path)
  if (!existsSync(file)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
    problems.push(`${path}: it must be a JSON object`)
  } catch (error) {
    problems.push(`${path}: ${error instanceof Error ? error.message : error}`)
  }
  return {}
}

const appOf = ({ name, description, datasources }: Members): AppPart => ({
  name: String(name ?? ''),
  description: String(description ?? ''),
  datasources: Object.fromEntries(
    Object.entries(Object(datasources ?? {})).map(([slug, one]) => [
      slug,
      { name: slug, provider_type: 'flat_table', provider_config: {}, description: '', ...Object(one) },
    ]),
  ),
})

/** The members of a table's file. */
const tableMembers = ['description', 'datasource', 'materialized', 'schema', 'reference']

function tableOf(members: Members, path: string, problems: string[]): TablePart {
  const { description = '', datasource = 'main', materialized = true, schema, reference } = members
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

/** Returns the code of a function for deployment; empty if it has no source. */
async function codeOf(folder: string, name: string, problems: string[]): Promise<string> {
  const [source, other] = sourcesIn(folder, name)
  if (source === undefined) return ''
  if (other !== undefined) problems.push(`${other.path}: ${source.path} is there as well. Delete one of them`)
  try {
    return await bundleOf(join(folder, source.path))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    problems.push(error.message)
    return ''
  }
}

function subscriptionsOf(
  members: Members,
  functions: ReadonlyMap<string, unknown>,
  problems: string[],
): Record<string, string[]> {
  const lists = Object.entries(members).flatMap(([event, slugs]): [string, string[]][] => {
    if (!Array.isArray(slugs)) problems.push(`${subscriptionsFile}: ${event} must be an array of functions`)
    const all = [...new Set([slugs].flat().map(String))].toSorted()
    for (const slug of all.filter((one) => !functions.has(one)))
      problems.push(
        `${subscriptionsFile}: ${event} names ${slug}, and there is no ${folders.functions}/${slug}.json`,
      )
    return all.length > 0 ? [[event, all]] : []
  })
  return Object.fromEntries(lists)
}
