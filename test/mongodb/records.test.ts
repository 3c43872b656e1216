import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../support/app.ts'
import { createDesk, type Desk, run } from './desk.ts'

let desk: Desk

const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    {
      name: 'sku',
      type: 'string',
      constraints: { required: true, unique: true, pattern: '^[A-Z]+-[0-9]+$' },
    },
    { name: 'price', type: 'number', constraints: { minimum: 0 } },
    { name: 'stock', type: 'integer', default: 0 },
    { name: 'code', type: 'string', constraints: { unique: true } },
    { name: 'seen_at', type: 'datetime' },
    { name: 'released_on', type: 'date' },
    { name: 'opens', type: 'time' },
    { name: 'token', type: 'uuid' },
    { name: 'about', type: 'object' },
    { name: 'tags', type: 'array' },
    { name: 'is_deleted', type: 'boolean' },
    { name: 'updated_at', type: 'datetime' },
  ],
  primaryKey: 'id',
}

const path = (more = '') => `${desk.data('products')}${more}`
const post = (body: unknown, more = '', headers = {}) => desk.ask('POST', path(more), body, headers)
const ids = async (query: string) =>
  (await desk.ask('GET', path(query))).body.data?.map(({ id }: { id: number }) => id)

beforeAll(async () => {
  desk = await createDesk(await startApp(), 'desk-records')
  await desk.table('products', schema)
})

describe('creating records', () => {
  it('a creation returns 400 and names each invalid field', async () => {
    const answer = await post({ sku: 'lower', price: -1, stock: 1.5, colour: 'red' })
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body.details).toMatchObject({
      sku: ['Ensure this field matches the pattern ^[A-Z]+-[0-9]+$'],
      price: ['Ensure this value is greater than or equal to 0.'],
      stock: ['A whole number is required.'],
    })
  })

  it('a value that MongoDB cannot hold exactly is 400 on its field, never rounded', async () => {
    const body = `{"sku": "A-1", "price": 1.0000000000000000000000000000000000001,
      "seen_at": "2026-01-01T00:00:00.0001Z", "about": {"n": 1e7000}}`
    const answer = await post(body, '', { 'content-type': 'application/json' })
    expect(answer.body).toEqual({
      error: 'Validation failed',
      details: {
        price: ['In MongoDB, a number has at most 34 digits.'],
        seen_at: ['In MongoDB, a time has at most milliseconds.'],
        about: ['In MongoDB, a number is from 1e-6176 to below 1e6144.'],
      },
      code: 'validation_failed',
    })
  })

  it('values come back as they were sent, with all digits', async () => {
    const answer = await post(
      `{"id": 9007199254740993, "sku": "A-1", "price": 12345678901234567890.50, "seen_at": "2026-01-31T18:30:00.250+01:00",
        "released_on": "0001-01-01", "opens": "18:30", "token": "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE",
        "about": {"$where": {"a.b": 12345678901234567890.10}, "": null, "$id": 1},
        "tags": [1, 1.0, "$x", null, true]}`,
      '',
      { 'content-type': 'application/json' },
    )
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.text).toContain(
      '"id":"9007199254740993","sku":"A-1","price":12345678901234567890.50,"stock":0,"code":null,' +
        '"seen_at":"2026-01-31T17:30:00.25Z","released_on":"0001-01-01","opens":"18:30:00",' +
        '"token":"aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",' +
        '"about":{"": null, "$id": 1, "$where": {"a.b": 12345678901234567890.10}},' +
        '"tags":[1, 1.0, "$x", null, true],"is_deleted":false,"updated_at":"',
    )
    const read = await desk.ask('GET', path('9007199254740993/'))
    expect(read.text).toBe(answer.text)
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'))
    const { cursor } = await run('desk-records', { find: 'shop_products', filter: { sku: 'A-1' } })
    expect(cursor.firstBatch).toMatchObject([
      {
        price: { $numberDecimal: '12345678901234567890.50' },
        seen_at: { $date: '2026-01-31T17:30:00.250Z' },
        tags: [1, { $numberDecimal: '1.0' }, '$x', null, true],
      },
    ])
    expect((await desk.ask('DELETE', path('9007199254740993/?hard_delete=true'))).status).toBe(204)
  })

  it('records get numbers, and a value of a unique field that is taken is 409', async () => {
    const made = await post([{ sku: 'B-1', price: 5 }, { sku: 'B-2', price: 7.5, code: 'x' }, { sku: 'B-3' }])
    expect(made).toMatchObject({ status: 201 })
    expect(made.body.data.map(({ sku, stock }: { sku: string; stock: number }) => [sku, stock])).toEqual([
      ['B-1', 0],
      ['B-2', 0],
      ['B-3', 0],
    ])
    const taken = await post([{ sku: 'C-1' }, { sku: 'B-1' }])
    expect(taken).toMatchObject({ status: 409 })
    expect(taken.body).toEqual({
      error: 'Duplicate value',
      detail: 'rows[1]: A record with this sku already exists.',
      field: 'sku',
      code: 'duplicate_value',
    })
    expect((await post({ sku: 'C-2', code: 'x' })).body.field).toBe('code')
    expect(await ids('?sku=C-1')).toEqual([])
  })
})

