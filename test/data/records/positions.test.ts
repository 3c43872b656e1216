/** Pages at a cursor: what the parameters `after` and `before` accept and return. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection, documents, keyOfTable } from '../../support/collection.ts'
import { addDocuments, addRows, createShop, grant, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let papers: (table: string) => string

const get = (path: string, token = shop.owner.token) => app.request('GET', path, { token })
const list = (query: string, path = shop.data('works')) => get(`${path}?${query}`)
const idsOf = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id)
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]

/** Works with equal prices and without a price. */
const works = Array.from({ length: 25 }, (_, index) => ({
  id: index + 1,
  title: `Work ${index % 4}`,
  price: index % 5 === 0 ? null : index % 7,
  artist_id: index % 3 === 0 ? null : index % 3,
}))

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'positions', collection)
  const artists = [
    { id: 1, name: 'Ada' },
    { id: 2, name: null },
  ]
  await addRows(app, shop, { artists, works }, keyOfTable)
  papers = await addDocuments(app, shop, documents(collection).resources)
  await app.request('POST', papers('works'), { token: shop.owner.token, body: works })
})

/** Returns all pages of a list, in the order in which they are read. */
async function walk(query: string, direction: 'after' | 'before', path?: string): Promise<number[][]> {
  const pages: number[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await list(`${query}&${direction}=${cursor}`, path)
    expect([answer.status, roundTrips(answer)]).toEqual([200, '1'])
    pages.push(idsOf(answer))
    const { next, previous } = answer.body.meta
    cursor = direction === 'after' ? next : previous
  }
  return pages
}

describe('after and before', () => {
  const foreign = [expect.stringMatching(/^Not a cursor of this list\. .*after= is the first page/)]

  it.each([
    ['after=&before=', { before: ['Cannot be combined with after: a page has one position.'] }],
    [
      'after=&page=2',
      { page: ['Cannot be combined with after, which gives the page of a list of records.'] },
    ],
    [
      'before=&offset=2&_count=true',
      {
        offset: ['Cannot be combined with before, which gives the page of a list of records.'],
        _count: ['Cannot be combined with before, which gives the page of a list of records.'],
      },
    ],
    [
      'after=&_aggregate=count(*)',
      { _aggregate: ['Cannot be combined with after, which gives the page of a list of records.'] },
    ],
    ['after=&limit=0', { limit: ['Must be 1 or greater with after.'] }],
    ['after=&after=', { after: ['This parameter may be given only once.'] }],
    ['after=x', { after: foreign }],
    [`before=v1.${'A'.repeat(16)}.${'A'.repeat(40)}`, { before: foreign }],
    [`after=${'A'.repeat(5000)}`, { after: foreign }],
  ])('return 400 for %s', async (query, details) => {
    const { status, body } = await list(query)
    expect([status, body]).toEqual([400, { error: 'Validation failed', details, code: 'validation_failed' }])
  })

  it('return 400 for the cursor of another query, caller, table, app or site, and for a changed cursor', async () => {
    const query = 'ordering=price&price__gt=1&page_size=3'
    const { next } = (await list(`${query}&after=`)).body.meta
    const refused = {
      status: 400,
      body: { error: 'Validation failed', details: { after: foreign }, code: 'validation_failed' },
    }
    for (const other of [
      'ordering=-price&price__gt=1',
      'ordering=price&price__gt=2',
      'ordering=price',
      'ordering=price&price__gt=1&include_deleted=true',
      'ordering=price&price__gt=1&filters={}',
    ])
      expect(await list(`${other}&after=${next}`)).toMatchObject(refused)
    for (const path of [papers('works'), shop.data('shows').replace('shows', 'hangings')])
      expect((await list(`after=${next}`, path)).body.details.after).toEqual(foreign)
    const colleague = await app.user('colleague')
    await grant(app, shop, colleague, ['access_site'])
    const path = `${shop.data('works')}?${query}&after=${next}`
    expect(await get(path, colleague.token)).toMatchObject(refused)
    const neighbour = await createShop(app, 'positions-next-door', collection)
    expect(
      await app.request('GET', `${neighbour.data('works')}?${query}&after=${next}`, {
        token: neighbour.owner.token,
      }),
    ).toMatchObject(refused)
    for (const place of [5, 25, next.length - 2]) {
      const changed = `${next.slice(0, place)}${next[place] === 'A' ? 'B' : 'A'}${next.slice(place + 1)}`
      expect(await list(`${query}&after=${changed}`)).toMatchObject(refused)
    }
    expect((await list(`${query}&after=${next}`)).status).toBe(200)
    expect((await list(`price__gt=1&fields=id&page_size=5&ordering=price&after=${next}`)).status).toBe(200)
  })

  it('return 400 for a cursor if the type of a sorted field has changed since', async () => {
    const other = await createShop(app, 'positions-retyped')
    const own = { token: other.owner.token }
    const body = [1, 2, 3].map((id) => ({ id, sku: `A-${id}`, price: id }))
    await app.request('POST', other.data('products'), { ...own, body })
    const path = `${other.data('products')}?ordering=price&page_size=1`
    const { next } = (await app.request('GET', `${path}&after=`, own)).body.meta
    const address = other.data('products').replace(/data\/$/, '')
    const { json_schema } = (await app.request('GET', address, own)).body
    const fields = json_schema.fields.map((field: { name: string }) =>
      field.name === 'price' ? { name: 'price', type: 'string' } : field,
    )
    const changed = { json_schema: { ...json_schema, fields } }
    expect(
      (await app.request('PATCH', `${address}?allow_data_loss=true`, { ...own, body: changed })).status,
    ).toBe(200)
    expect((await app.request('GET', `${path}&after=${next}`, own)).body.details.after).toEqual(foreign)
  })

  it('return 422 if a sorted value is too long for a cursor', async () => {
    const title = 'long '.repeat(1000)
    await app.request('POST', shop.data('works'), {
      token: shop.owner.token,
      body: [100, 101].map((id) => ({ id, title, is_deleted: true })),
    })
    const query = 'only_deleted=true&ordering=title&page_size=1&after='
    expect(await list(query)).toMatchObject({
      status: 422,
      body: {
        error: 'Cursor too long',
        detail: expect.stringContaining('Use page or offset.'),
        code: 'cursor_too_long',
      },
    })
  })

  it('return 400 for a single record', async () => {
    const { body } = await get(`${shop.data('works')}1/?after=`)
    expect(body.details.after[0]).toContain('Unknown parameter')
  })
})

