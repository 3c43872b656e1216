/** Annotations of JSON properties, and annotations together with the rank and the highlights of a search. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'

const resources = [
  {
    name: 'makers',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'about', type: 'object' },
      ],
      primaryKey: 'id',
    },
  },
  {
    name: 'tools',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'title', type: 'string' },
        { name: 'about', type: 'object' },
        { name: 'sizes', type: 'array' },
        { name: 'maker_id', type: 'integer' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
      search_fields: [{ field: 'title', weight: 'A' }],
    },
  },
]
const makers = [
  { id: 1, about: { city: 'Ulm' } },
  { id: 2, about: { city: 'Bonn', since: 1990 } },
]
const tools = [
  { id: 1, title: 'Saw & saw', about: { power: 700, on: '2026-02-01', use: { wood: true } }, maker_id: 1 },
  { id: 2, title: 'Old saw', about: { power: 'much', on: '2026-02-30' }, sizes: [5, 1], maker_id: 1 },
  { id: 3, title: 'Drill', about: { power: 50.5, on: '2025-12-31', use: { wood: false } }, sizes: ['x'] },
  { id: 4, title: 'Saw and drill', about: { power: null, use: {} }, sizes: [7], maker_id: 2 },
  { id: 5, title: null, about: null },
]

let app: TestApp
let shop: Shop
const paths = new Map<string, (table: string) => string>()

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'annotated-properties', { resources })
  paths.set('flat_table', shop.data).set('jsonb', await addDocuments(app, shop, resources))
  for (const data of paths.values()) {
    for (const [table, body] of Object.entries({ makers, tools }))
      expect(await app.request('POST', data(table), { token: shop.owner.token, body })).toMatchObject({
        status: 201,
      })
  }
})

describe.each(['flat_table', 'jsonb'])('annotations in a %s table', (provider) => {
  const get = (table: string, query: Record<string, string>, path = '', headers = {}) =>
    app.request('GET', `${paths.get(provider)?.(table)}${path}?${new URLSearchParams(query)}`, {
      token: shop.owner.token,
      headers,
    })
  const rows = async (table: string, query: Record<string, string>) => {
    const { status, body } = await get(table, query)
    expect([status, body.details]).toEqual([200, undefined])
    return body.data
  }

  it('return 400 for a property without a type that it needs, and for a property of another field', async () => {
    const _annotate = 'about.power * 2 as a,title.x as b,about.on::timestamp as c,sizes.x::number as d'
    expect(await get('tools', { _annotate })).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: {
          _annotate: [
            expect.stringMatching(/^Position 1: .*::number/),
            expect.stringContaining('"title"'),
            expect.stringContaining('A property cannot be read as local datetime.'),
            expect.stringContaining('sizes.0'),
          ],
        },
        code: 'validation_failed',
      },
    })
  })

  it('can use properties with a type; values of another type become null', async () => {
    const _annotate =
      'about.power::number * 2 as twice,about.on::date as day,about.use.wood::boolean as wood,' +
      'sizes.0::integer as first,upper(about.power::string) as word'
    expect(await rows('tools', { _annotate, fields: 'twice,day,wood,first,word', ordering: 'id' })).toEqual([
      { twice: 1400, day: '2026-02-01', wood: true, first: null, word: null },
      { twice: null, day: null, wood: null, first: 5, word: 'MUCH' },
      { twice: 101, day: '2025-12-31', wood: false, first: null, word: null },
      { twice: null, day: null, wood: null, first: 7, word: null },
      { twice: null, day: null, wood: null, first: null, word: null },
    ])
  })

  it('can return a property as JSON', async () => {
    const { status, body } = await get('tools', {
      _annotate: 'about.power as power,about.use as use',
      fields: 'power,use',
      ordering: 'id',
    })
    expect([status, body.details ?? body.data]).toEqual([
      200,
      [
        { power: 700, use: { wood: true } },
        { power: 'much', use: null },
        { power: 50.5, use: { wood: false } },
        { power: null, use: {} },
        { power: null, use: null },
      ],
    ])
  })

  it('can use properties of related records, of one record or of many', async () => {
    expect(
      await rows('tools', {
        _annotate: 'maker.about.city::string as city',
        fields: 'id,city',
        ordering: '-city,id',
      }),
    ).toEqual([
      { id: 1, city: 'Ulm' },
      { id: 2, city: 'Ulm' },
      { id: 4, city: 'Bonn' },
      { id: 3, city: null },
      { id: 5, city: null },
    ])
    const _annotate =
      'sum(tools.about.power::number) as power,count(tools.about.power) as n,' +
      'max(tools.about.on::date) as last,count(tools) filter (where tools.about.power::number > 1) as strong'
    expect(await rows('makers', { _annotate, fields: 'id,power,n,last,strong', ordering: 'id' })).toEqual([
      { id: 1, power: 700, n: 2, last: '2026-02-01', strong: 1 },
      { id: 2, power: null, n: 0, last: null, strong: 0 },
    ])
  })

  it('can be used in filters, orders, _distinct and cursors', async () => {
    const _annotate = 'about.power::number as power,about.use.wood::boolean as wood'
    const ids = async (query: Record<string, string>) =>
      (await rows('tools', { _annotate, ...query })).map(({ id }: { id: number }) => id)
    expect(await ids({ power__gt: '60' })).toEqual([1])
    expect(
      await ids({ filters: '{"or": [{"wood": false}, {"power__gte": 700}]}', ordering: 'power' }),
    ).toEqual([3, 1])
    expect(await ids({ ordering: '-power.nullsfirst,id' })).toEqual([2, 4, 5, 1, 3])
    expect(await ids({ _distinct: 'wood', ordering: 'wood,-id' })).toEqual([3, 1, 5])
    const pages: unknown[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { body } = await get('tools', { _annotate, ordering: '-power,-id', page_size: '2', after })
      pages.push(body.data.map(({ id }: { id: number }) => id))
      after = body.meta.next
    }
    expect(pages).toEqual([[1, 3], [5, 4], [2]])
  })

  const found = {
    search: 'saw',
    _rank: 'true',
    _highlight: 'title',
    _annotate: 'about.power::number as power,100 - id as rest,maker.about.city::string as city',
  }

  it('are returned together with the rank and the highlights of a search', async () => {
    expect(await rows('tools', { ...found, fields: 'id,power,rest,city', ordering: '-_rank,id' })).toEqual([
      {
        id: 1,
        power: 700,
        rest: 99,
        city: 'Ulm',
        _rank: expect.any(Number),
        _highlight: { title: '<mark>Saw</mark> &amp; <mark>saw</mark>' },
      },
      {
        id: 2,
        power: null,
        rest: 98,
        city: 'Ulm',
        _rank: expect.any(Number),
        _highlight: { title: 'Old <mark>saw</mark>' },
      },
      {
        id: 4,
        power: null,
        rest: 96,
        city: 'Bonn',
        _rank: expect.any(Number),
        _highlight: { title: '<mark>Saw</mark> and drill' },
      },
    ])
  })

  it('can filter and sort a search, and its rank and highlights stay the same', async () => {
    const query = { ...found, fields: 'id', rest__gt: '97', ordering: '-rest,_rank' }
    const { body } = await get('tools', { ...query, populate: 'maker' })
    expect([body.total, body.data]).toEqual([
      2,
      [
        {
          id: 1,
          maker: { id: 1, about: { city: 'Ulm' } },
          _rank: expect.any(Number),
          _highlight: expect.any(Object),
        },
        {
          id: 2,
          maker: { id: 1, about: { city: 'Ulm' } },
          _rank: expect.any(Number),
          _highlight: expect.any(Object),
        },
      ],
    ])
    const pages: unknown[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page = await get('tools', { ...found, ordering: 'city,-_rank,-rest', page_size: '1', after })
      const [{ id, rest, _highlight }] = page.body.data
      pages.push([id, rest, _highlight.title])
      after = page.body.meta.next
    }
    expect(pages).toEqual([
      [4, 96, '<mark>Saw</mark> and drill'],
      [1, 99, '<mark>Saw</mark> &amp; <mark>saw</mark>'],
      [2, 98, 'Old <mark>saw</mark>'],
    ])
  })

  it('are also returned in CSV and for one record', async () => {
    const { _annotate, search } = found
    const query = { _annotate, search, fields: 'id,power,city', ordering: 'id' }
    const { text } = await get('tools', query, '', { accept: 'text/csv' })
    expect(text.split(/\r?\n/)).toEqual(['id,power,city', '1,700,"Ulm"', '2,,"Ulm"', '4,,"Bonn"', ''])
    expect((await get('tools', { _annotate, fields: 'power,city' }, '1/')).body).toEqual({
      data: { power: 700, city: 'Ulm' },
    })
  })
})