describe('reading records', () => {
  it('filters, orders, pages and totals', async () => {
    expect((await desk.ask('GET', path('?price__gte=5&ordering=-price&page_size=1'))).body).toMatchObject({
      data: [{ sku: 'B-2' }],
      total: 2,
      page: 1,
      page_size: 1,
      meta: { has_more: true },
    })
    const skus = async (query: string) =>
      (await desk.ask('GET', path(query))).body.data.map(({ sku }: { sku: string }) => sku)
    expect(await skus('?ordering=price')).toEqual(['B-1', 'B-2', 'B-3'])
    expect(await skus('?ordering=-price')).toEqual(['B-2', 'B-1', 'B-3'])
    expect(await skus('?ordering=price.nullsfirst')).toEqual(['B-3', 'B-1', 'B-2'])
    expect(await skus('?ordering=-price.nullsfirst')).toEqual(['B-3', 'B-2', 'B-1'])
    expect(await skus('?price__null=true')).toEqual(['B-3'])
    expect((await desk.ask('GET', path('?fields=sku&sku=B-1'))).body.data).toEqual([{ sku: 'B-1' }])
  })

  it('cursors lead through all pages, forwards and backwards', async () => {
    const first = await desk.ask('GET', path('?ordering=price&page_size=2&after='))
    expect(first.body.data.map(({ sku }: { sku: string }) => sku)).toEqual(['B-1', 'B-2'])
    const second = await desk.ask(
      'GET',
      path(`?ordering=price&page_size=2&after=${encodeURIComponent(first.body.meta.next)}`),
    )
    expect(second.body.data.map(({ sku }: { sku: string }) => sku)).toEqual(['B-3'])
    expect(second.body.meta.next).toBeNull()
    const back = await desk.ask(
      'GET',
      path(`?ordering=price&page_size=2&before=${encodeURIComponent(second.body.meta.previous)}`),
    )
    expect(back.body.data).toEqual(first.body.data)
  })

  it('what a client sends is never an operator', async () => {
    for (const query of [
      '?sku=%7B%22%24ne%22%3Anull%7D',
      '?sku=%24where',
      '?filters=%7B%22sku%22%3A%22%24sku%22%7D',
    ])
      expect((await desk.ask('GET', path(query))).body).toMatchObject({ data: [] })
    expect((await desk.ask('GET', path('?filters=%7B%22%24where%22%3A1%7D'))).status).toBe(400)
  })
})

