/** Many writers at a time, operations instead of values, and lines. Spec: Records; R12, R15. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../support/app.ts'
import { createDesk, type Desk } from './desk.ts'

let desk: Desk

const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'code', type: 'string', constraints: { unique: true } },
    { name: 'stock', type: 'integer', default: 10, constraints: { minimum: 0 } },
    { name: 'price', type: 'number' },
    { name: 'about', type: 'object' },
    { name: 'made', type: 'datetime' },
  ],
  primaryKey: 'id',
}
const paths = { ours: '/apps/shop', theirs: '/apps/plain' }

beforeAll(async () => {
  desk = await createDesk(await startApp(), 'desk-writers')
  await desk.ask('POST', '/apps/', { name: 'plain' })
  await desk.ask('POST', '/apps/plain/datasources/', {
    name: 'Docs',
    slug: 'docs',
    provider_type: 'flat_table',
  })
  for (const app of Object.values(paths)) {
    const made = await desk.ask('POST', `${app}/datasources/docs/datatables/?materialize=true`, {
      name: 'things',
      json_schema: schema,
    })
    expect(made.status).toBe(201)
    const rows = [
      { id: 1, code: 'a', price: 1.5, about: { n: 1, t: 'x"y' }, made: '2026-01-01T00:00:00Z' },
      { id: 2, code: 'b,"c"\n', stock: 3 },
      { id: 3, price: 1234567890123456.5 },
    ]
    expect((await desk.ask('POST', `${app}/datatables/things/data/`, rows)).status).toBe(201)
  }
})

/** The bodies are the same: records of an answer are apart from each other by another space. */
const plain = ({ status, text, headers }: Awaited<ReturnType<Desk['ask']>>) => [
  status,
  headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text,
]

async function same(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const [ours, theirs] = [
    await desk.ask(method, `${paths.ours}/datatables/things/data/${path}`, body, headers),
    await desk.ask(method, `${paths.theirs}/datatables/things/data/${path}`, body, headers),
  ]
  expect(plain(ours)).toEqual(plain(theirs))
  return ours
}

const count = (statuses: readonly number[]) => {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('20 writers at a time', () => {
  const data = () => desk.data('things')

  it('on one record: one of those with its ETag changes it, and the others get 412', async () => {
    const etag = (await desk.ask('GET', `${data()}1/`)).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        desk.ask('PATCH', `${data()}1/`, { price: n }, { 'if-match': etag }),
      ),
    )
    expect(count(answers.map(({ status }) => status))).toEqual({ 200: 1, 412: 19 })
  })

  it('on one unique value: one record gets it, and the others get 409', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => desk.ask('POST', data(), { id: 100 + n, code: 'wanted' })),
    )
    expect(count(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 19 })
    expect((await desk.ask('GET', `${data()}?code=wanted`)).body.total).toBe(1)
  })

  it('that add to one number: none of the additions is lost', async () => {
    await desk.ask('PATCH', `${data()}1/`, { stock: 0 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => desk.ask('PATCH', `${data()}1/`, { stock: { $add: 1 } })),
    )
    expect(count(answers.map(({ status }) => status))).toEqual({ 200: 20 })
    expect((await desk.ask('GET', `${data()}1/`)).body.data.stock).toBe(20)
    await desk.ask('PATCH', `${data()}1/`, { stock: 10, price: 1.5 })
  })
})

describe('an operation instead of a value', () => {
  it.each<[string, unknown]>([
    ['1/', { stock: { $add: -3 } }],
    ['1/', { stock: { $add: -30 } }],
    ['1/', { stock: { $multiply: 2 }, price: { $multiply: 0.1 } }],
    ['1/', { stock: { $add: '9223372036854775807' } }],
    ['3/', { price: { $add: 0.25 } }],
    ['3/', { price: { $multiply: -1 } }],
    ['2/', { price: { $add: 1 } }],
    [
      '',
      [
        { id: 1, stock: { $add: 1 } },
        { id: 2, stock: 7 },
      ],
    ],
    ['?filter={"id__lte":2}', { stock: { $add: 1 } }],
    ['1/', { code: { $add: 1 } }],
  ])('PATCH %s %j', async (path, body) => {
    await same('PATCH', path, body)
  })

  it('returns 400 that names the record whose result violates a rule, and changes none', async () => {
    const body = [1, 2].map((id) => ({ id, stock: { $add: id === 1 ? 1 : -99 } }))
    const { status, body: answer } = await desk.ask('PATCH', desk.data('things'), body)
    const details = { stock: ['rows[1]: The value violates the rule "minimum".'] }
    expect([status, answer.details]).toEqual([400, details])
    await same('GET', '1/')
  })

  it('returns 400 for a result of more digits than MongoDB has', async () => {
    const price = 1.000000000000001
    const multiply = () => desk.ask('PATCH', `${desk.data('things')}9/`, { price: { $multiply: price } })
    expect((await desk.ask('POST', desk.data('things'), { id: 9, price })).status).toBe(201)
    expect((await multiply()).status).toBe(200)
    const { status, body } = await multiply()
    expect([status, body.details]).toEqual([400, { price: ['In MongoDB, a number has at most 34 digits.'] }])
  })
})

describe('a list as lines', () => {
  const accepts = { ndjson: 'application/x-ndjson', csv: 'text/csv' }
  it.each(Object.values(accepts))('%s', async (accept) => {
    for (const query of [
      '?id__lte=3',
      '?id__lte=3&fields=code,about&ordering=-id',
      '?id=99',
      '?id__lte=3&_group_by=code&_aggregate=sum(stock) as s,array_agg(id) as ids',
      '?id__lte=3&_aggregate=count(*),max(price)',
    ])
      expect((await same('GET', query, undefined, { accept })).status).toBe(200)
  })

  it('reads all pages of a large table', async () => {
    await desk.table('many', {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'text', type: 'string' },
      ],
      primaryKey: 'id',
    })
    const text = 'x'.repeat(2_000)
    for (let first = 0; first < 3_000; first += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, n) => ({ id: first + n, text }))
      expect((await desk.ask('POST', `${desk.data('many')}?return=minimal`, rows)).status).toBe(201)
    }
    const { text: lines } = await desk.ask('GET', desk.data('many'), undefined, { accept: accepts.ndjson })
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([...Array(3_000).keys()])
  })
})
