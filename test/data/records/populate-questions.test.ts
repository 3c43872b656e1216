/** `populate` as JSON: which related records to return, in which order, how many, and with their number. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection, keyOfTable } from '../../support/collection.ts'
import { addRows, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop

const get = (path: string) => app.request('GET', path, { token: shop.owner.token })
const query = (populate: unknown, more: Record<string, string> = {}) =>
  new URLSearchParams({ populate: JSON.stringify(populate), ...more })
const one = async (table: string, id: string | number, populate: unknown, more = {}) =>
  (await get(`${shop.data(table)}${id}/?${query(populate, more)}`)).body.data
const refusal = async (populate: unknown) => {
  const { status, body } = await get(`${shop.data('artists')}?${query(populate)}`)
  expect([status, body.error, Object.keys(body.details)]).toEqual([400, 'Validation failed', ['populate']])
  return body.details.populate
}
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'questions', collection)
  const work = (id: number, artist_id: number, more: object = {}) => ({
    id,
    title: `Work ${id}`,
    price: id % 3 === 0 ? null : id,
    artist_id,
    ...more,
  })
  const rows = {
    cities: [
      { id: 1, name: 'Berlin' },
      { id: 2, name: 'Lyon' },
    ],
    artists: [
      { id: 1, name: 'Ada', city_id: 1 },
      { id: 2, name: 'Bo', city_id: 2, mentor: 1 },
      { id: 3, name: 'Cy', city_id: null },
    ],
    works: [
      ...[1, 2, 3, 4, 5, 6].map((id) => work(id, 1, { restorer_id: id % 2 ? 2 : 3 })),
      work(7, 2),
      work(8, 1, { is_deleted: true }),
      ...Array.from({ length: 130 }, (_, index) => work(1000 + index, 2)),
    ],
    shows: [
      { id: 1, name: 'First', city_id: 1 },
      { id: 2, name: 'Second', city_id: 2 },
    ],
    hangings: [
      { show_id: 1, work_id: 1 },
      { show_id: 1, work_id: 4 },
      { show_id: 2, work_id: 1 },
    ],
  }
  await addRows(app, shop, rows, keyOfTable)
})

describe('populate as JSON', () => {
  it.each<[unknown, string[]]>([
    [
      { nope: {} },
      [
        'Unknown relationship "nope" of "artists". Relationships: city, mentor, artists, works_by_artist, works_by_restorer, cities, artists_by_works_restorer, artists_by_works_artist.',
      ],
    ],
    [{ city: 1 }, ['city: An object is required, for example {} or {"limit": 5}.']],
    [{ 'mentor.city': {} }, ['"mentor.city" must be the name of one relationship.']],
    [{ '*': {} }, ['"*" must be the name of one relationship.']],
    [
      { city: { filter: {} } },
      [
        'city: Unknown member "filter". Did you mean "filters"? Members: filters, ordering, limit, offset, count, fields, populate.',
      ],
    ],
    [
      { works_by_artist: { limit: 101, offset: 1.5, count: 'yes', ordering: 3, fields: ['id'] } },
      [
        'works_by_artist: limit must be a whole number from 0 to 100.',
        'works_by_artist: offset must be a whole number from 0 to 10000.',
        'works_by_artist: count must be true or false.',
        'works_by_artist: ordering must be a text, for example "-created_at,id".',
        'works_by_artist: fields must be a text, for example "id,name".',
      ],
    ],
    [
      { city: { limit: 1 }, mentor: { offset: 1 } },
      [
        'city: A record has one "city" at most: only filters, fields and populate apply.',
        'mentor: A record has one "mentor" at most: only filters, fields and populate apply.',
      ],
    ],
    [
      {
        works_by_artist: {
          filters: { price__gt: 'x' },
          ordering: 'nope',
          populate: { shows: { filters: 3 } },
        },
      },
      [
        'works_by_artist.shows: A filter must be an object, for example {"status": "open", "price__gt": 10}.',
        'works_by_artist: "x" is not a value of "price", which is of type number.',
        expect.stringMatching(
          /^works_by_artist: Unknown field "nope" of "works"\. Fields: id, title/,
        ) as never,
      ],
    ],
    [{ city: {}, city_id: {} }, ['"city_id" is populated twice, under two names.']],
    [
      { works_by_artist: { populate: { shows: { populate: { works: { populate: { artist: {} } } } } } } },
      ['A path may follow 3 relationships at most.'],
    ],
    [
      { works_by_artist: { fields: 'id,nope,-title' } },
      [
        expect.stringMatching(/^Unknown field "nope" of "works"/) as never,
        'List the fields to show, or the fields to omit with a "-" before them, but not both.',
      ],
    ],
  ])('returns 400 for %j', async (populate, messages) => {
    expect(await refusal(populate)).toEqual(messages)
  })

  it('returns 400 for invalid JSON, a repeated name, and more conditions or paths than a query may have', async () => {
    const list = (text: string) => get(`${shop.data('artists')}?${new URLSearchParams({ populate: text })}`)
    expect((await list('{"city": ')).body.details.populate).toEqual(['This is not valid JSON.'])
    expect((await list('{"city": {}, "city": {}}')).body.details.populate).toEqual([
      'The name "city" is repeated in one object.',
    ])
    const conditions = { or: Array.from({ length: 60 }, (_, id) => ({ id })) }
    expect(
      await refusal({ works_by_artist: { filters: conditions }, works_by_restorer: { filters: conditions } }),
    ).toEqual(['works_by_restorer: At most 100 conditions are allowed.'])
    const paths = [
      'artist.name',
      'artist.city.name',
      'restorer.name',
      'shows.name',
      'shows.city.name',
      'hangings.wall',
    ]
    const filters = Object.fromEntries(paths.map((path) => [path, 'x']))
    expect(await refusal({ works_by_artist: { filters } })).toEqual([
      'works_by_artist: A query may have 5 different paths to related records at most.',
    ])
  })

  it('filters, sorts, limits and counts the related records of each record, in one round trip', async () => {
    const populate = {
      works_by_artist: {
        filters: { or: [{ price__gte: 2 }, { price__null: true }] },
        ordering: '-price.nullsfirst,title',
        limit: 3,
        fields: 'id,price',
        count: true,
      },
      city: {},
    }
    const answer = await get(
      `${shop.data('artists')}?${query(populate, { fields: 'name,city.name', id__ne: '2' })}`,
    )
    expect(roundTrips(answer)).toBe('1')
    expect(answer.body.data).toEqual([
      {
        name: 'Ada',
        works_by_artist: [
          { id: 3, price: null },
          { id: 6, price: null },
          { id: 5, price: 5 },
        ],
        city: { name: 'Berlin' },
        _count: { works_by_artist: 5 },
      },
      { name: 'Cy', works_by_artist: [], city: null, _count: { works_by_artist: 0 } },
    ])
  })

  it('returns null for a single related record that does not match', async () => {
    const populate = { city: { filters: { name: 'Berlin' } } }
    const { body } = await get(`${shop.data('artists')}?${query(populate, { fields: 'id' })}`)
    expect(body.data).toEqual([
      { id: 1, city: { id: 1, name: 'Berlin', population: null } },
      { id: 2, city: null },
      { id: 3, city: null },
    ])
  })

  it('filters and sorts by related records, also behind junction tables', async () => {
    expect(
      await one('artists', 1, {
        works_by_artist: {
          filters: { 'shows.city.name': 'Berlin' },
          ordering: '-restorer.name,-id',
          fields: 'id,restorer.name',
        },
      }),
    ).toMatchObject({
      works_by_artist: [
        { id: 4, restorer: { name: 'Cy' } },
        { id: 1, restorer: { name: 'Bo' } },
      ],
    })
    expect(
      await one('works', 1, { shows: { ordering: '-city.name', fields: 'name', count: true } }),
    ).toMatchObject({
      shows: [{ name: 'Second' }, { name: 'First' }],
      _count: { shows: 2 },
    })
  })

  it('can be nested at every depth, each with its own fields', async () => {
    const populate = {
      artists: {
        ordering: '-id',
        populate: {
          works_by_artist: {
            limit: 1,
            ordering: '-id',
            count: true,
            fields: 'id',
            populate: { artist: { fields: 'name' }, shows: {} },
          },
        },
      },
    }
    expect(await one('cities', 2, populate)).toEqual({
      id: 2,
      name: 'Lyon',
      population: null,
      artists: [
        expect.objectContaining({
          name: 'Bo',
          works_by_artist: [{ id: 1129, artist: { name: 'Bo' }, shows: [] }],
          _count: { works_by_artist: 131 },
        }),
      ],
    })
  })

  it('accepts the short form inside, and does not change the limit of other relationships', async () => {
    const populate = { works_by_artist: { populate: 'restorer.city,shows' }, mentor: { populate: 'city' } }
    const { works_by_artist, mentor, _more } = await one('artists', 2, populate)
    expect([works_by_artist.length, mentor.city.name, _more]).toEqual([
      100,
      'Berlin',
      { works_by_artist: 131 },
    ])
    expect(works_by_artist[0]).toMatchObject({ id: 7, restorer: null, shows: [] })
    const limited = await one('artists', 2, { works_by_artist: { limit: 100, count: true } })
    expect([limited.works_by_artist.length, limited._more, limited._count]).toEqual([
      100,
      undefined,
      { works_by_artist: 131 },
    ])
  })

  it('skips related records with offset, which is not reported in _more', async () => {
    const from = async (question: object) => {
      const { works_by_artist, ...rest } = await one(
        'artists',
        2,
        { works_by_artist: question },
        { fields: 'id' },
      )
      return { ids: works_by_artist.map(({ id }: { id: number }) => id), ...rest, id: undefined }
    }
    const { ids } = await from({})
    const after = await from({ offset: 31 })
    expect(after).toEqual({ ids: [...ids.slice(31), ...after.ids.slice(69)] })
    expect(after.ids.length).toBe(100)
    expect((await from({ offset: 30 }))._more).toEqual({ works_by_artist: 131 })
    expect(await from({ offset: 98, limit: 2, count: true })).toEqual({
      ids: ids.slice(98),
      _count: { works_by_artist: 131 },
    })
    expect(await from({ offset: 131, limit: 5 })).toEqual({ ids: [] })
  })

  it('only counts with a limit of 0', async () => {
    expect(await one('artists', 2, { works_by_artist: { limit: 0, count: true } }, { fields: 'id' })).toEqual(
      {
        id: 2,
        works_by_artist: [],
        _count: { works_by_artist: 131 },
      },
    )
  })

  it('works in groups', async () => {
    const parameters = query(
      { artist: { fields: 'name', populate: { works_by_artist: { limit: 1, fields: 'id' } } } },
      { _group_by: 'artist_id', _aggregate: 'count(*)' },
    )
    expect((await get(`${shop.data('works')}?${parameters}`)).body.data).toEqual([
      { artist_id: 1, count: 6, artist: { name: 'Ada', works_by_artist: [{ id: 1 }] } },
      { artist_id: 2, count: 131, artist: { name: 'Bo', works_by_artist: [{ id: 7 }] } },
    ])
  })

  it('populates nothing as {}, and PUT accepts the record that was read', async () => {
    const plain = await one('artists', 3, {})
    expect(plain).toEqual({ id: 3, name: 'Cy', born: null, city_id: null, mentor: null, is_deleted: false })
    const body = await one('artists', 3, { works_by_artist: { count: true } })
    const sent = await app.request('PUT', `${shop.data('artists')}3/`, { token: shop.owner.token, body })
    expect([sent.status, sent.body.data]).toEqual([200, plain])
  })
})
