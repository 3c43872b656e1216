/** Rules for the files of migrations/: each says its purpose and its callers, and stays readable. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { describe, expect, it } from 'vitest'
import { areaOf } from '../support/area-of.ts'

const root = join(import.meta.dirname, '..', '..')

function filesBelow(folder: string, pattern: RegExp): { name: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
}

const sqlFiles = filesBelow('migrations', /\.sql$/)
const written = sqlFiles.filter(({ name }) => !/\/\d+_tables\.sql$/.test(name))
const programs = [...filesBelow('src', /\.tsx?$/), ...filesBelow('dev', /\.ts$/)]

interface SqlFunction {
  file: string
  name: string
  /** The comment before the function, as one line. */
  header: string
  /** The text from `create` to `end`. */
  source: string
  parameters: string[]
}

const functions: SqlFunction[] = written.flatMap(({ name: file, text }) => {
  const start = text.search(/^create or replace (?:function|aggregate) /m)
  const [, name, list] =
    /^create or replace (?:function|aggregate) (\w+\.\w+)\(([^;]*?)\)\s*(?:returns|language|\()/m.exec(
      text,
    ) ?? []
  if (name === undefined || list === undefined) return []
  return {
    file,
    name,
    header: text
      .slice(0, start)
      .replaceAll(/\n?-- ?/g, ' ')
      .trim(),
    source: text.slice(start),
    parameters: list.split(/,\s*/).filter((one) => one !== '' && !one.startsWith('out ')),
  }
})

const withoutComments = (text: string) => text.replaceAll(/--.*$/gm, '')
/** Tells if the text calls a function. The parameters may be a fragment of a template string. */
const calls = (text: string, name: string) =>
  new RegExp(`\\b${name.replace('.', '\\.')}(\\(|\\$\\{)`).test(text)

/**
 * Returns the callers of a function: functions by name, SQL files and files of dev/ by path, and areas of
 * src/.
 */
function callersOf({ name }: SqlFunction): string[] {
  const short = name.split('.')[1] as string
  const inSql = written
    .filter(({ text }) => calls(withoutComments(text).replace(`function ${name}(`, ''), name))
    .map(({ name: file }) => functions.find((one) => one.file === file)?.name ?? file)
  const quoted = name.startsWith('tessera.') ? `'${short}'` : undefined
  const inPrograms = programs
    .filter(
      ({ name: file, text }) =>
        calls(text, name) || (quoted && file.startsWith('src/data/') && text.includes(quoted)),
    )
    .map(({ name: file }) => areaOf(file))
  return [...new Set([...inSql, ...inPrograms])].filter((caller) => caller !== name).sort()
}

/** Returns the callers in the comment of a function. */
function namedCallers({ header, file }: SqlFunction): string[] {
  const said = /Called by (.*)$/.exec(header)?.[1] ?? ''
  const names = [...said.matchAll(/\b(?:public|tessera)\.\w+|\b(?:src|dev|migrations)\/[\w./-]*\w/g)].map(
    ([one]) => one,
  )
  const neighbours = said.includes('functions of this folder')
    ? functions.filter((one) => dirname(one.file) === dirname(file)).map(({ name }) => name)
    : []
  return [...new Set([...names, ...neighbours])]
}

it('the migrations give the tables of drizzle/: npm run db:generate -- <name>', async () => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, 'migrations', 'meta', file), 'utf8'))
  const newest = readdirSync(join(root, 'migrations', 'meta')).find((name) => name.includes('_snapshot'))
  const folders = ['platform', 'tenant'].map((name) => join(root, 'drizzle', name))
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  const modules = await Promise.all(files.map((file) => import(file)))
  const declared = generateDrizzleJson(Object.assign({}, ...modules))
  expect(await generateMigration(read(String(newest)), declared)).toEqual([])
})

describe('a file of migrations/', () => {
  it('begins with a comment', () =>
    expect(sqlFiles.filter(({ text }) => !text.startsWith('-- ')).map(({ name }) => name)).toEqual([]))

  it('has lines of at most 110 characters', () => {
    const long = written.flatMap(({ name, text }) =>
      text.split('\n').flatMap((line, index) => (line.length > 110 ? [`${name}:${index + 1}`] : [])),
    )
    expect(long).toEqual([])
  })

  it('in functions/ creates one function, which has the name of the file', () => {
    const wrong = written.filter(
      ({ name, text }) =>
        name.includes('/functions/') &&
        (text.match(/^create /gm)?.length !== 1 ||
          !text.includes(`.${name.split('/').at(-1)?.replace('.sql', '')}(`)),
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})

describe('a function of the database', () => {
  it('has at most about 60 lines', () => {
    const long = functions.filter(({ source }) => source.split('\n').length > 70)
    expect(long.map(({ name }) => name)).toEqual([])
  })

  it('has at most six parameters; more become properties of a type', () => {
    const long = functions.filter(({ parameters }) => parameters.length > 6)
    expect(long.map(({ name }) => name)).toEqual([])
  })

  it('names its callers', () => {
    const wrong = functions
      .filter(({ source, header }) => !/returns trigger/.test(source) && !header.includes('Called by many'))
      .flatMap((one) => {
        const [named, actual] = [namedCallers(one), callersOf(one)]
        const neighbours = one.header.includes('functions of this folder')
        const extra = neighbours ? [] : named.filter((name) => !actual.includes(name))
        const missing = actual.filter((name) => !named.includes(name))
        return extra.length + missing.length > 0 ? [{ function: one.name, extra, missing }] : []
      })
    expect(wrong).toEqual([])
  })

  // A session compiles a function of PL/pgSQL once, for all sites: under the search path of the first call.
  it('names the schema of the types that it declares, if it has no search path of its own', () => {
    const grammar = /^(bigint|boolean|integer|interval|numeric|smallint|timestamp with time zone)\b/
    const loose = functions
      .filter(
        ({ name, source }) =>
          name.startsWith('tessera.') && /language plpgsql/.test(source) && !/set search_path/.test(source),
      )
      .flatMap(({ name, source }) => {
        const [, declared = ''] = /\ndeclare\n(.*?)\nbegin\n/s.exec(source) ?? []
        return [...declared.matchAll(/^ {2}\w+ (?:constant )?([a-z_][\w.]*)/gm)]
          .map(([, type = '']) => type)
          .filter((type) => !type.includes('.') && !grammar.test(type))
          .map((type) => `${name}: ${type}`)
      })
    expect(loose).toEqual([])
  })

  it('says in its comment if it is a trigger', () => {
    const silent = functions.filter(
      ({ source, header }) => /returns trigger/.test(source) && !/\btrigger (of|before)\b/i.test(header),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })
})
