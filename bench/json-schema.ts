/**
 * Measures the validation of values against JSON Schemas, compared with @cfworker/json-schema, which has no
 * limits. With JSON_SCHEMA_TEST_SUITE=<folder>, a checkout of
 * github.com/json-schema-org/JSON-Schema-Test-Suite, also counts its required cases that are validated
 * correctly; a wrong result fails.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@cfworker/json-schema'
import { type PreparedSchema, prepareSchema } from '../src/kernel/lib/json-schema/prepare-schema.ts'
import { problemsOf } from '../src/kernel/lib/json-schema/validate.ts'

const server = {
  type: 'object',
  properties: {
    host: { type: 'string', pattern: '^[a-z.]+$', minLength: 2 },
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    mode: { enum: ['a', 'b'] },
    mail: { type: 'string', format: 'email' },
    hops: { type: 'array', items: { type: 'string' }, maxItems: 20, uniqueItems: true },
  },
  required: ['host'],
  additionalProperties: false,
}
const records = {
  additionalProperties: {
    type: 'array',
    items: {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1 }, n: { type: 'integer' } },
      required: ['name', 'n'],
    },
  },
}

const subjects: [what: string, schema: object, value: unknown][] = [
  [
    'a server that fits',
    server,
    { host: 'mail.example', port: 25, mode: 'a', mail: 'a@b.cd', hops: ['x', 'y', 'z'] },
  ],
  ['one that does not', server, { port: 0, mode: 'c', mail: 'x', hops: [1, 1], extra: 1 }],
  ['450 records', records, { list: Array.from({ length: 450 }, (_, n) => ({ name: `n${n}`, n })) }],
]

function prepared(schema: unknown): PreparedSchema {
  const made = prepareSchema(schema)
  if ('problems' in made) throw new Error(made.problems.join(' '))
  return made
}

const budgetMs = 300

/** Microseconds of one run: the best of three rounds. */
function timeOf(work: () => unknown): number {
  const round = () => {
    let runs = 0
    const start = performance.now()
    while (performance.now() - start < budgetMs) {
      for (let run = 0; run < 10; run++) work()
      runs += 10
    }
    return ((performance.now() - start) / runs) * 1000
  }
  return Math.min(round(), round(), round())
}

for (const [what, schema, value] of subjects) {
  const ours = prepared(schema)
  const other = new Validator(schema, '2020-12', false)
  const [own, others] = [timeOf(() => problemsOf(ours, value)), timeOf(() => other.validate(value))]
  console.log(
    `  ${what.padEnd(22)} ${own.toFixed(1).padStart(8)} µs   @cfworker/json-schema ${others.toFixed(1).padStart(8)} µs`,
  )
}
console.log(
  `  ${'to prepare a schema'.padEnd(22)} ${timeOf(() => prepared(server))
    .toFixed(1)
    .padStart(8)} µs`,
)

interface Group {
  description: string
  schema: unknown
  tests: { description: string; data: unknown; valid: boolean }[]
}

const drafts = {
  draft4: 'http://json-schema.org/draft-04/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
}

const suite = process.env.JSON_SCHEMA_TEST_SUITE
if (suite)
  for (const [draft, address] of Object.entries(drafts)) judge(join(suite, 'tests', draft), draft, address)

function judge(folder: string, draft: string, address: string): void {
  const counts = { right: 0, wrong: 0, remote: 0, refused: 0 }
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    for (const { description, schema, tests } of JSON.parse(
      readFileSync(join(folder, file), 'utf8'),
    ) as Group[]) {
      const made = prepareSchema(typeof schema === 'object' ? { $schema: address, ...schema } : schema)
      if ('problems' in made) {
        const isRemote = made.problems.some((problem) => /another document|\$schema must be/.test(problem))
        counts[isRemote ? 'remote' : 'refused'] += tests.length
        if (!isRemote) console.log(`  refused: ${file}, ${description}: ${made.problems[0]}`)
        continue
      }
      for (const test of tests) {
        const right = (problemsOf(made, test.data) === undefined) === test.valid
        counts[right ? 'right' : 'wrong']++
        if (!right) console.log(`  wrong: ${file}, ${description}, ${test.description}`)
      }
    }
  }
  const { right, wrong, remote, refused } = counts
  const total = right + wrong + remote + refused
  const share = ((right / total) * 100).toFixed(1)
  console.log(
    `  ${draft}: ${total} cases, ${right} right (${share} %), ${wrong} wrong, ${remote} refused as they need another document, ${refused} refused`,
  )
  if (wrong > 0) process.exitCode = 1
}
