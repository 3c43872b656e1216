/**
 * docs/specification.md: every test that it names exists, every row that holds names a test, and no number is
 * missing.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const [sentences, decisions] = read('docs/specification.md')
  .split(/^## \d\. /m)
  .slice(1) as [string, string]

interface Row {
  code: string
  state: string
  tests: { file: string; titles: string[] }[]
}

/** Splits a row into its cells. A bar inside a cell is written `\|`. */
const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** Reads a cell with tests: files with titles in backticks, and `<br>` between files. */
const testsOf = (cell: string) =>
  cell
    .split('<br>')
    .filter(Boolean)
    .map((text) => {
      const [, file = '', titles = ''] = /^\[.*?\]\(\.\.\/(.*?)\): (.*)$/.exec(text) ?? []
      return {
        file,
        titles: [...titles.matchAll(/``? ?(.*?) ?``?(?= ›|;|$)/g)].map(([, title]) => title as string),
      }
    })

const rowsOf = (part: string): Row[] =>
  part
    .split('\n')
    .filter((line) => /^\| [A-Z]\d/.test(line))
    .map((line) => {
      const [code = '', , state = '', tests = ''] = cellsOf(line)
      return { code, state, tests: testsOf(tests) }
    })

const rows = [...rowsOf(sentences), ...rowsOf(decisions)]
const sources = new Map<string, string>()

/** Tells whether a file has a group or a test with a title, as the first argument of a call. */
function hasTitle(file: string, title: string): boolean {
  const source = sources.get(file) ?? read(file)
  sources.set(file, source)
  const asCode = (quote: string) => quote + title.replaceAll(quote, `\\${quote}`) + quote
  return [`'`, `"`, '`'].some((quote) => {
    const code = asCode(quote).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return new RegExp(`\\(\\s*${code},`).test(source)
  })
}

describe('docs/specification.md', () => {
  it('names tests that exist, by file and title', () => {
    const missing = rows.flatMap(({ code, tests }) =>
      tests.flatMap(({ file, titles }) => {
        if (!file.endsWith('.test.ts') || !existsSync(join(root, file)) || titles.length === 0)
          return [[code, file]]
        return titles.filter((title) => !hasTitle(file, title)).map((title) => [code, file, title])
      }),
    )
    expect(missing).toEqual([])
  })

  it('numbers its sentences without a gap, and has no row twice', () => {
    expect(rowsOf(sentences).map(({ code }) => code)).toEqual(
      rowsOf(sentences).map((_, index) => `S${index + 1}`),
    )
    expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length)
    expect([rowsOf(sentences).length > 272, rowsOf(decisions).length > 27]).toEqual([true, true])
  })

  it('says for each row that it holds and names a test, or says why it does not hold', () => {
    const odd = rows.filter(
      ({ state, tests }) =>
        !/^(holds(: .+)?|refused: .+|not yet: .+)$/.test(state) ||
        (tests.length === 0 && !state.startsWith('not yet')),
    )
    expect(odd).toEqual([])
  })
})
