/** The refusals of live lists, and what they cost those whom nobody follows. test/dev/live.test.ts has the rest. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
/** The names of the feeds that were called. */
const told: string[] = []

beforeAll(async () => {
  const started = await startApp()
  const { LIVE_FEEDS } = started.env
  const watched = {
    getByName(name: string) {
      told.push(name)
      return LIVE_FEEDS.getByName(name)
    },
  }
  app = started.with({ LIVE_FEEDS: watched as never })
  shop = await createShop(app, 'live')
})

const live = (lists: unknown) =>
  app.request('POST', `${shop.api}/live/`, { token: shop.owner.token, body: { lists } })

let made = 0

describe('POST /api/live/', () => {
  it.each([
    [{}, { lists: ['name at least one list'] }],
    [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, 'x'])), { lists: ['at most 20 lists'] }],
  ])('returns 400 for the lists %j', async (lists, errors) => {
    const { status, body } = await live(lists)
    expect([status, body]).toEqual([400, errors])
  })

  it.each([
    '/api/apps/shop/',
    '//other.example/api/apps/shop/datatables/products/data/',
    '/api/apps/shop/datatables/products/dataX',
    '/api/apps/shop/datatables/products/data/..\\..\\..\\..\\..\\users/',
    '/api/apps/shop/datatables/products/data/..',
    '/api/apps/shop/datatables/products/data/1/history/',
  ])('ends %s, which is not the path of a list or a record', async (path) => {
    expect((await live({ a: path })).text).toBe(
      'retry: 3000\n\nevent: end\ndata: {"list":"a","code":"not_supported"}\n\n',
    )
  })

  it('ends what the caller may not read, and answers with a stream', async () => {
    const path = '/api/apps/none/datatables/none/data/'
    const { status, headers, text } = await live({ a: path, b: { path, since: '1-2' } })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(text.split('\n\n')).toEqual([
      'retry: 3000',
      'event: end\ndata: {"list":"a","code":"not_found"}',
      'event: end\ndata: {"list":"b","code":"not_found"}',
      '',
    ])
  })
})

describe('a list with Accept: text/event-stream', () => {
  it('cannot be followed as another person', async () => {
    const headers = { accept: 'text/event-stream', 'x-view-as': '1' }
    const { status, body } = await app.request('GET', shop.data('products'), {
      token: shop.owner.token,
      headers,
    })
    expect([status, body.details]).toEqual([
      400,
      { 'X-View-As': ['A list cannot be followed as another person.'] },
    ])
  })

  it('makes writes of its site tell of themselves, and those of other sites not', async () => {
    const other = await createShop(app, 'unfollowed')
    const write = ({ data, owner }: Shop) =>
      app.request('POST', data('makers'), { token: owner.token, body: { name: `Maker ${++made}` } })
    told.length = 0
    expect((await write(other)).status).toBe(201)
    expect((await write(shop)).status).toBe(201)
    expect(told).toEqual([])
    const stream = await app.open('GET', shop.data('makers'), {
      token: shop.owner.token,
      headers: { accept: 'text/event-stream' },
    })
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await stream.body?.cancel()
    const [site] = await app.sql<{ uuid: string }>(
      `select uuid from sites where slug = 'live' and followed_until > now() + interval '59 minutes'`,
    )
    await write(other)
    await write(shop)
    expect(told).toEqual([expect.stringContaining(site?.uuid ?? 'none')])
  })
})
