/** Lists that are streamed as CSV or as JSON lines. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { collection, documents, keyOfTable } from '../../support/collection.ts'
import { addDocuments, addRows, createShop, grant, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let papers: (table: string) => string
let stranger: User

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'

const get = (accept: string, path: string, token = shop.owner.token, method = 'GET') =>
  app.request(method, path, { token, headers: { accept } })
const list = (accept: string, query: string, path = shop.data('works')) => get(accept, `${path}?${query}`)
const lines = (text: string) => text.split(/\r?\n/).slice(0, -1)
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]

const artists = [
  { id: 1, name: 'Ada', born: '1815-12-10', is_deleted: false },
  { id: 2, name: 'Bo, "the\r\nGreat"', born: null, is_deleted: false },
  { id: 3, name: null, born: '1900-01-01', is_deleted: true },
]
const works = Array.from({ length: 2_500 }, (_, index) => ({
  id: index + 1,
  title: index === 0 ? '' : `Work ${index % 4}`,
  price: index % 5 === 0 ? null : index % 7,
  year: index === 0 ? -3 : null,
  sold: index % 2 === 0,
  made_at: index === 0 ? '2024-01-01T00:00:00.5Z' : null,
  hour: index === 0 ? '07:30:00' : null,
  about: index === 0 ? { a: 'x"y\nz', b: [1, null] } : null,
  tags: index === 0 ? [1.5, 'two'] : null,
  artist_id: index % 3 === 0 ? null : index % 3,
}))

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'streams', collection)
  await addRows(app, shop, { artists, works }, keyOfTable)
  papers = await addDocuments(app, shop, documents(collection).resources)
  await app.request('POST', papers('works'), { token: shop.owner.token, body: works })
  stranger = await app.user('stranger')
})

describe('a request for a stream', () => {
  it.each([
    [csv, '_count=true', { _count: ['Not possible with text/csv.'] }],
    [csv, 'before=', { before: ['Not possible with text/csv.'] }],
    [ndjson, 'limit=0', { limit: ['Must be 1 or greater with application/x-ndjson.'] }],
    [ndjson, 'format=tree', { format: ['Not possible with application/x-ndjson.'] }],
    [csv, 'include=both&depth=2', expect.objectContaining({ include: ['Not possible with text/csv.'] })],
    [
      csv,
      'populate=artist',
      { populate: ['Not possible with text/csv, which cannot contain related records.'] },
    ],
    [
      csv,
      'fields=id,artist.name',
      { populate: ['Not possible with text/csv, which cannot contain related records.'] },
    ],
    [csv, 'search=work&_rank=true', { _rank: ['Not possible with text/csv.'] }],
    [ndjson, '_bom=true', { _bom: ['Only possible with Accept: text/csv.'] }],
    ['*/*', '_bom=true', { _bom: ['Only possible with Accept: text/csv.'] }],
    [csv, '_bom=2', { _bom: ['Must be true or false; "2" is not.'] }],
    [csv, 'price__gt=cheap', { price__gt: [expect.stringMatching(/not a value of "price"/)] }],
    [csv, 'after=x', { after: [expect.stringMatching(/^Not a cursor of this list\./)] }],
    [csv, 'offset=1000001', { offset: [expect.stringMatching(/^Pages cannot go beyond record/)] }],
  ])('returns 400 for %s and %s', async (accept, query, details) => {
    const { status, headers, body } = await list(accept, query)
    expect([status, headers.get('content-type'), body]).toEqual([
      400,
      'application/json',
      { error: 'Validation failed', details, code: 'validation_failed' },
    ])
    expect(headers.get('content-disposition')).toBe(null)
    expect(headers.get('vary')).toMatch(/\bAccept\b/)
  })

  it('returns 403 to a stranger, 401 without credentials and 404 for an unknown table', async () => {
    expect((await get(csv, shop.data('works'), stranger.token)).status).toBe(403)
    expect((await app.request('GET', shop.data('works'), { headers: { accept: csv } })).status).toBe(401)
    expect((await get(csv, shop.data('nothing'))).status).toBe(404)
  })

  it('returns 503 if the site has too many concurrent streams', async () => {
    const narrow = app.with({ SITE_CONCURRENCY: '4', BUSY_WAIT_MS: '50' })
    const held = await narrow.open('GET', shop.data('works'), {
      token: shop.owner.token,
      headers: { accept: csv },
    })
    const refused = await narrow.request('GET', shop.data('works'), {
      token: shop.owner.token,
      headers: { accept: csv },
    })
    expect([refused.status, refused.body]).toEqual([
      503,
      { detail: 'Too many requests are being processed. Try again in a moment.', code: 'busy' },
    ])
    await held.body?.cancel()
    const after = await narrow.request('GET', shop.data('artists'), {
      token: shop.owner.token,
      headers: { accept: csv },
    })
    expect(after.status).toBe(200)
  })
})

