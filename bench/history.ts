/**
 * Measures the cost of versions of records: writes to a table with a history and to one without, in turns,
 * for both kinds of datasource; and reads as of a time, compared with reads of the present.
 */
import { median, report, type Stack, withStack } from './stack.ts'

const rounds = 60
const bulkRounds = 31
const bulkSize = 1000
/** The maximum ratio of the time of a write with a history to that of one without. */
const ratioMax = 3
const readRatioMax = 25

const fields = [
  { name: 'id', type: 'integer' },
  { name: 'title', type: 'string' },
  { name: 'price', type: 'number' },
  { name: 'seen_at', type: 'datetime' },
  { name: 'about', type: 'object' },
]

await withStack(async (stack) => {
  const { client, api } = stack
  await client.request('POST', `${api}/apps/bench/datasources/`, {
    name: 'Documents',
    slug: 'documents',
    provider_type: 'jsonb',
  })
  for (const [kind, query] of [
    ['flat', ''],
    ['jsonb', '&datasource=documents'],
  ] as const) {
    const path = `${api}/apps/bench/datatables/`
    await client.request('POST', `${path}create_schema/?materialize=true${query}`, {
      resources: [true, false].map((history) => ({
        name: nameOf(kind, history),
        schema: { fields, primaryKey: 'id', history },
      })),
    })
    await compareWrites(stack, kind, (history) => `${path}${nameOf(kind, history)}/data/`)
    await compareReads(stack, kind, `${path}${nameOf(kind, true)}/data/`)
  }
})

function nameOf(kind: string, history: boolean): string {
  return `${kind}_${history ? 'kept' : 'plain'}`
}

function record(id: number) {
  return {
    id,
    title: `Title ${id}`,
    price: id % 100,
    seen_at: '2026-01-31T10:00:00Z',
    about: { size: id % 7 },
  }
}

/** Measures each write with and without a history, one after the other. */
async function compareWrites(
  stack: Stack,
  kind: string,
  pathOf: (history: boolean) => string,
): Promise<void> {
  const { client } = stack
  const writes: [title: string, rounds: number, write: (path: string, round: number) => Promise<unknown>][] =
    [
      ['creates a record', rounds, (path, round) => client.request('POST', path, record(round + 1))],
      [
        'changes it',
        rounds,
        (path, round) => client.request('PATCH', `${path}${round + 1}/`, { price: round }),
      ],
      ['deletes it', rounds, (path, round) => client.request('DELETE', `${path}${round + 1}/`)],
      ['creates 1,000', bulkRounds, (path, round) => client.request('POST', path, many(round))],
      ['changes 1,000', bulkRounds, (path, round) => client.request('PATCH', path, many(round))],
    ]
  for (const [title, count, write] of writes) {
    const times = { true: [] as number[], false: [] as number[] }
    for (let round = 0; round < count; round++) {
      for (const history of round % 2 === 0 ? [true, false] : [false, true]) {
        const start = performance.now()
        await write(pathOf(history), round)
        times[`${history}`].push(performance.now() - start)
      }
    }
    const [kept, plain] = [median(times.true), median(times.false)]
    const figures = `${kept.toFixed(2)} ms with a history, ${plain.toFixed(2)} ms without`
    report(`${kind}: ${title}`, figures, kept / plain, ratioMax)
  }
}

function many(round: number) {
  return Array.from({ length: bulkSize }, (_, index) => record(10_000 + round * bulkSize + index))
}

/** Measures pages and single records of a table whose records have ten versions each. */
async function compareReads({ client, sql }: Stack, kind: string, path: string): Promise<void> {
  for (let version = 0; version < 8; version++)
    for (let round = 0; round < bulkRounds; round++)
      await client.request(
        'PATCH',
        path,
        many(round).map(({ id }) => ({ id, price: version })),
      )
  const { rows } = await sql.query(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
  )
  await sql.query('vacuum analyze')
  const asOf = `as_of=${rows[0].now}`
  for (const [title, query] of [
    ['one record', '15000/?'],
    ['a page by the key', '?limit=20&'],
    ['a page by a filter', '?price__gt=3&ordering=-title&limit=20&'],
  ]) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      for (const [index, of] of ['', asOf].entries()) {
        const start = performance.now()
        await client.request('GET', `${path}${query}${of}`)
        times[index]?.push(performance.now() - start)
      }
    }
    const [present, past] = times.map(median) as [number, number]
    const figures = `${past.toFixed(2)} ms as of a time, ${present.toFixed(2)} ms now; 31,000 records, ten times as many versions`
    report(`${kind}: reads ${title}`, figures, past / present, readRatioMax)
  }
}
