/** The types of the client: code that compiles, code that does not, and the time of the compiler. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateTypes } from '../../client/src/generate.ts'
import { packageProgram } from '../../dev/package-program.ts'
import { largeDocument } from '../client/large-document.ts'
import { timeLimit } from '../support/time-limit.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'test', 'client', 'types')

/** Returns the messages of the compiler for a project, and its CPU time in seconds. */
async function compile(project: string): Promise<{ output: string; seconds: number }> {
  const program = packageProgram('typescript', 'tsc')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, '-p', project, '--pretty', 'false', '--extendedDiagnostics'],
    { cwd: root, maxBuffer: 2 ** 24 },
  ).catch((failure: { stdout: string }) => failure)
  const [, seconds = ''] = /^Total time:\s+([\d.]+)s$/m.exec(stdout) ?? []
  return { output: stdout, seconds: Number(seconds) }
}

interface Case {
  title: string
  first: number
  last: number
  text: string
}

/** Returns the cases in the file. Each goes from the line with its title to the next title. */
const casesIn = (text: string): Case[] => {
  const lines = text.split('\n')
  const starts = lines.flatMap((line, index) => (line.startsWith('// it: ') ? [index] : []))
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? lines.length
    const title = (lines[start] as string).slice('// it: '.length)
    return { title, first: start + 1, last: end, text: lines.slice(start + 1, end).join('\n') }
  })
}

const cases = casesIn(readFileSync(join(folder, 'cases.ts'), 'utf8'))

describe('a client with the types of the demo', () => {
  let errors: { line: number; text: string }[]
  beforeAll(async () => {
    const { output } = await compile(folder)
    errors = [...output.matchAll(/^(\S+?)\((\d+),\d+\): error (.+)$/gm)].map(([, file, line, text]) => ({
      line: file?.endsWith('cases.ts') ? Number(line) : 0,
      text: `${file}(${line}): ${text}`,
    }))
  })

  it('has at least sixty cases', () => expect(cases.length).toBeGreaterThanOrEqual(60))

  it.each(cases)('$title', ({ title, first, last, text }) => {
    expect(text.includes('@ts-expect-error')).toBe(title.startsWith('refuses'))
    expect(errors.filter(({ line }) => line >= first && line <= last).map((error) => error.text)).toEqual([])
  })

  it('has no errors outside the cases', () => {
    const start = cases[0]?.first ?? 0
    expect(errors.filter(({ line }) => line < start).map(({ text }) => text)).toEqual([])
  })
})

describe('an app of 150 tables', () => {
  const place = mkdtempSync(join(folder, '.large-'))
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  it('generates its types in less than 2 s, and a page that uses them compiles in less than 3 s', async () => {
    const document = largeDocument(150)
    const before = process.cpuUsage()
    const text = generateTypes({ large: document }, { from: '../../../../client/src/index.ts' })
    const { user } = process.cpuUsage(before)
    expect(text.match(/^ {4}record: \{$/gm)).toHaveLength(150)
    expect(user / 1000).toBeLessThan(await timeLimit(2000))
    writeFileSync(join(place, 'types.ts'), text)
    writeFileSync(join(place, 'page.ts'), page)
    writeFileSync(
      join(place, 'tsconfig.json'),
      JSON.stringify({ extends: '../../../../tsconfig.json', include: ['page.ts'], exclude: [] }),
    )
    const { output, seconds } = await compile(place)
    expect(output).not.toContain('error TS')
    expect(seconds).toBeGreaterThan(0)
    expect(seconds * 1000).toBeLessThan(await timeLimit(3000))
  })
})

/** The queries of a page: lists, related records, computed values, groups, and writes of some tables. */
const page = `/** Uses the types of a large app. */
import { createClient } from '../../../../client/src/index.ts'
import type { Large } from './types.ts'
const { t1, t2, t75, t149 } = createClient<Large>({ url: 'https://example.com' }).app('large')
export const listed = await t1.list({
  where: { f3__gte: 5, 'parent.f2__icontains': 'x', 'parent.parent.f3': 1, or: [{ f1: 'a' }, { f3__in: [1, 2] }] },
  ordering: ['-f3', 'parent.f2'],
  fields: ['id', 'f1', 'parent.f2'],
  populate: { t2: { limit: 3, where: { f3__lt: 4 }, populate: ['t3'] } },
})
export const names: string[] = listed.data.map(({ f1, t2: below }) => f1 + (below[0]?.t3[0]?.f1 ?? ''))
export const one = await t75.get(1, { populate: ['parent.parent', 't76'] })
export const groups = await t149.groups({ by: ['f1'], values: { n: 'count(*)', most: 'max(f3)' } })
export const written = await t2.create({ f1: 'x', f2: null })
`