describe('hostile requests for a stream', () => {
  const hostile = [
    ...[
      "fields=title'--",
      'fields=*,*',
      'fields=-id,id',
      'ordering=title.nullsfirst,-price',
      'ordering=about',
    ],
    ...[
      'search=x',
      'filters={',
      'filters=[]',
      'after=&after=',
      'after=%00',
      'limit=-1',
      'limit=1e3',
      'limit=999999999999',
    ],
    ...[
      'page=0',
      'page=999999999999&page_size=999999999999',
      '_start=5&_end=2',
      '_total=some',
      '_total=none&_count=true',
    ],
    ...[
      '_aggregate=x(',
      '_aggregate=sum(title)',
      '_group_by=about',
      '_aggregate=count(*)&after=',
      '_having=count__gt=1',
    ],
    ...[
      '_bom=true&_bom=true',
      '_envelope=false',
      '_envelope=x',
      'populate=*',
      'populate={"artist":{"fields":"x"}}',
    ],
    ...[
      'include_deleted=maybe',
      'depth=1',
      'format=csv',
      '__proto__=1',
      'title__null=x',
      `title=${'x'.repeat(5000)}`,
    ],
  ]

  it.each([csv, ndjson])('return 200 or 400 as %s', async (accept) => {
    for (const path of [shop.data('works'), papers('works')])
      for (const query of hostile) {
        const { status } = await list(accept, query, path)
        expect({ query, status: [200, 400].includes(status) || status }).toEqual({ query, status: true })
      }
  })

  it.each([
    '',
    ',',
    ';',
    'text/csv;q=',
    'text/csv;q=x',
    '"',
    'text/csv;"',
    'a'.repeat(9_000),
    'text/csv,'.repeat(900),
  ])('return 200 for any Accept header: %s', async (accept) => {
    expect((await list(accept, 'limit=1')).status).toBe(200)
  })
})

describe('text/csv', () => {
  it('has a line with the names of the fields, texts in quotes, and nothing for null', async () => {
    const { status, text, headers } = await list(csv, 'ordering=id', shop.data('artists'))
    expect([status, text]).toEqual([
      200,
      'id,name,born,city_id,mentor,is_deleted\r\n' +
        '1,"Ada",1815-12-10,,,false\r\n' +
        '2,"Bo, ""the\r\nGreat""",,,,false\r\n',
    ])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="artists.csv"',
    })
    expect(headers.get('vary')).toMatch(/\bAccept\b/)
    expect(headers.get('x-total-count')).toBe(null)
  })

  it('has every type of field, and distinguishes an empty text from null', async () => {
    const expected =
      'id,title,price,year,sold,made_at,hour,code,about,tags,artist_id,restorer_id,is_deleted\r\n' +
      '1,"",,-3,true,2024-01-01T00:00:00.5Z,07:30:00,,' +
      '"{""a"": ""x\\""y\\nz"", ""b"": [1, null]}","[1.5, ""two""]",,,false\r\n'
    const plain = (text: string) => text.replace(/,false\r\n$|,\r\n$/, '')
    for (const path of [shop.data('works'), papers('works')])
      expect(plain((await list(csv, 'id=1', path)).text)).toBe(plain(expected).replace(/$/, ''))
  })

  it('has only the selected fields, in the order of the table', async () => {
    expect((await list(csv, 'fields=title,id&id__in=1,2')).text).toBe('id,title\r\n1,""\r\n2,"Work 1"\r\n')
    expect((await list(csv, 'fields=year&id__in=1,2')).text).toBe('year\r\n-3\r\n\r\n')
  })

  it('keeps every digit, and texts that look like formulas', async () => {
    const site = await createShop(app, 'digits', {
      resources: [
        {
          name: 'numbers',
          schema: {
            fields: [
              { name: 'id', type: 'integer' },
              { name: 'n', type: 'number' },
              { name: 'text', type: 'string' },
            ],
            primaryKey: 'id',
          },
        },
      ],
    })
    const body = '[{"id": 9223372036854775807, "n": 0.12345678901234567890, "text": "=1+1"}]'
    await app.request('POST', site.data('numbers'), { token: site.owner.token, body })
    const { text } = await get(csv, site.data('numbers'), site.owner.token)
    expect(text).toBe('id,n,text\r\n9223372036854775807,0.12345678901234567890,"=1+1"\r\n')
  })

  it('begins with a byte order mark only with _bom=true', async () => {
    const bytes = async (query: string) => {
      const response = await app.open('GET', `${shop.data('artists')}?${query}`, {
        token: shop.owner.token,
        headers: { accept: csv },
      })
      return [...new Uint8Array(await response.arrayBuffer()).slice(0, 3)]
    }
    expect(await bytes('_bom=true')).toEqual([0xef, 0xbb, 0xbf])
    expect(await bytes('_bom=false')).toEqual([...new TextEncoder().encode('id,')])
  })

  it('has only its header line without records', async () => {
    expect((await list(csv, 'id=0&fields=id,title')).text).toBe('id,title\r\n')
  })
})

