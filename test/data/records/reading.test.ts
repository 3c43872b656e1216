/** How records are read: with related records, searched, sorted, and in pages. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection, keyOfTable } from '../../support/collection.ts'
import { addRows, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop

const get = (path: string) => app.request('GET', path, { token: shop.owner.token })
const list = (table: string, query: string) => get(`${shop.data(table)}?${query}`)
const one = (table: string, id: string | number, query = '') => get(`${shop.data(table)}${id}/?${query}`)
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]
const idsOf = (answer: { body: { data: { id: number }[] } }) => answer.body.data.map(({ id }) => id)

const berlin = { id: 1, name: 'Berlin', population: 3_700_000 }
const lyon = { id: 2, name: 'Lyon', population: 520_000 }
const ada = { id: 1, name: 'Ada', born: '1900-01-01', city_id: 1, mentor: null, is_deleted: false }
const bo = { id: 2, name: 'Bo', born: '1930-05-05', city_id: 2, mentor: 1, is_deleted: false }
const gone = { id: 3, name: 'Gone', born: null, city_id: 1, mentor: 1, is_deleted: true }
const cleo = { id: 4, name: 'Cleo', born: null, city_id: null, mentor: 3, is_deleted: false }
const nothing = {
  price: null,
  year: null,
  sold: null,
  made_at: null,
  hour: null,
  code: null,
  about: null,
  tags: null,
}
const work = (id: number, title: string, artist_id: number | null, more: Record<string, unknown> = {}) => ({
  id,
  title,
  ...nothing,
  artist_id,
  restorer_id: null,
  is_deleted: false,
  ...more,
})
const bridge = work(1, 'The red bridge at night', 1, {
  price: 10,
  restorer_id: 2,
  made_at: '1950-06-01T12:00:00Z',
})
const boats = work(2, 'Boats, red boats and a bridge', 2, {
  price: 20.5,
  about: { size: { width: 30 } },
  tags: ['oil', 'large'],
})
const lost = work(3, 'A lost bridge', 1, { is_deleted: true })
const orphan = work(4, 'Untitled', 3)
const first = { id: 1, name: 'First', city_id: 1, opens: null, closes: null }
const second = { id: 2, name: 'Second', city_id: 2, opens: null, closes: null }
const hanging = (show_id: number, work_id: number, wall: string | null = null, is_deleted = false) => ({
  show_id,
  work_id,
  wall,
  is_deleted,
})
const hangings = [
  hanging(1, 1, 'north'),
  hanging(1, 2, 'south'),
  hanging(1, 3),
  hanging(2, 1, null, true),
  hanging(2, 2, 'north'),
]

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'reading', collection)
  const many = Array.from({ length: 130 }, (_, index) => work(1000 + index, `Sketch ${index}`, 4))
  const rows = {
    cities: [berlin, lyon],
    artists: [ada, bo, gone, cleo],
    works: [bridge, boats, lost, orphan, ...many],
    shows: [first, second],
    hangings,
  }
  await addRows(app, shop, rows, keyOfTable)
})

describe('populate', () => {
  it('keeps the column of a foreign key and adds the object under its name without _id', async () => {
    const { body } = await one('works', 1, 'populate=artist,restorer_id')
    expect(body).toEqual({ data: { ...bridge, artist: ada, restorer: bo } })
    expect((await one('works', 2, 'populate=artist,restorer')).body.data).toEqual({
      ...boats,
      artist: bo,
      restorer: null,
    })
  })

  it('replaces the column whose name the object has', async () => {
    const { body } = await one('artists', 2, 'populate=mentor.city')
    expect(JSON.stringify(body)).toBe(JSON.stringify({ data: { ...bo, mentor: { ...ada, city: berlin } } }))
  })

  it('adds referencing records as an array under the name of their table, or of table and key', async () => {
    expect((await one('cities', 1, 'populate=artists,shows')).body.data).toEqual({
      ...berlin,
      artists: [ada],
      shows: [first],
    })
    expect((await one('artists', 2, 'populate=works_by_artist,works_by_restorer')).body.data).toEqual({
      ...bo,
      works_by_artist: [boats],
      works_by_restorer: [bridge],
    })
  })

  it('follows a junction table', async () => {
    const { body } = await list('works', 'populate=shows&id__lte=2')
    expect(body.data).toEqual([
      { ...bridge, shows: [first] },
      { ...boats, shows: [first, second] },
    ])
  })

  it('can be nested with dots, up to three levels', async () => {
    const { body } = await one('cities', 2, 'populate=shows.works.artist,artists')
    expect(body.data).toEqual({
      ...lyon,
      artists: [bo],
      shows: [{ ...second, works: [{ ...boats, artist: bo }] }],
    })
  })

  it('with * adds all direct relationships', async () => {
    expect((await one('works', 2, 'populate=*')).body.data).toEqual({
      ...boats,
      artist: bo,
      restorer: null,
      hangings: [hangings[1], hangings[4]],
      shows: [first, second],
    })
    expect((await one('hangings', '1,2', 'populate=work.*,show')).body.data).toEqual({
      ...hangings[1],
      work: {
        ...boats,
        artist: bo,
        restorer: null,
        hangings: [hangings[1], hangings[4]],
        shows: [first, second],
      },
      show: first,
    })
  })

  it('omits soft-deleted records, and soft-deleted records of a junction table', async () => {
    expect((await one('works', 4, 'populate=artist')).body.data).toEqual({ ...orphan, artist: null })
    expect((await one('artists', 4, 'populate=mentor')).body.data).toEqual({ ...cleo, mentor: null })
    expect((await one('shows', 1, 'populate=works')).body.data).toEqual({ ...first, works: [bridge, boats] })
    expect((await one('shows', 2, 'populate=works&include_deleted=true')).body.data).toEqual({
      ...second,
      works: [boats],
    })
  })

  it('limits arrays to 100 records for each parent, in the order of their key', async () => {
    const { body } = await list('artists', 'populate=works_by_artist&ordering=-id')
    expect(
      body.data.map(({ works_by_artist }: { works_by_artist: unknown[] }) => works_by_artist.length),
    ).toEqual([100, 1, 1])
    expect(body.data[0].works_by_artist.at(-1)).toMatchObject({ id: 1099 })
  })

  it('returns in _more the number of all related records if an array is cut', async () => {
    const { body } = await list(
      'artists',
      'populate=works_by_artist,works_by_restorer&ordering=-id&include_deleted=true',
    )
    expect(body.data.map((record: { _more?: unknown }) => record._more)).toEqual([
      { works_by_artist: 130 },
      undefined,
      undefined,
      undefined,
    ])
    expect(Object.keys(body.data[0])).toEqual([
      ...Object.keys(cleo),
      'works_by_artist',
      'works_by_restorer',
      '_more',
    ])
    expect(Object.keys(body.data[1])).toEqual([...Object.keys(cleo), 'works_by_artist', 'works_by_restorer'])
    expect((await one('artists', 4, 'populate=works_by_artist')).body.data._more).toEqual({
      works_by_artist: 130,
    })
    // Nested, through a junction table, and without soft-deleted records.
    const inside = (await one('works', 1000, 'populate=artist.works_by_artist')).body.data
    expect([inside._more, inside.artist._more, inside.artist.works_by_artist.length]).toEqual([
      undefined,
      { works_by_artist: 130 },
      100,
    ])
    await app.sql(`update ${shop.schema}.shop_works set is_deleted = true where id between 1100 and 1129`)
    expect((await one('artists', 4, 'populate=works_by_artist')).body.data).not.toHaveProperty('_more')
    await app.sql(`update ${shop.schema}.shop_works set is_deleted = false where id = 1100`)
    expect((await one('artists', 4, 'populate=works_by_artist')).body.data._more).toEqual({
      works_by_artist: 101,
    })
    await app.sql(`update ${shop.schema}.shop_works set is_deleted = false where id between 1100 and 1129`)
    const hung = Array.from({ length: 120 }, (_, index) => ({ show_id: 2, work_id: 1000 + index }))
    await app.request('POST', shop.data('hangings'), { token: shop.owner.token, body: hung })
    expect((await one('cities', 2, 'populate=shows.works,shows.hangings')).body.data.shows[0]._more).toEqual({
      works: 121,
      hangings: 121,
    })
    await app.sql(`delete from ${shop.schema}.shop_hangings where work_id >= 1000`)
  })

  it('returns _more in groups, too', async () => {
    const { body } = await list(
      'works',
      '_group_by=artist_id&_aggregate=count(*)&populate=artist.works_by_artist&ordering=-count&page_size=1',
    )
    expect([body.data[0].count, body.data[0]._more, body.data[0].artist._more]).toEqual([
      130,
      undefined,
      { works_by_artist: 130 },
    ])
    const many = (await list('artists', '_group_by=id&populate=works_by_artist&ordering=-id&page_size=2'))
      .body.data
    expect(
      many.map(({ works_by_artist, ...group }: { works_by_artist: unknown[] }) => [
        works_by_artist.length,
        group,
      ]),
    ).toEqual([
      [100, { id: 4, _more: { works_by_artist: 130 } }],
      [1, { id: 2 }],
    ])
  })

  it('takes one round trip with three relationships and the total, and one for a single record', async () => {
    const page = await list('works', 'populate=artist.city,restorer,shows&page_size=50')
    expect([page.status, page.body.total, roundTrips(page)]).toEqual([200, 133, '1'])
    const record = await one('works', 1, 'populate=*')
    expect([record.status, roundTrips(record)]).toEqual([200, '1'])
  })
})

describe('reading a record', () => {
  it('returns 400 for an unknown parameter', async () => {
    expect(await one('works', 1, 'populate=nope&page=1&search=x&include_deleted=yes')).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: {
          page: [
            'Unknown parameter. Known parameters: populate, fields, _annotate, include_deleted, as_of, format, _envelope, include, depth, relationship_type, _sort, _order, ordering, filters, search, _language, _fuzzy.',
          ],
          search: ['Only applies to a traversal: add include, format=tree or format=graph.'],
          include_deleted: ['Must be true or false; "yes" is not.'],
          populate: [
            'Unknown relationship "nope" of "works". Relationships: artist, restorer, hangings, shows.',
          ],
        },
        code: 'validation_failed',
      },
    })
  })

  it('returns 404 for a soft-deleted record, unless include_deleted=true', async () => {
    expect(await one('works', 3)).toMatchObject({
      status: 404,
      body: { error: 'Record not found', code: 'record_not_found' },
    })
    expect(await one('works', 3, 'include_deleted=false')).toMatchObject({ status: 404 })
    expect((await one('works', 3, 'include_deleted=true')).body).toEqual({ data: lost })
  })
})

describe('format=flat', () => {
  it('is the default, for one record and for a list', async () => {
    expect((await one('works', 1, 'format=flat')).body).toEqual({ data: bridge })
    const page = await list('shows', 'format=flat')
    expect([page.status, page.body]).toEqual([
      200,
      {
        data: [first, second],
        total: 2,
        page: 1,
        page_size: 20,
        meta: { offset: 0, limit: 20, count: 2, has_more: false, total_is: 'exact' },
      },
    ])
    expect((await list('shows', '')).body).toEqual(page.body)
  })
})

describe('a soft-deleted record', () => {
  it('is not listed, except with include_deleted=true or only_deleted=true', async () => {
    expect(idsOf(await list('artists', ''))).toEqual([1, 2, 4])
    expect(idsOf(await list('artists', 'include_deleted=true'))).toEqual([1, 2, 3, 4])
    expect(idsOf(await list('artists', 'only_deleted=true'))).toEqual([3])
    expect(await list('cities', 'only_deleted=true')).toMatchObject({
      status: 200,
      body: { data: [], total: 0 },
    })
  })

  it('is not a related record in filters and orders', async () => {
    expect(idsOf(await list('works', 'artist.name=Gone'))).toEqual([])
    expect(idsOf(await list('works', 'artist.name__null=true'))).toEqual([4])
    expect(idsOf(await list('shows', 'works.title=A lost bridge'))).toEqual([])
    expect(idsOf(await list('shows', 'works.id=1'))).toEqual([1])
    expect(idsOf(await list('artists', 'ordering=-mentor.name,id'))).toEqual([2, 1, 4])
  })
})

describe('filters by related records', () => {
  it('must match in the same related record', async () => {
    expect(idsOf(await list('shows', 'hangings.wall=north&hangings.work_id=2'))).toEqual([2])
    const each = JSON.stringify({
      and: [{ or: [{ 'hangings.wall': 'north' }] }, { or: [{ 'hangings.work_id': 2 }] }],
    })
    expect(idsOf(await list('shows', `filters=${each}`))).toEqual([1, 2])
    expect(
      idsOf(await list('cities', 'shows.works.title__icontains=BOATS&shows.works.artist.name=Bo')),
    ).toEqual([1, 2])
  })

  it('inside not match records without such a related record', async () => {
    expect(
      idsOf(await list('cities', `filters=${JSON.stringify({ not: { 'shows.works.id': 1 } })}`)),
    ).toEqual([2])
  })
})

describe('a search', () => {
  it('returns 400 if the table has no search_fields', async () => {
    expect(await list('cities', 'search=x')).toMatchObject({
      status: 400,
      body: { details: { search: ['"cities" cannot be searched: its schema has no search_fields.'] } },
    })
  })

  it('understands words in the language of the table, phrases in quotes, minus, and OR', async () => {
    expect(idsOf(await list('works', 'search=bridges'))).toEqual([1, 2])
    expect(idsOf(await list('works', 'search="red bridge"'))).toEqual([1])
    expect(idsOf(await list('works', 'search=bridge -boats'))).toEqual([1])
    expect(idsOf(await list('works', 'search=night OR untitled'))).toEqual([1, 4])
    expect(idsOf(await list('works', 'search=bridge&include_deleted=true&ordering=id'))).toEqual([1, 2, 3])
    expect((await list('works', 'search=the')).body.total).toBe(0)
    expect((await list('works', 'search=%20')).body.total).toBe(133)
  })

  it('returns the best matches first, unless an order is given', async () => {
    expect(idsOf(await list('works', 'search=boat OR night'))).toEqual([2, 1])
    expect(idsOf(await list('works', 'search=boat OR night&ordering=id'))).toEqual([1, 2])
  })

  it.each(['&', '!', '(', ':*', "'", '"', '\\', 'a & b | !c', '<->', '%00x'])(
    'accepts %s like any text',
    async (text) => {
      expect([200, 400]).toContain(
        (await list('works', `search=${text === '%00x' ? text : encodeURIComponent(text)}`)).status,
      )
    },
  )
})

describe('pages', () => {
  it('are the same for all three ways to request them', async () => {
    const wanted = Array.from({ length: 10 }, (_, index) => 1007 + index)
    for (const query of ['page=2&page_size=10', 'limit=10&offset=10', '_start=10&_end=20']) {
      const { body, headers } = await list('works', query)
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual(wanted)
      expect({ ...body, data: [] }).toEqual({
        data: [],
        total: 133,
        page: 2,
        page_size: 10,
        meta: { offset: 10, limit: 10, count: 133, has_more: true, total_is: 'exact' },
      })
      expect(headers.get('x-total-count')).toBe('133')
    }
  })

  it('have a total whether they are full, first, last, or beyond the last record', async () => {
    const totals = async (queries: string[]) =>
      Promise.all(queries.map(async (query) => (await list('artists', query)).body.total))
    expect(
      await totals(['', 'page_size=3', 'page_size=2', 'page_size=2&page=2', 'page=9', 'limit=3&offset=3']),
    ).toEqual([3, 3, 3, 3, 3, 3])
    expect((await list('artists', 'page=9')).body).toEqual({
      data: [],
      total: 3,
      page: 9,
      page_size: 20,
      meta: { offset: 160, limit: 20, count: 3, has_more: false, total_is: 'exact' },
    })
  })

  it('beyond the first million records are empty if there are fewer records', async () => {
    expect(await list('artists', 'page=999999999999')).toMatchObject({
      status: 200,
      body: { data: [], total: 3, page: 999_999_999_999 },
    })
  })

  it('have at most 1000 records', async () => {
    expect((await list('works', 'page_size=100000')).body).toMatchObject({
      page_size: 1000,
      total: 133,
      meta: { has_more: false },
    })
  })

  it('with _count=true return only the total', async () => {
    const { body, headers } = await list('works', '_count=true&title__startswith=Sketch&populate=artist')
    expect(body).toEqual({
      data: [],
      total: 130,
      page: 1,
      page_size: 20,
      meta: { offset: 0, limit: 20, count: 130, has_more: true, total_is: 'exact' },
    })
    expect(headers.get('x-total-count')).toBe('130')
  })
})

describe('an answer of more than 12 MiB', () => {
  it('is 422 instead', async () => {
    const { token } = shop.owner
    await app.request('POST', shop.data('artists'), { token, body: { id: 5, name: 'x'.repeat(360_000) } })
    await app.request('POST', shop.data('works'), {
      token,
      body: Array.from({ length: 50 }, (_, index) => work(2000 + index, 'Big', 5)),
    })
    const refusal = (bytes: number) => ({
      status: 422,
      body: {
        error: 'Answer too large',
        detail: `The answer is longer than ${bytes} bytes of JSON. Request fewer records, or less of each.`,
        code: 'answer_too_large',
      },
    })
    expect(await list('works', 'title=Big&populate=artist&page_size=50')).toMatchObject(refusal(12_582_912))
    // Records related to one record have a lower limit.
    expect(await one('artists', 5, 'populate=works_by_artist.artist')).toMatchObject(refusal(3_145_728))
    expect(await list('works', 'title=Big&populate=artist&page_size=20')).toMatchObject({
      status: 200,
      body: { total: 50 },
    })
  })
})
