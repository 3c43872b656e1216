/** Dates stay dates when they are truncated: in groups, aggregates, annotations, filters and orders. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'

const resources = [
  {
    name: 'boats',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'built', type: 'date' },
        { name: 'seen', type: 'datetime' },
      ],
      primaryKey: 'id',
    },
  },
]
const rows = [
  { id: 1, built: '2024-02-29', seen: '2024-02-29T23:30:00Z' },
  { id: 2, built: '2024-02-01', seen: '2024-02-01T00:00:00Z' },
  { id: 3, built: '2023-12-31', seen: null },
  { id: 4, built: '0001-01-03', seen: null },
  { id: 5, built: null, seen: null },
]

let app: TestApp
let shop: Shop
let documents: (table: string) => string

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'days', { resources })
  documents = await addDocuments(app, shop, resources)
  for (const path of [shop.data('boats'), documents('boats')])
    expect((await app.request('POST', path, { token: shop.owner.token, body: rows })).status).toBe(201)
})

describe.each([
  ['rows', () => shop.data('boats')],
  ['documents', () => documents('boats')],
])('a date of %s', (_, path) => {
  const get = async (query: Record<string, string>) =>
    (await app.request('GET', `${path()}?${new URLSearchParams(query)}`, { token: shop.owner.token })).body
  const groups = async (unit: string, of = 'built') =>
    (await get({ _aggregate: 'count(*)', _group_by: `date_trunc('${unit}', ${of}) as x` })).data

  it.each([
    ['hour', ['0001-01-03', '2023-12-31', '2024-02-01', '2024-02-29', null]],
    ['day', ['0001-01-03', '2023-12-31', '2024-02-01', '2024-02-29', null]],
    ['week', ['0001-01-01', '2023-12-25', '2024-01-29', '2024-02-26', null]],
    ['month', ['0001-01-01', '2023-12-01', '2024-02-01', null]],
    ['quarter', ['0001-01-01', '2023-10-01', '2024-01-01', null]],
    ['year', ['0001-01-01', '2023-01-01', '2024-01-01', null]],
  ])('is a date when it is truncated to the %s', async (unit, dates) => {
    expect((await groups(unit)).map(({ x }: { x: unknown }) => x)).toEqual(dates)
  })

  it('is compared as a date in _having, and sorts the groups', async () => {
    const body = await get({
      _aggregate: 'count(*)',
      _group_by: "date_trunc('month', built) as x",
      _having: 'x__gte=2023-12-01',
      ordering: '-x',
    })
    expect(body.data).toEqual([
      { x: '2024-02-01', count: 2 },
      { x: '2023-12-01', count: 1 },
    ])
  })

  it('is a date in aggregates, and inside other expressions', async () => {
    const _aggregate =
      "max(date_trunc('month', built)) as last,array_agg(date_trunc('year', built)) as years," +
      "date_trunc('month', min(built)) as first,max(extract(day from date_trunc('month', built))) as day," +
      "max(coalesce(date_trunc('year', built), '2030-01-01')) as latest," +
      "count(*) filter (where date_trunc('month', built) = '2024-02-01') as n," +
      "max(date_trunc('month', seen::date)) as seen,max(date_trunc('month', built)::text) as text"
    expect((await get({ _aggregate })).aggregates).toEqual({
      last: '2024-02-01',
      years: ['2024-01-01', '2024-01-01', '2023-01-01', '0001-01-01', null],
      first: '0001-01-01',
      day: 1,
      latest: '2030-01-01',
      n: 2,
      seen: '2024-02-01',
      text: '2024-02-01',
    })
  })

  it('is a date in annotations, their filters, their orders and their pages', async () => {
    const _annotate = "date_trunc('month', built) as x"
    const query = { _annotate, x__gt: '0001-01-01', ordering: 'x,-id', fields: 'id,x' }
    expect((await get(query)).data).toEqual([
      { id: 3, x: '2023-12-01' },
      { id: 2, x: '2024-02-01' },
      { id: 1, x: '2024-02-01' },
    ])
    const first = await get({ ...query, page_size: '2', after: '' })
    const second = await get({ ...query, page_size: '2', after: first.meta.next })
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([3, 2, 1])
    expect((await get({ ...query, x__gt: '2024-02-01T00:00:00Z' })).details).toEqual({
      x__gt: ['"2024-02-01T00:00:00Z" is not a value of "x", which is of type date.'],
    })
  })

  it('stays apart from a date with a time, which is truncated to an instant', async () => {
    expect(await groups('month', 'seen')).toEqual([
      { x: '2024-02-01T00:00:00Z', count: 2 },
      { x: null, count: 3 },
    ])
    expect((await groups('month', "seen at time zone 'Asia/Tokyo'"))[0]).toEqual({
      x: '2024-02-01T00:00:00',
      count: 1,
    })
  })

  it('has no time zone: 400', async () => {
    expect((await get({ _group_by: "date_trunc('month', built, 'Europe/Berlin')" })).details).toEqual({
      _group_by: ['Position 21: A value of type datetime is expected; this is of type date.'],
    })
  })
})