describe('a page at a cursor', () => {
  it('has cursors in meta and the total, but no page number and no offset', async () => {
    const { body, headers } = await list('page_size=2&after=&fields=id')
    expect(body).toEqual({
      data: [{ id: 1 }, { id: 2 }],
      total: 25,
      page: null,
      page_size: 2,
      meta: {
        offset: null,
        limit: 2,
        count: 25,
        has_more: true,
        total_is: 'exact',
        next: expect.stringMatching(/^[\w.-]{50,400}$/),
        previous: null,
      },
    })
    expect(headers.get('x-total-count')).toBe('25')
    const second = await list(`limit=2&after=${body.meta.next}&_total=none`)
    expect(second.body).toMatchObject({ total: null, meta: { has_more: true, total_is: 'none' } })
    expect(idsOf(second)).toEqual([3, 4])
    const first = await list(`page_size=5&before=${second.body.meta.previous}&_total=estimated`)
    expect([idsOf(first), first.body.meta]).toEqual([
      [1, 2],
      {
        offset: null,
        limit: 5,
        count: 25,
        has_more: true,
        total_is: 'exact',
        next: expect.any(String),
        previous: null,
      },
    ])
    expect(idsOf(await list(`page_size=2&after=${first.body.meta.next}`))).toEqual([3, 4])
  })

  it('is the last page for before=, in the order of the list', async () => {
    const { body } = await list('page_size=3&before=&ordering=-id')
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([3, 2, 1])
    expect(body.meta).toMatchObject({ next: null, previous: expect.any(String), has_more: false })
  })

  it('has cursors that do not disclose their position: the same position has a different text each time', async () => {
    const [one, other] = [await list('page_size=2&after='), await list('page_size=2&after=')]
    const next = [one, other].map(({ body }) => body.meta.next)
    expect(new Set(next).size).toBe(2)
    const pages = await Promise.all(next.map((after) => list(`page_size=2&after=${after}`)))
    expect(pages[0]?.body.data).toEqual(pages[1]?.body.data)
  })

  it('is empty and has no cursors if no records follow', async () => {
    expect((await list('after=&id=0')).body).toMatchObject({
      data: [],
      total: 0,
      meta: { next: null, previous: null },
    })
    const { next } = (await list('id__in=1,2&page_size=1&after=')).body.meta
    await app.request('DELETE', `${shop.data('works')}2/`, { token: shop.owner.token })
    expect((await list(`id__in=1,2&page_size=1&after=${next}`)).body).toMatchObject({
      data: [],
      meta: { has_more: false, next: null, previous: null },
    })
    await app.request('PATCH', `${shop.data('works')}2/?include_deleted=true`, {
      token: shop.owner.token,
      body: { is_deleted: false },
    })
  })

  it.each([
    '',
    'ordering=price',
    'ordering=-price',
    'ordering=price.nullsfirst',
    'ordering=-price.nullsfirst,title',
    'ordering=title,-price,id',
    'ordering=-title,-id',
    'ordering=artist.name,-price',
    'ordering=-artist.name.nullsfirst',
    'ordering=sold,-made_at',
    'ordering=-price&price__nnull=true',
  ])('joins its neighbours to the whole list, in both directions: %s', async (query) => {
    const isPlain = !query.includes('artist')
    for (const path of isPlain ? [shop.data('works'), papers('works')] : [shop.data('works')]) {
      const whole = idsOf(await list(`${query}&limit=1000`, path))
      expect(whole.length).toBeGreaterThan(15)
      for (const size of [3, 25]) {
        const forward = await walk(`${query}&page_size=${size}`, 'after', path)
        expect(forward.flat()).toEqual(whole)
        const backward = await walk(`${query}&page_size=${size}`, 'before', path)
        expect(backward.toReversed().flat()).toEqual(whole)
      }
    }
  })

  it('can follow the rank of a search, alone and with other fields', async () => {
    for (const ordering of ['', '&ordering=-_rank,-price', '&ordering=price.nullsfirst,-_rank']) {
      const query = `search=work${ordering}`
      const whole = idsOf(await list(`${query}&limit=1000`))
      expect(whole).toHaveLength(25)
      expect((await walk(`${query}&page_size=4`, 'after')).flat()).toEqual(whole)
    }
  })
})
