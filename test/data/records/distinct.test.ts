/**
 * `_distinct` returns only the first record, in the order of the list, of those with the same values in some
 * fields.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection, keyOfTable } from '../../support/collection.ts'
import { addRows, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop

const list = (query: Record<string, string>) =>
  app.request('GET', `${shop.data('works')}?${new URLSearchParams({ fields: 'id', ...query })}`, {
    token: shop.owner.token,
  })
const found = async (query: Record<string, string>) => {
  const { body } = await list(query)
  return [body.total, ...body.data.map(({ id }: { id: number }) => id)]
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'distinct', collection)
  const work = (id: number, artist_id: number | null, price: number | null, year: number) => ({
    ...{ id, artist_id, price, year },
  })
  const rows = {
    cities: [{ id: 1, name: 'Berlin' }],
    artists: [
      { id: 1, name: 'Ada', city_id: 1 },
      { id: 2, name: 'Bo', city_id: 1 },
    ],
    works: [
      work(1, 1, 5, 2000),
      work(2, 1, 3, 2001),
      work(3, 2, 9, 2000),
      work(4, 2, null, 2000),
      work(5, null, 1, 2001),
      work(6, null, 2, 2001),
    ],
  }
  await addRows(app, shop, rows, keyOfTable)
})

describe('_distinct', () => {
  it.each<[string, string]>([
    [
      'colour',
      'Unknown field or parameter "colour". Fields: id, title, price, year, sold, made_at, hour, code, about, tags, artist_id, restorer_id, is_deleted.',
    ],
    ['tags', '"tags" is of type array, whose values cannot be told apart here.'],
    ['shows.name', 'A record can have many "shows": their fields cannot tell records apart.'],
    [Array(11).fill('id').join(), 'At most 10 fields are allowed.'],
  ])('%s returns 400', async (names, problem) => {
    const { status, body } = await list({ _distinct: names })
    expect([status, body]).toEqual([
      400,
      { error: 'Validation failed', details: { _distinct: [problem] }, code: 'validation_failed' },
    ])
  })

  it('returns 400 in an aggregation and for one record', async () => {
    const { body } = await list({ _distinct: 'year', _aggregate: 'count(*)', fields: '' })
    expect(body.details).toEqual({ _distinct: ['Only applies to a list of records, not to an aggregation.'] })
    const one = await app.request('GET', `${shop.data('works')}1/?_distinct=year`, {
      token: shop.owner.token,
    })
    expect([one.status, Object.keys(one.body.details)]).toEqual([400, ['_distinct']])
  })

  it('keeps the first record in the order, and the total counts the groups', async () => {
    expect(await found({ _distinct: 'artist_id' })).toEqual([3, 1, 3, 5])
    expect(await found({ _distinct: 'artist_id', ordering: 'price' })).toEqual([3, 5, 2, 3])
    expect(await found({ _distinct: 'artist_id', ordering: '-price' })).toEqual([3, 3, 1, 6])
    expect(await found({ _distinct: 'artist_id,year' })).toEqual([4, 1, 2, 3, 5])
    expect(await found({ _distinct: 'artist.city_id', ordering: '-id' })).toEqual([2, 6, 4])
    expect(await found({ _distinct: 'artist_id', year: '2001', ordering: '-id' })).toEqual([2, 6, 2])
    expect(await found({ _distinct: 'artist_id', _count: 'true' })).toEqual([3])
  })

  it('works with pages by number and by cursor', async () => {
    expect(await found({ _distinct: 'artist_id', page_size: '2', page: '2' })).toEqual([3, 5])
    const query = { _distinct: 'artist_id', ordering: '-price', page_size: '2' }
    const { body: first } = await list({ ...query, after: '' })
    const { body: second } = await list({ ...query, after: first.meta.next })
    expect([first.data, second.data, second.total]).toEqual([[{ id: 3 }, { id: 1 }], [{ id: 6 }], 3])
  })

  it('accepts annotations', async () => {
    const _annotate = 'count(hangings) as n,year % 2 as odd'
    expect(await found({ _annotate, _distinct: 'odd', ordering: '-id' })).toEqual([2, 6, 4])
    expect(await found({ _annotate, _distinct: 'n' })).toEqual([1, 1])
  })
})
