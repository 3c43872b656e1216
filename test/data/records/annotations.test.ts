/** Annotations: values that are computed for each record and returned with its fields. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection, documents, keyOfTable } from '../../support/collection.ts'
import { addDocuments, addRows, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let papers: (table: string) => string

const get = (path: string) => app.request('GET', path, { token: shop.owner.token })
const list = (table: string, query: Record<string, string>) =>
  get(`${shop.data(table)}?${new URLSearchParams(query)}`)
const rowsOf = async (table: string, query: Record<string, string>) => (await list(table, query)).body.data
const refusal = async (query: Record<string, string>, table = 'artists') => {
  const { status, body } = await list(table, query)
  expect([status, body.error]).toEqual([400, 'Validation failed'])
  return body.details
}
const works = 'works_by_artist'
const three = `count(${works}) as n,avg(${works}.price) as mean,max(${works}.title) as last`

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'annotations', collection)
  const rows = {
    cities: [
      { id: 1, name: 'Berlin', population: 4 },
      { id: 2, name: 'Lyon', population: null },
    ],
    artists: [
      { id: 1, name: 'Ada', city_id: 1 },
      { id: 2, name: 'Bo', city_id: 2, mentor: 1 },
      { id: 3, name: 'Cy', city_id: null },
      { id: 4, name: 'Di', city_id: 1, is_deleted: true },
    ],
    works: [
      { id: 1, title: 'One', price: 2, year: 2000, artist_id: 1 },
      { id: 2, title: 'Two', price: 4, year: 2001, artist_id: 1 },
      { id: 3, title: 'Six', price: 90, artist_id: 1, is_deleted: true },
      { id: 4, title: 'Old', price: null, made_at: '2024-06-01T22:30:00Z', artist_id: 2 },
    ],
    shows: [
      { id: 1, name: 'First', city_id: 1 },
      { id: 2, name: 'Second', city_id: 2 },
    ],
    hangings: [
      { show_id: 1, work_id: 1 },
      { show_id: 1, work_id: 2 },
      { show_id: 2, work_id: 1 },
      { show_id: 2, work_id: 2, is_deleted: true },
    ],
  }
  await addRows(app, shop, rows, keyOfTable)
  papers = await addDocuments(app, shop, documents(collection).resources)
  const body = rows.works
  expect(await app.request('POST', papers('works'), { token: shop.owner.token, body })).toMatchObject({
    status: 201,
  })
})

describe('an invalid annotation', () => {
  const hint = 'To give it another name, write "as <alias>" after the expression.'
  it.each<[string, string]>([
    [
      'price * 2 as x',
      'Position 1: Unknown field or parameter "price". Fields: id, name, born, city_id, mentor, is_deleted.',
    ],
    ['id * 2', 'Position 4: This expression has no name of its own. Write " as <alias>" after it.'],
    ['id as name', `"name" is a field of "artists". ${hint}`],
    ['name', `"name" is a field of "artists". ${hint}`],
    ['id as city', `"city" is a relationship of "artists". ${hint}`],
    ['id as page', `The name "page" is reserved. ${hint}`],
    ['id as xmin', `The name "xmin" is reserved. ${hint}`],
    ['id as search_vector', `The name "search_vector" is reserved. ${hint}`],
    [
      'city.name',
      `"city.name" cannot be the name of an annotation: a name begins with a letter and has only letters, digits and underscores. ${hint}`,
    ],
    [
      'id as _count',
      `"_count" cannot be the name of an annotation: a name begins with a letter and has only letters, digits and underscores. ${hint}`,
    ],
    ['id as a,id + 1 as a', 'There are two results named "a". Rename one: write " as <alias>" after it.'],
    [
      'count(*) as n',
      'Position 1: An annotation counts related records: write count(relationship) or count(relationship.field).',
    ],
    [
      'max(name) as n',
      'Position 5: An annotation aggregates fields of related records: write max(relationship.field).',
    ],
    [
      'sum(1) as n',
      'Position 1: An annotation aggregates fields of related records: write sum(relationship.field).',
    ],
    [
      `sum(${works}.price * id) as n`,
      'Position 29: An annotation aggregates fields of related records: write sum(relationship.field).',
    ],
    [
      `sum(${works}.price) filter (where works_by_restorer.year > 1) as n`,
      `Position 42: All names in an aggregate function must lead to the same related records; the first one leads to "${works}".`,
    ],
    [
      `${works}.price as n`,
      `Position 1: A record can have many "${works}": their fields need an aggregate function, for example max(…).`,
    ],
    [
      `avg(${works}) as n`,
      `Position 5: "${works}" is a relationship. Write a field after it, as in ${works}.id; only count takes the relationship itself, without distinct.`,
    ],
    ['count(city) as n', 'Position 7: A record has one "city" at most: count its field.'],
    [
      `sum(count(${works}.id)) as n`,
      'Position 5: An aggregate function inside another one is not supported.',
    ],
    [
      `sum(${works}.title) as n`,
      'Position 5: "sum" does not take values of type string. Types: integer, number.',
    ],
    [`count(${works}.shows.hangings.work.id) as n`, 'Position 7: A path may follow 3 relationships at most.'],
    [
      'pg_sleep(10) as n',
      expect.stringMatching(
        /^Position 1: Unknown function "pg_sleep"\. Functions: count, sum, .*, date_trunc\.$/,
      ),
    ],
  ])('returns 400: %s', async (expression, problem) => {
    expect(await refusal({ _annotate: expression })).toEqual({ _annotate: [problem] })
  })

  it('returns 400 if there are more than 20', async () => {
    const all = Array.from({ length: 21 }, (_, index) => `id + ${index} as a${index}`)
    expect(await refusal({ _annotate: all.join() })).toEqual({
      _annotate: ['At most 20 expressions are allowed.'],
    })
  })

  it('returns 400 together with the errors of filters and of the order', async () => {
    expect(
      await refusal({ _annotate: `count(${works}) as n`, n__gt: 'many', n__contains: 'x', ordering: 'm' }),
    ).toEqual({
      n__gt: ['"many" is not a value of "n", which is of type integer.'],
      n__contains: [
        '"contains" does not work on "n", which is of type integer. Operators: exact, ne, gt, gte, lt, lte, between, nbetween, in, nin, ins, nins, null, nnull.',
      ],
      ordering: [
        'Unknown field or parameter "m". Did you mean "n"? Fields: id, name, born, city_id, mentor, is_deleted, n.',
      ],
    })
  })

  it('returns 400 in an aggregation', async () => {
    expect(await refusal({ _annotate: 'id + 1 as a', _aggregate: 'count(*)' })).toEqual({
      _annotate: ['Only applies to a list of records, not to an aggregation.'],
    })
  })

  it('returns 400 if its value cannot be computed for a record', async () => {
    const problems = {
      _annotate: ['Division by zero in some records. Use nullif(…, 0) to turn such a divisor into null.'],
    }
    expect(await refusal({ _annotate: '1 / (id - 2) as x' })).toEqual(problems)
    const { status, body } = await get(
      `${shop.data('artists')}2/?_annotate=${encodeURIComponent('1 / (id - 2) as x')}`,
    )
    expect([status, body.details]).toEqual([400, problems])
  })
})

describe('annotations', () => {
  it('are returned with the fields of each record; soft-deleted records are not counted', async () => {
    const { body } = await list('artists', { _annotate: three })
    expect(body).toEqual({
      data: [
        {
          id: 1,
          name: 'Ada',
          born: null,
          city_id: 1,
          mentor: null,
          is_deleted: false,
          n: 2,
          mean: 3,
          last: 'Two',
        },
        {
          id: 2,
          name: 'Bo',
          born: null,
          city_id: 2,
          mentor: 1,
          is_deleted: false,
          n: 1,
          mean: null,
          last: 'Old',
        },
        {
          id: 3,
          name: 'Cy',
          born: null,
          city_id: null,
          mentor: null,
          is_deleted: false,
          n: 0,
          mean: null,
          last: null,
        },
      ],
      total: 3,
      page: 1,
      page_size: 20,
      meta: { offset: 0, limit: 20, count: 3, has_more: false, total_is: 'exact' },
    })
  })

  it.each<[string, string, unknown[]]>([
    ['id * 1.5 as x', 'a number', [1.5, 3, 4.5]],
    ['upper(city.name) as x', 'a related record', ['BERLIN', 'LYON', null]],
    [`sum(${works}.price) filter (where ${works}.year > 2000) as x`, 'a condition', [4, null, null]],
    [`count(distinct ${works}.shows.id) as x`, 'distinct records over two relationships', [2, 0, 0]],
    [`count(${works}.shows) as x`, 'paths over two relationships', [3, 0, 0]],
    ['count(city.shows) as x', 'the records of a related record', [1, 1, 0]],
    [`string_agg(${works}.title, '/') as x`, 'texts in the order of the key', ['One/Two', 'Old', null]],
    [`array_agg(${works}.year) as x`, 'a list', [[2000, 2001], [null], null]],
    [`max(${works}.made_at) as x`, 'an instant', [null, '2024-06-01T22:30:00Z', null]],
    [
      `max(${works}.made_at) at time zone 'Europe/Berlin' as x`,
      'a local time',
      [null, '2024-06-02T00:30:00', null],
    ],
    [
      `round(sum(${works}.price) / nullif(count(${works}), 0), 1) as x`,
      'two aggregates in one expression',
      [3, null, null],
    ],
    [`count(artists) * 10 + count(${works}) as x`, 'several relationships', [12, 1, 0]],
  ])('can be %s: %s', async (expression, _, values) => {
    const data = await rowsOf('artists', { _annotate: expression, fields: 'x' })
    expect(data).toEqual(values.map((x) => ({ x })))
  })

  it('can be used in every form of an order', async () => {
    const ids = async (ordering: string) =>
      (await rowsOf('artists', { _annotate: three, ordering })).map(({ id }: { id: number }) => id)
    expect(await ids('-n')).toEqual([1, 2, 3])
    expect(await ids('n')).toEqual([3, 2, 1])
    expect(await ids('mean')).toEqual([1, 2, 3])
    expect(await ids('mean.nullsfirst,-id')).toEqual([3, 2, 1])
    expect((await list('artists', { _annotate: three, _sort: 'last', _order: 'desc' })).body.data[0].id).toBe(
      1,
    )
  })

  it('can be used in filters by name, in the query string and in trees', async () => {
    const ids = async (query: Record<string, string>) => {
      const { body } = await list('artists', { _annotate: three, ...query })
      return [body.total, ...body.data.map(({ id }: { id: number }) => id)]
    }
    expect(await ids({ n__gte: '1' })).toEqual([2, 1, 2])
    expect(await ids({ mean__null: 'true' })).toEqual([2, 2, 3])
    expect(await ids({ last__icontains: 'o' })).toEqual([2, 1, 2])
    expect(await ids({ filters: '{"or": [{"n": 0}, {"not": {"mean__lt": 3}}]}' })).toEqual([3, 1, 2, 3])
    expect(await ids({ n__gte: '1', name: 'Bo', ordering: '-mean' })).toEqual([1, 2])
    expect(await ids({ n__gte: '1', 'city.name': 'Berlin' })).toEqual([1, 1])
    expect(await ids({ n__gte: '1', _count: 'true' })).toEqual([2])
    expect(await ids({ n__gte: '1', _total: 'none', page_size: '1' })).toEqual([null, 1])
    expect(await ids({ n__gte: '1', _total: 'estimated' })).toEqual([2, 1, 2])
  })

  it('can be selected and omitted by fields', async () => {
    const first = async (fields: string) => (await rowsOf('artists', { _annotate: three, fields }))[0]
    expect(await first('name,n')).toEqual({ name: 'Ada', n: 2 })
    expect(await first('name')).toEqual({ name: 'Ada' })
    expect(await first('-n,-id,-born,-city_id,-mentor,-is_deleted')).toEqual({
      name: 'Ada',
      mean: 3,
      last: 'Two',
    })
    expect(await first('mean,city.name')).toEqual({ mean: 3, city: { name: 'Berlin' } })
  })

  it('are returned together with populated records', async () => {
    const [first] = await rowsOf('artists', {
      _annotate: `count(${works}) as n`,
      populate: `city,${works}`,
      fields: `id,n,city.name,${works}.id`,
    })
    expect(first).toEqual({ id: 1, n: 2, city: { name: 'Berlin' }, [works]: [{ id: 1 }, { id: 2 }] })
  })

  it('can be used in an order with cursors', async () => {
    const query = { _annotate: three, ordering: '-mean', fields: 'id', page_size: '2' }
    const { body: first } = await list('artists', { ...query, after: '' })
    const { body: second } = await list('artists', { ...query, after: first.meta.next })
    expect([first.data, second.data, second.meta.next]).toEqual([[{ id: 1 }, { id: 2 }], [{ id: 3 }], null])
    const other = await list('artists', {
      ...query,
      _annotate: `count(${works}) as mean`,
      after: first.meta.next,
    })
    expect([other.status, Object.keys(other.body.details)]).toEqual([400, ['after']])
  })

  it('are returned for one record, and its If-None-Match is then ignored', async () => {
    const path = `${shop.data('artists')}1/?${new URLSearchParams({ _annotate: three, fields: 'id,n,last' })}`
    const { headers, body } = await get(path)
    expect(body).toEqual({ data: { id: 1, n: 2, last: 'Two' } })
    const again = await app.request('GET', path, {
      token: shop.owner.token,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(200)
  })

  it('work for documents', async () => {
    const query = new URLSearchParams({
      _annotate: 'price * 2 as double',
      double__gt: '4',
      fields: 'id,double',
    })
    const { body } = await get(`${papers('works')}?${query}`)
    expect(body).toMatchObject({ data: [{ id: 2, double: 8 }], total: 1 })
  })

  it('work for documents with related documents', async () => {
    const key = { name: 'id', type: 'integer' }
    const resources = [
      { name: 'writers', schema: { fields: [key, { name: 'name', type: 'string' }], primaryKey: 'id' } },
      {
        name: 'books',
        schema: {
          fields: [
            ...[key, { name: 'price', type: 'number' }, { name: 'writer_id', type: 'integer' }],
            { name: 'is_deleted', type: 'boolean' },
          ],
          primaryKey: 'id',
          foreignKeys: [{ fields: 'writer_id', reference: { resource: 'writers', fields: 'id' } }],
        },
      },
    ]
    const path = `${shop.api}/apps/papers/datatables`
    const { token } = shop.owner
    const made = await app.request('POST', `${path}/create_schema/?materialize=true&datasource=papers`, {
      token,
      body: { resources },
    })
    expect(made.status).toBe(201)
    const writers = [1, 2, 3].map((id) => ({ id, name: `Writer ${id}` }))
    const books = [1, 2, 3, 4].map((id) => ({ id, price: id * 2, writer_id: id > 2 ? 2 : 1 }))
    await app.request('POST', `${path}/writers/data/`, { token, body: writers })
    await app.request('POST', `${path}/books/data/`, { token, body: books })
    await app.request('DELETE', `${path}/books/data/1/`, { token })
    const query = { _annotate: 'count(books) as n,sum(books.price) as worth', fields: 'id,n,worth' }
    const all = await get(`${path}/writers/data/?${new URLSearchParams({ ...query, ordering: '-worth,id' })}`)
    expect([all.body.total, all.body.data]).toEqual([
      3,
      [
        { id: 2, n: 2, worth: 14 },
        { id: 1, n: 1, worth: 4 },
        { id: 3, n: 0, worth: null },
      ],
    ])
    const some = await get(`${path}/writers/data/?${new URLSearchParams({ ...query, n: '1', after: '' })}`)
    expect([some.body.total, some.body.data]).toEqual([1, [{ id: 1, n: 1, worth: 4 }]])
  })

  it('can be used together with a search and its rank', async () => {
    const ids = async (query: Record<string, string>) => {
      const { body } = await list('works', { _annotate: 'count(shows) as n', fields: 'id,n', ...query })
      return [body.total, ...body.data.map(({ id, n }: { id: number; n: number }) => `${id}: ${n}`)]
    }
    expect(await ids({ search: 'one or two' })).toEqual([2, '1: 2', '2: 1'])
    expect(await ids({ search: 'one or two', n__lt: '2' })).toEqual([1, '2: 1'])
    expect(await ids({ search: 'one or two', n__gt: '0', ordering: 'n,_rank' })).toEqual([2, '2: 1', '1: 2'])
    expect(await ids({ search: 'one or two', ordering: 'n', _distinct: 'n' })).toEqual([2, '2: 1', '1: 2'])
  })

  it('are the same for few records and for more records than a page can have', async () => {
    const crowd = await createShop(app, 'crowd', collection)
    const people = Array.from({ length: 1_200 }, (_, index) => index + 1)
    const made = people.flatMap((id) =>
      Array.from({ length: id % 4 }, (_, index) => [id, index + 1] as const),
    )
    await addRows(app, crowd, {
      artists: people.map((id) => ({ id, name: `Artist ${id}` })),
      works: made.map(([artist, price], index) => ({
        id: index + 1,
        title: 'Work',
        price,
        artist_id: artist,
      })),
    })
    const asked = {
      _annotate: `count(${works}) as n,sum(${works}.price) as sum`,
      fields: 'id,n,sum',
      ordering: '-sum,id',
    }
    const sumOf = (id: number) => [null, 1, 3, 6][id % 4] as number | null
    for (const from of [1, 1_100]) {
      const wanted = people
        .filter((id) => id >= from)
        .map((id) => ({ id, n: id % 4, sum: sumOf(id) }))
        .toSorted((a, b) => (b.sum ?? -1) - (a.sum ?? -1) || a.id - b.id)
      const filters: Record<string, string>[] = [{}, { n__gte: '0', _total: 'none' }, { after: '' }]
      for (const more of filters) {
        const query = new URLSearchParams({ ...asked, id__gte: String(from), page_size: '700', ...more })
        const { body } = await app.request('GET', `${crowd.data('artists')}?${query}`, {
          token: crowd.owner.token,
        })
        expect(body.data, query.toString()).toEqual(wanted.slice(0, 700))
        expect(body.total).toBe('_total' in more ? null : wanted.length)
      }
    }
  })

  it('need one round trip in a list', async () => {
    const { headers } = await list('artists', { _annotate: three, ordering: '-n', n__gt: '0' })
    expect(/desc="(\d+)"/.exec(headers.get('server-timing') ?? '')?.[1]).toBe('1')
  })
})