describe('application/x-ndjson', () => {
  it('has the records of the list, one in each line', async () => {
    const { status, text, headers } = await list(
      ndjson,
      'ordering=id&populate=works.artist,city',
      shop.data('artists'),
    )
    const json = await list('*/*', 'ordering=id&populate=works.artist,city', shop.data('artists'))
    expect(status).toBe(200)
    expect(lines(text).map((line) => JSON.parse(line))).toEqual(json.body.data)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="artists.ndjson"',
    })
  })

  it('has the rank of a search on request', async () => {
    const { text } = await list(ndjson, 'search=work&_rank=true&limit=1&fields=id')
    expect(JSON.parse(text)).toEqual({ id: expect.any(Number), _rank: expect.any(Number) })
  })

  it('is empty without records', async () => {
    expect((await list(ndjson, 'id=0')).text).toBe('')
  })
})

describe('the content of a stream', () => {
  const idsIn = (text: string) => lines(text).map((line) => (JSON.parse(line) as { id: number }).id)
  const all = works.map(({ id }) => id)

  it('is everything that matches, in the requested order', async () => {
    const byPrice = works
      .toSorted((a, b) => (b.price ?? -1) - (a.price ?? -1) || a.id - b.id)
      .map(({ id }) => id)
    for (const path of [shop.data('works'), papers('works')]) {
      expect(idsIn((await list(ndjson, '', path)).text)).toEqual(all)
      expect(idsIn((await list(ndjson, 'ordering=-price', path)).text)).toEqual(byPrice)
      expect(lines((await list(csv, 'fields=id', path)).text)).toEqual(['id', ...all.map(String)])
    }
  })

  it('is read in pages; the first one is read before the status is sent', async () => {
    const answer = await list(ndjson, 'fields=id')
    expect([roundTrips(answer), idsIn(answer.text).length]).toEqual(['1', 2_500])
  })

  it('is the requested page, of any size', async () => {
    expect(idsIn((await list(ndjson, 'limit=2&offset=3')).text)).toEqual([4, 5])
    expect(idsIn((await list(ndjson, 'page=2&page_size=3')).text)).toEqual([4, 5, 6])
    expect(idsIn((await list(ndjson, '_start=10&_end=12')).text)).toEqual([11, 12])
    expect(idsIn((await list(ndjson, 'limit=2100&offset=100')).text)).toEqual(all.slice(100, 2_200))
    expect(idsIn((await list(ndjson, 'limit=9&offset=2495&ordering=price,id')).text).length).toBe(5)
  })

  it('begins after a cursor', async () => {
    const { body } = await list('*/*', 'after=&limit=2490')
    expect(idsIn((await list(ndjson, `after=${encodeURIComponent(body.meta.next)}`)).text)).toEqual(
      all.slice(1_000),
    )
    expect(idsIn((await list(ndjson, `after=${encodeURIComponent(body.meta.next)}&limit=2`)).text)).toEqual([
      1_001, 1_002,
    ])
  })

  it('has a total in its headers only on request', async () => {
    expect((await list(csv, 'limit=1')).headers.get('x-total-count')).toBe(null)
    expect((await list(csv, 'limit=1&_total=exact')).headers.get('x-total-count')).toBe('2500')
    expect((await list(csv, 'limit=1&_total=estimated')).headers.get('x-total-count')).toBe('2500')
  })

  it('has no soft-deleted records unless they are included', async () => {
    expect(idsIn((await list(ndjson, '', shop.data('artists'))).text)).toEqual([1, 2])
    expect(idsIn((await list(ndjson, 'include_deleted=true', shop.data('artists'))).text)).toEqual([1, 2, 3])
  })
})

