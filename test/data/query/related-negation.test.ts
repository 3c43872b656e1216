/** Negations and questions of existence over relationships to many, wherever a filter is possible. R21. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestApp, User } from '../../support/app.ts'
import { createInBothProviders, providers } from '../../support/both-providers.ts'
import type { Shop } from '../../support/fixtures.ts'

const key = { name: 'id', type: 'integer' }
const text = (name: string) => ({ name, type: 'string' })
const to = (fields: string, resource: string) => ({ fields, reference: { resource, fields: 'id' } })

const resources = [
  { name: 'cities', schema: { fields: [key, text('name')], primaryKey: 'id' } },
  {
    name: 'authors',
    schema: {
      fields: [key, text('name'), { name: 'city_id', type: 'integer' }, { name: 'seen', type: 'boolean' }],
      primaryKey: 'id',
      foreignKeys: [to('city_id', 'cities')],
    },
  },
  {
    name: 'books',
    schema: {
      fields: [
        key,
        text('title'),
        { name: 'year', type: 'integer' },
        { name: 'author_id', type: 'integer' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ ...to('author_id', 'authors'), 'x-actions': { onDelete: 'SET NULL' } }],
    },
  },
  {
    name: 'reviews',
    schema: {
      fields: [key, { name: 'stars', type: 'integer' }, { name: 'book_id', type: 'integer' }],
      primaryKey: 'id',
      foreignKeys: [to('book_id', 'books')],
    },
  },
]

const rows: Record<string, object[]> = {
  cities: [{ id: 1, name: 'Ulm' }],
  authors: [
    { id: 1, name: 'both', city_id: 1 },
    { id: 2, name: 'only Y' },
    { id: 3, name: 'none' },
    { id: 4, name: 'untitled' },
    { id: 5, name: 'only deleted' },
    { id: 6, name: 'two of X' },
  ],
  books: [
    { id: 1, title: 'X', year: 2020, author_id: 1 },
    { id: 2, title: 'Y', year: 2021, author_id: 1 },
    { id: 3, title: 'Y', year: 2020, author_id: 2 },
    { id: 4, title: null, year: null, author_id: 4 },
    { id: 5, title: 'X', year: 2020, author_id: 5, is_deleted: true },
    { id: 6, title: 'X', year: 1999, author_id: 6 },
    { id: 7, title: 'X', year: 2000, author_id: 6 },
  ],
  reviews: [
    { id: 1, stars: 5, book_id: 1 },
    { id: 2, stars: 1, book_id: 3 },
  ],
}

/** Filters of authors, each with the ids of those it finds. */
const cases: [filter: object, ids: number[]][] = [
  [{ 'books.title__ne': 'X' }, [2, 3, 4, 5]],
  [{ 'books.title__nin': ['X', 'Z'] }, [2, 3, 4, 5]],
  [{ 'books.title__nina': ['x'] }, [2, 3, 4, 5]],
  [{ 'books.title__ncontains': 'X' }, [2, 3, 4, 5]],
  [{ 'books.title__nicontains': 'x' }, [2, 3, 4, 5]],
  [{ 'books.title__nstartswith': 'X' }, [2, 3, 4, 5]],
  [{ 'books.title__nendswith': 'X' }, [2, 3, 4, 5]],
  [{ 'books.year__nbetween': [2020, 2021] }, [3, 4, 5, 6]],
  [{ not: { 'books.title__ne': 'X' } }, [1, 6]],
  [{ or: [{ 'books.title__ne': 'X' }, { id: 6 }] }, [2, 3, 4, 5, 6]],
  // Each for itself: no book is called X, and some book is of 2020.
  [{ 'books.title__ne': 'X', 'books.year': 2020 }, [2]],
  [{ 'books.title__ne': 'X', 'books.year__ne': 2020 }, [3, 4, 5]],
  // Positive conditions need one book that meets both.
  [{ 'books.title': 'X', 'books.year': 2021 }, []],
  [{ 'books.title__null': true }, [4]],
  [{ 'books.title__nnull': true }, [1, 2, 6]],
  [{ 'books.title__null': false }, [1, 2, 6]],
  [{ 'books.year__null': true, 'books.title': 'X' }, []],
  [{ 'books.id__null': true }, [3, 5]],
  [{ 'books.id__null': false }, [1, 2, 4, 6]],
  [{ 'books.id__nnull': true }, [1, 2, 4, 6]],
  [{ 'books.id__nnull': false }, [3, 5]],
  [{ books__null: true }, [3, 5]],
  [{ books__nnull: true, 'books.year': 2020 }, [1, 2]],
  [{ 'books.reviews__null': true }, [3, 4, 5, 6]],
  [{ 'books.reviews.stars__ne': 5 }, [2, 3, 4, 5, 6]],
  [{ 'books.reviews.stars__null': true }, []],
  [{ city__null: true }, [2, 3, 4, 5, 6]],
  [{ city_id__null: false }, [1]],
  [{ 'city.name__ne': 'Ulm' }, [2, 3, 4, 5, 6]],
  [{ books__some: { title__ne: 'X', year: 2020 } }, [2]],
  [{ books__some: { title: 'X', year: 2020 } }, [1]],
  [{ books__none: { title: 'X', year: 2020 } }, [2, 3, 4, 5, 6]],
  [{ books__none: { title__ne: 'X' } }, [3, 5, 6]],
  [{ books__some: { year__lt: 2000 }, and: [{ books__some: { year__gte: 2000 } }] }, [6]],
  [{ and: [{ books__some: { title: 'X' } }, { books__some: { title: 'Y' } }] }, [1]],
  [{ books__some: { title: 'X' }, 'books.year': 2021 }, [1]],
  [{ not: { books__some: { title: 'Y' } } }, [3, 4, 5, 6]],
  [{ books__some: { or: [{ title: 'Y' }, { reviews__some: { stars: 5 } }] } }, [1, 2]],
  [{ books__some: { reviews__none: { stars__gte: 2 } } }, [1, 2, 4, 6]],
  [{ 'books.reviews__some': { stars__gte: 2 } }, [1]],
  [{ 'books.reviews__none': { stars__gte: 2 } }, [2, 3, 4, 5, 6]],
  [{ city__some: { name__ne: 'Bonn' } }, [1]],
  [{ city__none: { name__ne: 'Bonn' } }, [2, 3, 4, 5, 6]],
  [{ books__some: {} }, [1, 2, 4, 6]],
]
/** Those that a write accepts. */
const conditional = cases.filter(([filter]) => !JSON.stringify(filter).includes('{}'))

