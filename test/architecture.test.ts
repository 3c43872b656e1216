/** The rules of the house that a reader of the imports can check. README, "Code map". */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')

interface SourceFile {
  name: string
  text: string
  /** Of our own files, by name. */
  imports: { target: string; typeOnly: boolean }[]
}

const files: SourceFile[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') || name.endsWith('.tsx'))
  .map((name) => {
    const text = readFileSync(join(source, name), 'utf8')
    const imports = [...text.matchAll(/^(?:import|export) (type )?[^;]*?from '(\.[^']+)'/gms)].map(([, type, target]) => ({
      target: relative(source, resolve(dirname(join(source, name)), target as string)),
      typeOnly: Boolean(type),
    }))
    return { name, text, imports }
  })

/** From the door to the ground: a layer may import itself and what stands below it. */
const layers: [layer: string, pattern: RegExp][] = [
  ['worker', /^worker\.ts$/],
  ['app', /^app\.ts$/],
  ['jobs', /^(jobs|schedule)\.ts$/],
  ['routes', /(^|\/)routes\.tsx?$/],
  ['areas', /^(access|audit|organizations|users|invitations|mail|login|health|data|events|functions|reference|secrets)\//],
  ['page', /^page\//],
  ['http', /^http\//],
  ['db', /^db\//],
  ['cache', /^cache\//],
  ['outgoing', /^outgoing\//],
  ['shared', /^(context|env|errors)\.ts$/],
  ['lib', /^lib\//],
]
const layerOf = (name: string) => layers.findIndex(([, pattern]) => pattern.test(name))

describe('imports run one way', () => {
  it('every file stands in a layer', () => {
    expect(files.filter(({ name }) => layerOf(name) === -1 && !name.endsWith('.d.ts')).map(({ name }) => name)).toEqual([])
  })

  it('from worker to lib, never back', () => {
    const wrong = files.flatMap(({ name, imports }) =>
      imports
        .filter(({ target, typeOnly }) => !typeOnly && !target.startsWith('..') && layerOf(target) < layerOf(name))
        .map(({ target }) => `${name} → ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('without circles', () => {
    const graph = new Map(files.map(({ name, imports }) => [name, imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target)]))
    const circles: string[] = []
    const visit = (name: string, path: string[]) => {
      if (path.includes(name)) {
        circles.push([...path.slice(path.indexOf(name)), name].join(' → '))
        return
      }
      if (done.has(name)) return
      for (const target of graph.get(name) ?? []) visit(target, [...path, name])
      done.add(name)
    }
    const done = new Set<string>()
    for (const name of graph.keys()) visit(name, [])
    expect(circles).toEqual([])
  })

  it('an area uses another by its service, and by the shapes of its schema, alone', () => {
    const areaOf = (name: string) => /^(audit|organizations|users|invitations|mail|login|data|events|functions|reference|secrets)\//.exec(name)?.[1]
    const wrong = files.flatMap(({ name, imports }) =>
      imports
        .filter(({ target }) => areaOf(target) && areaOf(name) && areaOf(name) !== areaOf(target) && !/\/(service|schema)\.ts$/.test(target))
        .map(({ target }) => `${name} → ${target}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('one obvious place', () => {
  const holders = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

  it('Neon is known to db/client.ts and db/session.ts alone', () => {
    expect(
      files
        .filter(
          ({ text }) => /from '@neondatabase\/serverless'/.test(text) && !/^import type/m.test(text.match(/^import.*@neondatabase.*$/m)?.[0] ?? ''),
        )
        .map(({ name }) => name),
    ).toEqual(['db/client.ts', 'db/session.ts'])
  })

  it('identifiers are quoted, and constants written, in db/sql.ts alone', () => {
    expect(holders(/new Sql\(/)).toEqual(['db/sql.ts'])
    expect(holders(/sql\.raw|replaceAll\('"'/)).toEqual(['db/sql.ts'])
  })

  it("Hono's context never passes routes and http", () => {
    expect(
      holders(/from 'hono(\/|')/).filter((name) => !/(routes|page)\.tsx?$|^http\/|^page\/|^app\.ts$|^access\/(policies|credentials)\.ts$/.test(name)),
    ).toEqual(['errors.ts'])
  })

  it('passwords are hashed in turn, by access/hashing.ts alone', () => {
    expect(files.filter(({ text }) => /\b(hashPassword|verifyPassword)\(/.test(text)).map(({ name }) => name)).toEqual([
      'access/hashing.ts',
      'access/passwords.ts',
    ])
  })

  it('nothing evaluates text as code', () => {
    expect(holders(/\beval\(|new Function\(/)).toEqual([])
  })
})