describe('a stream of aggregates', () => {
  it('has a line for each group, for all groups unless a page is requested', async () => {
    const query = '_group_by=id&_aggregate=count(*)'
    expect(lines((await list(csv, query)).text).length).toBe(2_501)
    expect((await list(csv, `${query}&limit=2`)).text).toBe('id,count\r\n1,1\r\n2,1\r\n')
    expect((await list(ndjson, `${query}&limit=2&ordering=-id`)).text).toBe(
      '{"id":2500,"count":1}\n{"id":2499,"count":1}\n',
    )
  })

  it('has the same values as JSON, including lists', async () => {
    const query = '_group_by=sold&_aggregate=array_agg(price) as p,min(title) as t,avg(price) as a&id__lt=4'
    expect((await list(csv, query)).text).toBe(
      'sold,p,t,a\r\nfalse,"[1]","Work 1",1.00000000000000000000\r\ntrue,"[null,2]","",2.0000000000000000\r\n',
    )
  })

  it('has one line without groups', async () => {
    expect((await list(csv, '_aggregate=count(*),max(id)')).text).toBe('count,max_id\r\n2500,2500\r\n')
    expect((await list(ndjson, '_aggregate=count(*)')).text).toBe('{"count":2500}\n')
  })

  it('can have related records only as JSON lines', async () => {
    const query = '_group_by=artist_id&_aggregate=count(*)&populate=artist'
    expect((await list(csv, query)).body).toMatchObject({ details: { populate: [expect.any(String)] } })
    expect(lines((await list(ndjson, `${query}&limit=1`)).text)[0]).toMatch(/"artist":\{"id":1,"name":"Ada"/)
  })
})

describe('the headers of a stream', () => {
  it('are returned by HEAD without a body', async () => {
    const { status, text, headers } = await get(csv, shop.data('works'), shop.owner.token, 'HEAD')
    expect([status, text, headers.get('content-disposition')]).toEqual([
      200,
      '',
      'attachment; filename="works.csv"',
    ])
  })

  it('expose the name of the file to listed origins', async () => {
    const open = app.with({ CORS_ORIGINS: 'https://shop.example' })
    const { headers } = await open.request('GET', shop.data('artists'), {
      token: shop.owner.token,
      headers: { accept: csv, origin: 'https://shop.example' },
    })
    expect(headers.get('access-control-expose-headers')).toMatch(/\bContent-Disposition\b/)
    expect(headers.get('vary')).toMatch(/Origin.*Accept|Accept.*Origin/)
  })
})

describe('an open stream', () => {
  it('breaks off if the caller loses the permission, or if the table is changed', async () => {
    const guest = await app.user('guest')
    await grant(app, shop, guest, ['access_site'])
    const open = () =>
      app.open('GET', `${shop.data('works')}?fields=id`, { token: guest.token, headers: { accept: csv } })
    const withRights = await open()
    await grant(app, shop, guest, [])
    await expect(withRights.text()).rejects.toThrow()
    await grant(app, shop, guest, ['access_site'])
    const before = await open()
    await app.sql(`drop table ${shop.schema}.shop_hangings cascade`)
    await app.sql(`alter table ${shop.schema}.shop_works rename to gone`)
    await expect(before.text()).rejects.toThrow()
  })
})
