/** docs/specification.md: every test that it names exists, nothing holds without one, and no number is left out. */
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

/** A bar inside a cell is written `\|`. */
const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** A cell of tests: by file, titles as code; `<br>` between files. */
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

/** The titles of a file's groups and tests: the texts that a function is called with first. */
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
  it('names tests that exist, each by its file and its titles', () => {
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

  it('says of each row that it holds, with a test, or why it does not', () => {
    const odd = rows.filter(
      ({ state, tests }) =>
        !/^(holds(: .+)?|refused: .+|not yet: .+)$/.test(state) ||
        (tests.length === 0 && !state.startsWith('not yet')),
    )
    expect(odd).toEqual([])
  })
})
