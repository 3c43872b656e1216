/** Orders, suffixes of filters and the constraints of the specification, as a client sees them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'

const resources = [
  {
    name: 'lots',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'kind', type: 'string', constraints: { required: true } },
        { name: 'price', type: 'number', constraints: { minimum: 0 } },
        { name: 'code', type: 'string', constraints: { unique: true } },
        { name: 'seller_id', type: 'integer' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'seller_id', reference: { resource: 'sellers', fields: 'id' } }],
    },
  },
  {
    name: 'sellers',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
      ],
      primaryKey: 'id',
    },
  },
]

let both: BothProviders
beforeAll(async () => {
  both = await createInBothProviders('orders', resources, [])
  for (const provider of providers) {
    const send = (table: string, body: object) =>
      both.app.request('POST', both.data[provider](table), { token: both.shop.owner.token, body })
    expect(
      (
        await send('sellers', [
          { id: 1, name: 'Ada' },
          { id: 2, name: 'Bo' },
        ])
      ).status,
    ).toBe(201)
    const lots = [
      { id: 1, kind: 'a', price: 2, code: 'x', seller_id: 1 },
      { id: 2, kind: 'b', price: 1, code: 'y', seller_id: 2 },
      { id: 3, kind: 'a', price: 3, code: 'z', seller_id: 2 },
    ]
    expect((await send('lots', lots)).status).toBe(201)
  }
})

describe.each(providers)('a list of a %s datasource', (provider) => {
  const call = (method: string, query: string, body?: object) =>
    both.app.request(method, `${both.data[provider]('lots')}${query}`, {
      token: both.shop.owner.token,
      ...(body ? { body } : {}),
    })
  const ids = async (query: string) =>
    (await call('GET', query)).body.data.map(({ id }: { id: number }) => id)

  it('is sorted by the fields of _sort, descending after a -', async () => {
    expect(await ids('?_sort=kind,-price')).toEqual([3, 1, 2])
    expect(await ids('?_sort=-kind,price')).toEqual([2, 1, 3])
  })

  it('is sorted in the directions of _order, ascending by default', async () => {
    expect(await ids('?_sort=kind,price&_order=desc,asc')).toEqual([2, 1, 3])
    expect(await ids('?_sort=price')).toEqual([2, 1, 3])
    expect(await ids('?_sort=price&_order=desc')).toEqual([3, 1, 2])
  })

  it('takes a suffix after two underscores or after one', async () => {
    for (const query of ['?price__gt=1', '?price_gt=1']) expect(await ids(query)).toEqual([1, 3])
    for (const query of ['?code__in=x,z', '?code_in=x,z']) expect(await ids(query)).toEqual([1, 3])
  })

  it('can be filtered by related records, forward and reverse', async () => {
    expect(await ids('?seller_id.name__startswith=B')).toEqual([2, 3])
    const sellers = both.data[provider]('sellers')
    const found = await both.app.request('GET', `${sellers}?lots.price__lt=2`, {
      token: both.shop.owner.token,
    })
    expect(found.body.data).toEqual([{ id: 2, name: 'Bo' }])
  })

  it('keeps required, unique and minimum: 400, 409 and 400', async () => {
    expect(await call('POST', '', { id: 9 })).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: { kind: ['This field is required.'] },
        code: 'validation_failed',
      },
    })
    expect(await call('POST', '', { id: 9, kind: 'a', code: 'x' })).toMatchObject({
      status: 409,
      body: { field: 'code' },
    })
    expect(await call('POST', '', { id: 9, kind: 'a', price: -0.1 })).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: { price: ['Ensure this value is greater than or equal to 0.'] },
        code: 'validation_failed',
      },
    })
    expect(await ids('?_sort=id')).toEqual([1, 2, 3])
  })
})
