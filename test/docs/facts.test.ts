/** The facts in documents: commands, counts, operators, and the length of the README. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operators } from '../../src/data/query/operators.ts'
import { aggregates } from '../../src/data/query/plan/expression/aggregates.ts'
import { hasOwnId, providerCodes } from '../../src/identity/login/providers/registry.ts'
import { variableNames } from '../../src/kernel/env.ts'
import { errorCodes } from '../../src/kernel/error-codes.ts'
import { events } from '../../src/runtime/events/catalog.ts'
import { documentsBelow, readDocument, root, tablesOf } from '../support/documents.ts'

const documents = ['README.md', 'CONTRIBUTING.md', ...documentsBelow('docs')].map(readDocument)
const { scripts, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
  devDependencies: Record<string, string>
}

/** The counts that documents may state, each with the words that follow the number. */
const counts: readonly [words: string, count: number][] = [
  ['filter operators', operators.size],
  ['aggregate functions', aggregates.size],
  ['named providers', providerCodes.filter((code) => !hasOwnId(code)).length],
  ['kinds of events', events.size],
  ['variables of the Worker', variableNames.length],
]

describe('README.md', () => {
  it('has at most 150 lines', () =>
    expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(150))
})

describe('.nvmrc', () => {
  it('names the version of Node that the scripts run on', () =>
    expect(readFileSync(join(root, '.nvmrc'), 'utf8').trim()).toBe(devDependencies.node))
})

describe.each(documents)('$path', ({ text }) => {
  it('names npm scripts that exist', () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it('states the right counts', () => {
    const wrong = counts.flatMap(([words, count]) =>
      [...text.matchAll(new RegExp(`(\\d+) ${words}`, 'g'))]
        .filter(([, said]) => Number(said) !== count)
        .map(([said]) => `${said}: ${count}`),
    )
    expect(wrong).toEqual([])
  })
})

/** Returns the names in the first column of a guide's tables. */
const firstColumn = (path: string, header: string): string[] =>
  tablesOf(readDocument(path))
    .filter((table) => table.header[0] === header)
    .flatMap(({ rows }) => rows.map(([name = '']) => name))

describe('docs/guide', () => {
  it('has a row for each operator, with a query that uses it', () => {
    const named = firstColumn('docs/guide/queries.md', 'Operator')
    expect([...operators.keys()].filter((name) => !named.includes(name))).toEqual([])
  })

  it('has only operators that the types of the client have as well, except for synonyms', () => {
    const text = readFileSync(join(root, 'client/src/types/filters.ts'), 'utf8')
    const isSynonym = (name: string) => name.endsWith('s') && operators.has(name.slice(0, -1))
    const lacking = [...operators.keys()].filter((name) => !new RegExp(`\\b${name}: `).test(text))
    expect(lacking.filter((name) => !isSynonym(name))).toEqual([])
  })

  describe('each page of the console', () => {
    const read = (file: string) => readFileSync(join(root, file), 'utf8')
    const places = globSync('console/src/pages/*/place.ts', { cwd: root }).map(read)
    const paths = places.flatMap((text) => /path: '(.*)'/.exec(text)?.[1] ?? [])

    it('has a row with its address in the guide', () => {
      expect(paths).toHaveLength(places.length)
      const addresses = paths.map((path) =>
        `/console${path}/`.replaceAll(/\$(\w+)/g, '<$1>').replace('//', '/'),
      )
      expect(firstColumn('docs/guide/console.md', 'Address').sort()).toEqual(addresses.sort())
    })

    it('is opened by a journey', () => {
      const journeys = globSync('test/browser/console!(-pages).test.ts', { cwd: root }).map(read).join()
      const opened = (path: string) => `['\`/]${path.slice(1).replaceAll(/\$\w+/g, "[^/'`]+")}`
      expect(paths.filter((path) => !new RegExp(opened(path)).test(journeys))).toEqual([])
    })
  })

  it('has a row for each code of an error, with its statuses, what it means and what to do', () => {
    const rows = tablesOf(readDocument('docs/guide/errors.md')).flatMap((table) => table.rows)
    expect(Object.fromEntries(rows.map(([code, statuses]) => [code, statuses]))).toEqual(
      Object.fromEntries(Object.entries(errorCodes).map(([code, statuses]) => [code, statuses.join(', ')])),
    )
    expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([])
  })

  it('has a row for each aggregate function', () => {
    const named = firstColumn('docs/guide/aggregates.md', 'Function')
    expect([...aggregates.keys()].filter((name) => !named.includes(name))).toEqual([])
  })
})