describe('changing records', () => {
  it('a change needs the ETag that If-Match names', async () => {
    const [id] = await ids('?sku=B-1')
    const { headers } = await desk.ask('GET', path(`${id}/`))
    const etag = headers.get('etag') ?? ''
    const changed = await desk.ask('PATCH', path(`${id}/`), { price: 6 }, { 'If-Match': etag })
    expect(changed).toMatchObject({ status: 200, body: { data: { sku: 'B-1', price: 6 } } })
    expect((await desk.ask('PATCH', path(`${id}/`), { price: 7 }, { 'If-Match': etag })).status).toBe(412)
    expect((await desk.ask('PATCH', path('999/'), { price: 7 })).status).toBe(404)
    expect((await desk.ask('PATCH', path(`${id}/`), { id: 77 })).status).toBe(400)
    expect((await desk.ask('PUT', path(`${id}/`), { sku: 'B-1' })).body.data).toMatchObject({
      price: null,
      stock: 0,
    })
  })

  it('several records are changed all or none', async () => {
    const [first, second] = await ids('?ordering=sku')
    const answer = await desk.ask('PATCH', path(), [
      { id: first, stock: 4 },
      { id: 999, stock: 4 },
    ])
    expect(answer).toMatchObject({ status: 404 })
    expect(await ids('?stock=4')).toEqual([])
    await desk.ask('PATCH', path(), [
      { id: first, stock: 4 },
      { id: second, stock: 4 },
    ])
    expect(await ids('?stock=4&ordering=sku')).toEqual([first, second])
    const filtered = await desk.ask('PATCH', path('?filter={"stock":4}&expect=2'), { stock: 5 })
    expect(filtered).toMatchObject({ status: 200 })
    expect((await desk.ask('PATCH', path('?filter={"stock":5}&expect=3'), { stock: 6 })).status).toBe(412)
  })

  it('an upsert changes the record that exists, and creates the other', async () => {
    const answer = await desk.ask('POST', path('upsert/?unique_fields=sku'), [
      { sku: 'B-2', stock: 9 },
      { sku: 'D-1', stock: 1 },
    ])
    expect(answer).toMatchObject({ status: 201, body: { created_count: 1, updated_count: 1 } })
    expect((await desk.ask('GET', path('?sku=B-2'))).body.data).toMatchObject([{ stock: 9, code: 'x' }])
  })

  it('a dry run changes nothing', async () => {
    const answer = await post({ sku: 'E-1' }, '?dry_run=true')
    expect(answer).toMatchObject({ status: 200, body: { data: { sku: 'E-1' }, dry_run: true } })
    expect(await ids('?sku=E-1')).toEqual([])
    await desk.ask('DELETE', path('?filter={"sku":"B-3"}&dry_run=true'))
    expect(await ids('?sku=B-3')).toHaveLength(1)
  })

  it('a deletion marks records, and hard_delete removes them', async () => {
    const [id] = await ids('?sku=B-3')
    expect((await desk.ask('DELETE', path(`${id}/`))).status).toBe(204)
    expect((await desk.ask('GET', path(`${id}/`))).status).toBe(404)
    expect(await ids('?only_deleted=true')).toEqual([id])
    expect((await desk.ask('DELETE', path(`?ids=${id}&hard_delete=true`))).body).toEqual({
      deleted: 1,
      ids: [id],
    })
    expect(await ids('?include_deleted=true&sku=B-3')).toEqual([])
  })
})

describe('what tables in MongoDB do not do is 422 with what to do', () => {
  it.each([
    ['GET', '?_annotate=seen_at::text as big', 'texts are made only of'],
    ['POST', '?on_conflict=ignore', 'on_conflict=ignore', { sku: 'Z-1' }],
    ['POST', '?atomic=false', 'atomic=false', [{ sku: 'Z-1' }]],
  ])('%s %s', async (method, query, detail, body?: unknown) => {
    const answer = await desk.ask(method, path(query), body)
    expect(answer).toMatchObject({ status: 422, body: { error: 'Not possible in MongoDB' } })
    expect(answer.body.detail).toContain(detail)
  })
})

describe('tables', () => {
  it('a schema returns 400 with what MongoDB does not have', async () => {
    const answer = await desk.ask('POST', '/apps/shop/datasources/docs/datatables/', {
      name: 'wrong',
      json_schema: { ...schema, search_fields: ['sku'], hierarchy: true },
    })
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body.json_schema).toHaveLength(2)
  })

  it('a collection that another has made is never touched', async () => {
    await run('desk-records', { insert: 'shop_theirs', documents: [{ a: 1 }] })
    const answer = await desk.ask('POST', '/apps/shop/datasources/docs/datatables/?materialize=true', {
      name: 'theirs',
      json_schema: schema,
    })
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.body.detail).toBe(
      'The database has a collection "shop_theirs" that this table did not make.',
    )
    expect((await desk.ask('GET', '/apps/shop/datasources/docs/datatables/theirs/')).status).toBe(404)
  })

  it('a deleted table is put aside, restored with its records, and dropped by purge', async () => {
    const table = '/apps/shop/datasources/docs/datatables/products/'
    const before = await ids('?ordering=id')
    const gone = await desk.ask('DELETE', table)
    expect(gone).toMatchObject({ status: 204 })
    const names = async () =>
      (await run('desk-records', { listCollections: 1 })).cursor.firstBatch.map(({ name }) => name)
    expect(await names()).not.toContain('shop_products')
    const restored = await desk.ask('POST', `${table}restore/`)
    expect(restored).toMatchObject({ status: 200 })
    expect(await ids('?ordering=id')).toEqual(before)
    expect((await desk.ask('DELETE', `${table}?purge=true`)).status).toBe(204)
    expect(await names()).not.toContain('shop_products')
  })
})
