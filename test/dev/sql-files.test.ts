/** The files of migrations/ as sources: each says what it does and who calls it, and stays readable. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

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
  /** From `create` to `end`. */
  source: string
  parameters: string[]
}

const functions: SqlFunction[] = written.flatMap(({ name: file, text }) => {
  const start = text.search(/^create or replace function /m)
  const [, name, list] =
    /^create or replace function (\w+\.\w+)\(([^;]*?)\)\s*(?:returns|language)/m.exec(text) ?? []
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
/** Its parameters may be a fragment of a template string. */
const calls = (text: string, name: string) =>
  new RegExp(`\\b${name.replace('.', '\\.')}(\\(|\\$\\{)`).test(text)

/** Who calls a function: functions by their names, files of SQL and of dev/ by their paths, and areas of src/. */
function callersOf({ name }: SqlFunction): string[] {
  const short = name.split('.')[1] as string
  const inSql = written
    .filter(({ text }) => calls(withoutComments(text).replace(`function ${name}(`, ''), name))
    .map(({ name: file }) => functions.find((one) => one.file === file)?.name ?? file)
  const inPrograms = programs
    .filter(({ text }) => calls(text, name) || (name.startsWith('tessera.') && text.includes(`'${short}'`)))
    .map(({ name: file }) => (file.startsWith('src/') ? file.split('/').slice(0, 2).join('/') : file))
  return [...new Set([...inSql, ...inPrograms])].filter((caller) => caller !== name).sort()
}

/** The callers that the comment of a function names. */
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

describe('a file of migrations/', () => {
  it('begins with a comment', () =>
    expect(sqlFiles.filter(({ text }) => !text.startsWith('-- ')).map(({ name }) => name)).toEqual([]))

  it('has lines of at most 110 characters', () => {
    const long = written.flatMap(({ name, text }) =>
      text.split('\n').flatMap((line, index) => (line.length > 110 ? [`${name}:${index + 1}`] : [])),
    )
    expect(long).toEqual([])
  })

  it('in functions/ makes one function, which is named like the file', () => {
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
  it('has about 60 lines at most', () => {
    const long = functions.filter(({ source }) => source.split('\n').length > 70)
    expect(long.map(({ name }) => name)).toEqual([])
  })

  it('has six parameters at most; with more, they are members of a type', () => {
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

  it('that is a trigger says so', () => {
    const silent = functions.filter(
      ({ source, header }) => /returns trigger/.test(source) && !/\btrigger (of|before)\b/i.test(header),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })
})
