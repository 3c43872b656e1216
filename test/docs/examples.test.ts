/** The examples of the README's tour and of every guide run as a reader would run them, on a fresh demo. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../../dev/client.ts'
import { type Stack, startStack } from '../../dev/examples/stack.ts'
import { type Document, documentsBelow, readDocument, tablesOf } from '../support/documents.ts'
import { programsOf, runPrograms } from '../support/program-examples.ts'
import { type Example, examplesOf, runExamples } from '../support/shell-examples.ts'
import { difference } from '../support/shown-answer.ts'

const start = 'docs/guide/start.md'
/** Pages for operators whose examples are requests. */
const operation = ['queues', 'quotas', 'watching'].map((name) => `docs/operate/${name}.md`)
const guides = [...documentsBelow('docs/guide'), ...operation].map(readDocument)
const [setUp] = examplesOf(readDocument(start)) as [Example]

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

/** Returns the differences between the answers and the document, by line. */
const differences = (examples: readonly Example[]): string[] =>
  runExamples(examples, stack.address).flatMap((outcome, index) => {
    const { line, shown } = examples[index] as Example
    const problem = difference(shown, outcome)
    return problem === undefined ? [] : [`line ${line}: ${problem}`]
  })

describe('every example gets the answer that the document shows', () => {
  it('in the tour of README.md', () => {
    const tour = examplesOf(readDocument('README.md'), 'A tour with curl')
    expect(tour.length).toBeGreaterThan(0)
    expect(differences(tour)).toEqual([])
  })

  it.each(guides)('in $path', (guide) => {
    const examples = examplesOf(guide)
    expect(differences(guide.path === start ? examples : [setUp, ...examples])).toEqual([])
  })
})

describe('every program compiles, and prints what the document shows', () => {
  it.each(guides.filter((guide) => programsOf(guide).length > 0))('in $path', (guide) => {
    const programs = programsOf(guide)
    const printed = runPrograms(programs, stack.address, ['library'])
    const problems = programs.flatMap(({ line, shown }, index) => {
      const outcome = { statuses: [], head: '', answer: '', output: printed[index] ?? '', errors: '' }
      const problem = difference({ language: 'text', text: shown }, outcome)
      return problem === undefined ? [] : [`line ${line}: ${problem}`]
    })
    expect(problems).toEqual([])
  })
})

/** What a row of a table shows: the total, an aggregate, or the records of the answer. */
const kinds = ['Query', 'Aggregate', 'Records'] as const

interface Row {
  kind: (typeof kinds)[number]
  table: string
  query: string
  shown: string
}

/** Returns the rows of tables that have a column such as "Query of …". The last column has the answer. */
const rowsOf = (document: Document): Row[] =>
  tablesOf(document).flatMap(({ header, rows }) => {
    const column = header.findIndex((cell) => /^\w+ of \w+$/.test(cell))
    const [word, , table = ''] = header[column]?.split(' ') ?? []
    const kind = kinds.find((one) => one === word)
    if (!kind) return []
    return rows.map((row) => ({ kind, table, query: row[column] ?? '', shown: row.at(-1) ?? '' }))
  })

describe('every row of a table has the answer that the service returns', () => {
  it.each(guides.filter((guide) => rowsOf(guide).length > 0))('in $path', async (guide) => {
    const client = await signIn(stack.address, 'admin@example.com', 'Admin-demo-1')
    const wrong: string[] = []
    for (const { kind, table, query, shown } of rowsOf(guide)) {
      const parameters = kind === 'Aggregate' ? `_aggregate=${encodeURIComponent(query)}` : query
      const path = `/api/apps/library/datatables/${table}/data/?${parameters}`
      const { data, total, aggregates } = await client.request<Answer>('GET', path)
      const answer = { Query: total, Aggregate: Object.values(aggregates ?? {})[0], Records: data }[kind]
      if (JSON.stringify(answer) !== JSON.stringify(JSON.parse(shown)))
        wrong.push(`${query}: ${JSON.stringify(answer)}`)
    }
    expect(wrong).toEqual([])
  })
})

interface Answer {
  data: unknown[]
  total: number
  aggregates?: Record<string, unknown>
}