let app: TestApp
let shop: Shop
let guest: User
let data: Record<string, (table: string) => string>
const appOf: Record<string, string> = { flat_table: 'shop', jsonb: 'papers' }

beforeAll(async () => {
  ;({ app, shop, data } = await createInBothProviders('negations', resources, []))
  guest = await app.user('reader')
})

describe.each(providers)('a filter over a relationship to many in a %s datasource', (provider) => {
  const ask = (method: string, path: string, body?: unknown, token = shop.owner.token) =>
    app.request(method, path, { token, ...(body === undefined ? {} : { body }) })
  const at = (table: string) => data[provider]?.(table) ?? ''
  const asFilter = (name: string, filter: object) => `${name}=${encodeURIComponent(JSON.stringify(filter))}`
  const idsOf = async (answer: ReturnType<typeof ask>): Promise<number[]> => {
    const { status, body } = await answer
    expect([status, body.details ?? body.detail]).toEqual([200, undefined])
    return body.data.map(({ id }: { id: number }) => id)
  }
  const setRules = async (table: string, rules: object[]) => {
    const path = `${shop.api}/apps/${appOf[provider]}/datatables/${table}/access/`
    const { status, body } = await ask('PUT', path, { rules })
    expect([status, body]).toEqual([200, expect.anything()])
  }

  beforeAll(async () => {
    for (const [table, all] of Object.entries(rows))
      expect(await ask('POST', at(table), all)).toMatchObject({ status: 201 })
  })

  it.each<[object | string, string]>([
    ['books__some={"title":"X"}', '"books__some" holds conditions. Send it as JSON in filters.'],
    [{ books__some: 5 }, 'A filter must be an object, for example {"status": "open", "price__gt": 10}.'],
    [{ books__none: [] }, 'A filter must be an object, for example {"status": "open", "price__gt": 10}.'],
    [{ books__some: { titel: 'X' } }, 'Unknown field "titel" of "books". Did you mean "title"?'],
    [{ books__null: 'perhaps' }, 'Must be true or false; "perhaps" is not.'],
    [{ 'books.reviews.book__some': { 'author.id': 1 } }, 'A path may follow 3 relationships at most.'],
    [{ boks__some: { title: 'X' } }, 'Unknown field or parameter "boks__some".'],
  ])('returns 400 for %j', async (filter, message) => {
    const query = typeof filter === 'string' ? filter : asFilter('filters', filter)
    const { status, body } = await ask('GET', `${at('authors')}?${query}`)
    expect([status, Object.values(body.details)]).toEqual([400, [[expect.stringContaining(message)]]])
  })

  it.each(cases)('finds for %j the records %j', async (filter, ids) => {
    expect(await idsOf(ask('GET', `${at('authors')}?${asFilter('filters', filter)}&ordering=id`))).toEqual(
      ids,
    )
  })

  it('means the same in a query string', async () => {
    expect(await idsOf(ask('GET', `${at('authors')}?books.title__ne=X&ordering=id`))).toEqual([2, 3, 4, 5])
    expect(
      await idsOf(ask('GET', `${at('authors')}?books.title__ne=X&books.title__ne=Y&ordering=id`)),
    ).toEqual([3, 4, 5])
    expect(await idsOf(ask('GET', `${at('authors')}?books__null=true&ordering=id`))).toEqual([3, 5])
    expect(await idsOf(ask('GET', `${at('authors')}?books.id__null=True&ordering=id`))).toEqual([3, 5])
  })

  it('means the same in a deletion and a change', async () => {
    for (const [filter, ids] of conditional) {
      const query = `${asFilter('filter', filter)}&dry_run=true&return=records`
      expect([filter, await idsOf(ask('DELETE', `${at('authors')}?${query}`))]).toEqual([filter, ids])
      expect([filter, await idsOf(ask('PATCH', `${at('authors')}?${query}`, { seen: true }))]).toEqual([
        filter,
        ids,
      ])
    }
  })

  it('is no condition of a write if a part of it is empty', async () => {
    for (const filter of [{ books__some: {} }, { books__none: {} }, { id: 1, books__none: { or: [] } }])
      expect((await ask('DELETE', `${at('authors')}?${asFilter('filter', filter)}`)).body.details).toEqual({
        filter: ['A part of the filter has no condition, so it would match every record.'],
      })
  })

  it('means the same for records with computed values, in aggregates and in populated records', async () => {
    for (const [filter, ids] of cases) {
      const filters = asFilter('filters', filter)
      const computed = `${at('authors')}?${filters}&_annotate=count(books) as n&n__gte=0&ordering=id`
      expect([filter, await idsOf(ask('GET', computed))]).toEqual([filter, ids])
      const counted = await ask('GET', `${at('authors')}?${filters}&_aggregate=count(*)`)
      expect([filter, counted.body.aggregates]).toEqual([filter, { count: ids.length }])
    }
    const populate = asFilter('populate', { authors: { filters: { 'books.title__ne': 'X' } } })
    const { body } = await ask('GET', `${at('cities')}1/?${populate}`)
    expect(body.data.authors).toEqual([])
  })

  it('means the same in an access rule, and its explanation tells so', async () => {
    for (const [filter, ids] of cases) {
      await setRules('authors', [{ name: 'some', who: 'anyone', can: ['read'], where: filter }])
      expect([
        filter,
        await idsOf(ask('GET', `${at('authors')}?ordering=id`, undefined, guest.token)),
      ]).toEqual([filter, ids])
      const path = `${shop.api}/apps/${appOf[provider]}/datatables/authors/access/explain/`
      for (const record of [1, 3]) {
        const { status, body } = await ask('POST', path, { as: { anyone: true }, action: 'read', record })
        expect([filter, status, body.data?.allowed ?? body.allowed]).toEqual([
          filter,
          200,
          ids.includes(record),
        ])
      }
    }
  })
})
