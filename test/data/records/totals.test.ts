/** The total of a list. Spec: Records; R1. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let inDocuments: (table: string) => string

const list = (query: string, path = shop.data('drops')) =>
  app.request('GET', `${path}?${query}`, { token: shop.owner.token })
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]
const drops = {
  name: 'drops',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'kind', type: 'string' },
    ],
    primaryKey: 'id',
  },
}
const count = 12_000
const row = (id: number) => ({ id, kind: id % 100 === 0 ? 'rare' : 'usual' })

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'totals', { resources: [drops] })
  inDocuments = await addDocuments(app, shop, [drops])
  const { token } = shop.owner
  for (const path of [shop.data('drops'), inDocuments('drops')]) {
    for (let from = 1; from <= count; from += 6000) {
      const body = Array.from({ length: 6000 }, (_, index) => row(from + index))
      expect((await app.request('POST', path, { token, body })).status).toBe(201)
    }
  }
  await app.sql(`analyze ${shop.schema}.shop_drops`)
})

describe('_total', () => {
  it.each([
    ['_total=all', { _total: ['Must be one of: exact, estimated, none; "all" is not.'] }],
    ['_total=', { _total: ['Must be one of: exact, estimated, none; "" is not.'] }],
    [
      '_total=none&_count=true',
      { _total: ['Cannot be none with _count=true, which returns only the total.'] },
    ],
    [
      '_total=none&_aggregate=count(*)',
      { _total: ['Only applies to groups: add _group_by, for example _group_by=status.'] },
    ],
    ['_total=exact&_total=none', { _total: ['This parameter may be given only once.'] }],
  ])('returns 400 for %s', async (query, details) => {
    expect(await list(query)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details, code: 'validation_failed' },
    })
  })

  it('is suggested by the 400 for a misspelled name', async () => {
    const { status, body } = await list('_totals=none')
    expect([status, body.details._totals[0]]).toEqual([
      400,
      expect.stringContaining('Did you mean "_total"?'),
    ])
  })

  it('exact counts the records, and is named in meta.total_is', async () => {
    const { body, headers } = await list('_total=exact&page_size=2&page=3')
    const meta = { offset: 4, limit: 2, count, has_more: true, total_is: 'exact' }
    expect(body).toEqual({ data: [row(5), row(6)], total: count, page: 3, page_size: 2, meta })
    expect(headers.get('x-total-count')).toBe('12000')
  })

  it('is exact by default up to TOTAL_EXACT records, and meta says so', async () => {
    const { body } = await list('page_size=1')
    expect(body).toEqual({
      data: [row(1)],
      total: count,
      page: 1,
      page_size: 1,
      meta: { offset: 0, limit: 1, count, has_more: true, total_is: 'exact' },
    })
  })

  it.each([
    ['page_size=2', { total_is: 'estimated', has_more: true }],
    ['_count=true', { total_is: 'estimated', has_more: true }],
    ['kind=rare&page_size=2', { total_is: 'exact', has_more: true, count: 120 }],
    ['kind=rare&page_size=120', { total_is: 'exact', has_more: false, count: 120 }],
    ['offset=11990&page_size=10', { total_is: 'exact', has_more: false, count }],
    ['offset=11989&limit=10', { total_is: 'estimated', has_more: true }],
  ])(
    'by default is the estimate of Postgres above TOTAL_EXACT records, and has_more is exact: %s',
    async (query, meta) => {
      const limited = app.with({ TOTAL_EXACT: '500' })
      for (const path of [shop.data('drops'), inDocuments('drops')]) {
        const answer = await limited.request('GET', `${path}?${query.replace('page_size', 'limit')}`, {
          token: shop.owner.token,
        })
        expect([answer.body.meta, roundTrips(answer)]).toEqual([expect.objectContaining(meta), '1'])
        expect(answer.body.total).toBeGreaterThan(meta.total_is === 'estimated' ? 500 : 0)
      }
    },
  )

  it.each([
    ['page_size=2', count],
    ['page_size=2&kind=usual', 11_880],
    ['_count=true', count],
    ['limit=0', count],
  ])(
    'estimated returns the estimate of Postgres above 10,000 records, in one round trip: %s',
    async (query, real) => {
      const answer = await list(`_total=estimated&${query}`)
      const { total, meta } = answer.body
      expect(meta).toMatchObject({ count: total, has_more: true, total_is: 'estimated' })
      expect(total).toBeGreaterThan(10_000)
      // The table was analyzed after the records were written.
      expect(Math.abs(total - real)).toBeLessThan(real / 20)
      expect([answer.headers.get('x-total-count'), roundTrips(answer)]).toEqual([String(total), '1'])
    },
  )

  it('estimated is never below the number of records that were seen, even if the estimate of Postgres is', async () => {
    const answer = await list(`_total=estimated&page_size=2&_sort=id`, inDocuments('drops'))
    expect(answer.body).toMatchObject({
      data: [row(1), row(2)],
      meta: { has_more: true, total_is: 'estimated' },
    })
    expect(answer.body.total).toBeGreaterThan(10_000)
  })

  it.each([
    [
      'kind=rare&page_size=2&page=2',
      { total: 120, data: [row(300), row(400)], meta: { has_more: true, count: 120 } },
    ],
    ['kind=none', { total: 0, data: [], meta: { has_more: false, count: 0 } }],
    ['kind=rare&_count=true', { total: 120, data: [], meta: { has_more: true } }],
    ['kind=rare&limit=0', { total: 120, data: [], page: 1, page_size: 0, meta: { has_more: true } }],
    // A page that is not full shows the number of all records.
    ['offset=11999&limit=5', { total: count, data: [row(count)], meta: { has_more: false } }],
    ['id__lte=10000', { total: 10_000, meta: { has_more: true } }],
  ])('estimated is exact up to 10,000 records: %s', async (query, wanted) => {
    for (const path of [shop.data('drops'), inDocuments('drops')]) {
      const answer = await list(`_total=estimated&_sort=id&${query}`, path)
      expect(answer.body).toMatchObject(wanted)
      expect([answer.body.meta.total_is, roundTrips(answer)]).toEqual(['exact', '1'])
    }
  })

  it('none returns no total, and reads one more record to set has_more', async () => {
    for (const path of [shop.data('drops'), inDocuments('drops')]) {
      const answer = await list('_total=none&_sort=-id&page_size=2', path)
      expect(answer.body).toEqual({
        data: [row(count), row(count - 1)],
        total: null,
        page: 1,
        page_size: 2,
        meta: { offset: 0, limit: 2, count: null, has_more: true, total_is: 'none' },
      })
      expect([answer.headers.has('x-total-count'), roundTrips(answer)]).toEqual([false, '1'])
    }
  })

  it.each([
    ['kind=rare&page_size=120', 120, false],
    ['kind=rare&page_size=119', 119, true],
    ['limit=0', 0, true],
    ['limit=0&offset=12000', 0, false],
    ['limit=0&offset=11999', 0, true],
    ['kind=none', 0, false],
  ])('none: %s returns %i records, and has_more is %s', async (query, length, hasMore) => {
    const { body } = await list(`_total=none&${query}`)
    expect([body.data.length, body.total, body.meta.has_more]).toEqual([length, null, hasMore])
  })

  it('none returns an empty page beyond the first million records', async () => {
    expect((await list('_total=none&offset=2000000')).body).toMatchObject({
      data: [],
      total: null,
      meta: { count: null, has_more: false },
    })
    expect((await list('_total=estimated&offset=2000000')).body).toMatchObject({
      data: [],
      total: count,
      meta: { total_is: 'exact' },
    })
  })

  it('counts groups exactly, unless it is none', async () => {
    const query = '_group_by=kind&_aggregate=count(*)&page_size=1'
    const data = [{ kind: 'rare', count: 120 }]
    const rest = { page: 1, page_size: 1 }
    expect((await list(`${query}&_total=estimated`)).body).toEqual({
      ...{ data, total: 2, ...rest },
      meta: { offset: 0, limit: 1, count: 2, has_more: true, total_is: 'exact' },
    })
    expect((await list(`${query}&_total=none`)).body).toEqual({
      ...{ data, total: null, ...rest },
      meta: { offset: 0, limit: 1, count: null, has_more: true, total_is: 'none' },
    })
  })
})

describe('a count', () => {
  it.each([
    ['every row', { most: null, ms: 1000 }, { is: 'exact', total: 30_000 }],
    ['as many rows as wanted', { most: 30_000, ms: 1000 }, { is: 'exact', total: 30_000 }],
    ['more rows than wanted', { most: 29_999, ms: 1000 }, { is: 'timeout', total: null }],
    ['rows for too long', { most: null, ms: -1 }, { is: 'timeout', total: null }],
  ])(
    'ends by itself: when its time is over, and after the records that are wanted: %s',
    async (_, given, wanted) => {
      const query = "select from generate_series(1, 30000) n where n::text <> %1$L and 'a%%' like 'a%%'"
      const [row] = await app.sql(
        `select tessera.count_rows($1, array[''], ${given.most}, ${given.ms}, 'timeout') as counted`,
        [query],
      )
      expect(row).toEqual({ counted: wanted })
    },
  )

  it('of a whole table ends after 10,000 rows if Postgres expects more than twice as many as wanted', async () => {
    // Postgres expects a third of the rows to pass, and the count fails where it reads the 20,000th.
    const query = 'select from generate_series(1, 100000) n where 1 / (20000 - n) < 5'
    const count = (most: number, trusts: boolean) =>
      app.sql(`select tessera.count_rows($1, array[''], $2, 10000, 'estimated', $3) as counted`, [
        query,
        most,
        trusts,
      ])
    expect(await count(12_000, true)).toEqual([{ counted: { is: 'estimated', total: 33_333 } }])
    await expect(count(30_000, true)).rejects.toMatchObject({ code: '22012' })
  })
})

describe('limit=0', () => {
  it('returns an empty page with the total', async () => {
    const { status, body, headers } = await list('limit=0&offset=5&populate=*&kind=rare')
    expect([status, body]).toEqual([
      200,
      {
        data: [],
        total: 120,
        page: 1,
        page_size: 0,
        meta: { offset: 5, limit: 0, count: 120, has_more: true, total_is: 'exact' },
      },
    ])
    expect(headers.get('x-total-count')).toBe('120')
  })

  it('returns an empty page of groups with their number', async () => {
    const { body } = await list('_group_by=kind&_aggregate=count(*)&limit=0')
    expect(body).toMatchObject({ data: [], total: 2, page_size: 0, meta: { has_more: true } })
  })
})
