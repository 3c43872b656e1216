import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { timeLimit } from '../support/time-limit.ts'

let app: TestApp
let shop: Shop
let token: string

const get = (query: string) => app.request('GET', `${shop.data('products')}${query}`, { token })
const post = (table: string, body: unknown) => app.request('POST', shop.data(table), { token, body })
const count = async () =>
  Number((await app.sql<{ count: string }>(`select count(*) from ${shop.schema}.shop_products`))[0]?.count)
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'records')
  token = shop.owner.token
  await post('makers', [
    { id: 1, name: 'Ostra' },
    { id: 2, name: 'Kestrel' },
  ])
  const rows = Array.from({ length: 60 }, (_, index) => ({
    id: index + 1,
    sku: `T-${index + 1}`,
    price: (index * 7) % 23,
    stock: index % 5,
    ...(index % 4 === 0 ? {} : { maker_id: 1 + (index % 2) }),
    ...(index % 10 === 9 ? { is_deleted: true } : {}),
  }))
  expect((await post('products', rows)).status).toBe(201)
})

describe('creating records', () => {
  it('a creation returns 400 and names each invalid field', async () => {
    const answer = await post('products', {
      sku: 'lower',
      price: -1,
      stock: 1.5,
      released_on: '2026-02-30',
      colour: 'red',
    })
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body).toEqual({
      error: 'Validation failed',
      details: {
        sku: ['Ensure this field matches the pattern ^[A-Z]+-[0-9]+$'],
        price: ['Ensure this value is greater than or equal to 0.'],
        stock: ['A whole number is required.'],
        released_on: ['A date is required, for example 2026-01-31.'],
        colour: ['Unknown field. Fields: id, sku, price, stock, maker_id, released_on, is_deleted.'],
      },
      code: 'validation_failed',
    })
  })

  it('a creation returns 400 if a required field is missing or null', async () => {
    expect((await post('products', {})).body).toEqual({
      error: 'Validation failed',
      details: { sku: ['This field is required.'] },
      code: 'validation_failed',
    })
    expect((await post('products', { sku: null })).body).toEqual({
      error: 'Validation failed',
      details: { sku: ['This field may not be null.'] },
      code: 'validation_failed',
    })
  })

  it.each([
    ['a string', '"x"'],
    ['a number', '1'],
    ['null', 'null'],
    ['an array of numbers', '[1]'],
  ])('a creation returns 400 for %s instead of a record', async (_, body) => {
    const answer = await app.request('POST', shop.data('products'), { token, body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toBe('Validation failed')
  })

  it('a creation returns 400 if a foreign key references a missing record', async () => {
    const answer = await post('products', { sku: 'FK-1', maker_id: 99 })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: 'Foreign key violation',
        detail: 'This maker_id references no record of "makers".',
        field: 'maker_id',
        code: 'reference_missing',
      },
    })
  })

  it('a creation returns 409 and names the field whose value is taken', async () => {
    expect(await post('products', { sku: 'T-1' })).toMatchObject({
      status: 409,
      body: {
        error: 'Duplicate value',
        detail: 'A record with this sku already exists.',
        field: 'sku',
        code: 'duplicate_value',
      },
    })
    expect(await post('products', { id: 1, sku: 'NEW-1' })).toMatchObject({
      status: 409,
      body: { field: 'id' },
    })
  })

  it('a bulk creation creates all records or none, and its errors name the row', async () => {
    const before = await count()
    const good = Array.from({ length: 20 }, (_, index) => ({ sku: `B-${index}` }))
    expect((await post('products', [...good, { sku: 'T-5' }])).body).toEqual({
      error: 'Duplicate value',
      detail: 'rows[20]: A record with this sku already exists.',
      field: 'sku',
      code: 'duplicate_value',
    })
    expect((await post('products', [...good, { sku: 'B-3' }])).body.detail).toBe(
      'rows[20]: A record with this sku already exists.',
    )
    expect((await post('products', [...good, { sku: 'X-1', maker_id: 77 }])).body.detail).toBe(
      'rows[20]: This maker_id references no record of "makers".',
    )
    expect((await post('products', [...good, { sku: 'X-1', price: 'free' }])).body).toEqual({
      error: 'Validation failed',
      details: { price: ['rows[20]: A number is required.'] },
      code: 'validation_failed',
    })
    expect(await count()).toBe(before)
  })

  it('an error lists at most 100 problems', async () => {
    const { status, body } = await post(
      'products',
      Array.from({ length: 300 }, () => ({ sku: 'bad' })),
    )
    expect(status).toBe(400)
    expect(body.details.sku).toHaveLength(100)
    expect(body.details.non_field_errors).toEqual(['… and 200 more problems.'])
  })

  it('a creation returns 413 for more than 10,000 records', async () => {
    expect(
      await post(
        'products',
        Array.from({ length: 10_001 }, () => ({})),
      ),
    ).toMatchObject({
      status: 413,
      body: { detail: 'A request may have at most 10000 records.', code: 'too_many_items' },
    })
  })

  it('a creation returns 201 with the record and its defaults, in one round trip', async () => {
    const answer = await post('products', { sku: 'ONE-1', price: 2.5 })
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.body).toEqual({
      data: {
        id: expect.any(Number),
        sku: 'ONE-1',
        price: 2.5,
        stock: 0,
        maker_id: null,
        released_on: null,
        is_deleted: false,
      },
    })
    expect(roundTrips(answer)).toBe('1')
    await app.sql(`delete from ${shop.schema}.shop_products where sku = 'ONE-1'`)
  })

  it('a bulk creation returns the records in order, with defaults only for omitted fields', async () => {
    const { status, body } = await post('products', [
      { sku: 'O-3', stock: 3 },
      { sku: 'O-1', stock: null },
      { sku: 'O-2' },
    ])
    expect(status).toBe(201)
    expect(body.data.map(({ sku, stock }: { sku: string; stock: number }) => [sku, stock])).toEqual([
      ['O-3', 3],
      ['O-1', null],
      ['O-2', 0],
    ])
    expect((await post('products', [])).body).toEqual({ data: [] })
    await app.sql(`delete from ${shop.schema}.shop_products where sku like 'O-%'`)
  })

  it('generated keys continue after the highest key that a client has sent', async () => {
    const given = await post('makers', [{ id: 500, name: 'Tamura' }])
    const next = await post('makers', { name: 'Northwick' })
    expect([given.status, next.status, next.body.data.id]).toEqual([201, 201, 501])
  })
})

describe('reading a record', () => {
  it.each(['9999', 'abc', '1,2', '%00', '99999999999999999999'])(
    'GET returns 404 for the id %s',
    async (id) => {
      const answer = await get(`${id}/`)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({
        error: 'Record not found',
        detail: expect.stringContaining('"products" has no record with the id'),
        code: 'record_not_found',
      })
    },
  )

  it('GET returns 404 for a soft-deleted record', async () => {
    expect((await get('10/')).status).toBe(404)
  })

  it('GET returns 200 with the record under data, in one round trip', async () => {
    const answer = await get('2/')
    expect(answer.body).toEqual({
      data: { id: 2, sku: 'T-2', price: 7, stock: 1, maker_id: 2, released_on: null, is_deleted: false },
    })
    expect(roundTrips(answer)).toBe('1')
  })
})

describe('listing records', () => {
  it('a list equals the result of plain SQL, with the total, in one round trip', async () => {
    const answer = await get('?price__gte=5&stock__in=1,2,3&ordering=-price,sku&page_size=7&page=2')
    const rows = await app.sql<{ id: string }>(
      `select id from ${shop.schema}.shop_products where price >= 5 and stock in (1, 2, 3) and not is_deleted order by price desc, sku, id limit 7 offset 7`,
    )
    const [total] = await app.sql<{ count: string }>(
      `select count(*) from ${shop.schema}.shop_products where price >= 5 and stock in (1, 2, 3) and not is_deleted`,
    )
    expect(answer.body.data.map(({ id }: { id: number }) => id)).toEqual(rows.map(({ id }) => Number(id)))
    expect(answer.body).toMatchObject({
      total: Number(total?.count),
      page: 2,
      page_size: 7,
      meta: { offset: 7, limit: 7, count: Number(total?.count), has_more: true, total_is: 'exact' },
    })
    expect(answer.headers.get('x-total-count')).toBe(total?.count)
    expect(roundTrips(answer)).toBe('1')
  })

  it('a page beyond the last one is empty', async () => {
    expect((await get('?page=99')).body).toMatchObject({
      data: [],
      total: 54,
      page: 99,
      page_size: 20,
      meta: { has_more: false },
    })
  })

  it('negated operators also match records without a value', async () => {
    const { body } = await get('?maker_id__ne=1&page_size=1000')
    const [total] = await app.sql<{ count: string }>(
      `select count(*) from ${shop.schema}.shop_products where maker_id is distinct from 1 and not is_deleted`,
    )
    expect(body.total).toBe(Number(total?.count))
  })

  it('a list returns 400 and names each invalid parameter', async () => {
    const { status, body } = await get('?nope=1&price=cheap&page=0')
    expect(status).toBe(400)
    expect(Object.keys(body.details)).toEqual(['page', 'nope', 'price'])
  })
})

describe('every field type', () => {
  const fields = [
    'string',
    'integer',
    'number',
    'boolean',
    'date',
    'time',
    'datetime',
    'object',
    'array',
    'uuid',
  ].map((type) => ({
    name: `a_${type}`,
    type,
  }))
  const record = {
    id: 'first',
    a_string: 'Zürich "😀" \\ \' ; --',
    a_integer: 9007199254740991,
    a_number: 12.5,
    a_boolean: false,
    a_date: '2024-02-29',
    a_time: '07:30:00',
    a_datetime: '2026-01-31T12:00:00.25Z',
    a_object: { nested: [1, { deep: null }] },
    a_array: ['x', 2, { y: true }],
    a_uuid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  }
  const path = () => shop.data('everything')

  beforeAll(async () => {
    const schema = {
      fields: [
        { name: 'id', type: 'string' },
        ...fields,
        { name: 'created_at', type: 'datetime' },
        { name: 'updated_at', type: 'datetime' },
      ],
      primaryKey: 'id',
    }
    const made = await app.request(
      'POST',
      `${shop.api}/apps/shop/datasources/main/datatables/?materialize=true`,
      {
        token,
        body: { name: 'everything', json_schema: schema },
      },
    )
    expect(made).toMatchObject({
      status: 201,
      body: { is_materialized: true, primary_key: ['id'], field_count: 13 },
    })
  })

  it('a value of every type is returned as it was sent', async () => {
    const created = await app.request('POST', path(), { token, body: record })
    expect(created.body.data).toEqual({
      ...record,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect((await app.request('GET', `${path()}first/`, { token })).body).toEqual(created.body)
  })

  it('a number keeps every digit', async () => {
    const body =
      '{"id": "exact", "a_number": 0.12345678901234567890123, "a_integer": "9223372036854775807", "a_datetime": "2026-06-01T02:00:00+02:00"}'
    await app.request('POST', path(), { token, body })
    const [row] = await app.sql<Record<string, string>>(
      `select a_number::text, a_integer::text, a_datetime = '2026-06-01T00:00:00Z' as same from ${shop.schema}.shop_everything where id = 'exact'`,
    )
    expect(row).toEqual({
      a_number: '0.12345678901234567890123',
      a_integer: '9223372036854775807',
      same: true,
    })
  })

  it('an omitted text key gets a UUID', async () => {
    const { body } = await app.request('POST', path(), { token, body: {} })
    expect(body.data.id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each(Object.entries(record).filter(([name]) => name !== 'id'))(
    'a list can be filtered by %s',
    async (name, value) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      const { body } = await app.request('GET', `${path()}?${name}=${encodeURIComponent(text)}`, { token })
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['first'])
    },
  )
})

describe('values that Postgres and JavaScript read differently', () => {
  const make = (name: string, ...fields: unknown[]) =>
    app.request('POST', `${shop.api}/apps/shop/datasources/main/datatables/?materialize=true`, {
      token,
      body: { name, json_schema: { fields: [{ name: 'id', type: 'integer' }, ...fields], primaryKey: 'id' } },
    })

  beforeAll(async () => {
    await make(
      'sharp',
      { name: 'i', type: 'integer' },
      { name: 'n', type: 'number', constraints: { unique: true } },
      { name: 's', type: 'string' },
      { name: 'at', type: 'datetime', constraints: { unique: true } },
    )
  })

  it.each([
    ['{"i": 1.00000000000000000001}', { i: ['A whole number is required.'] }],
    ['{"i": 1e-400}', { i: ['A whole number is required.'] }],
    ['{"i": 9007199254740991.4}', { i: ['A whole number is required.'] }],
    [
      '{"n": 1e-20000}',
      { n: ['A number may have at most 131072 digits before the decimal point and 16383 after it.'] },
    ],
  ])('returns 400 instead of rounding %s', async (body, details) => {
    const refused = await app.request('POST', shop.data('sharp'), { token, body })
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 'Validation failed', details, code: 'validation_failed' },
    ])
  })

  it.each([
    ['s', '{"s": "\\u0000", "s": "ok"}'],
    ['s', '{"s": "\\ud800", "s": "ok"}'],
    ['n', '{"n": 1e999999, "n": 1}'],
  ])('returns 400 for a repeated name %s, whose first value would be ignored: %s', async (name, body) => {
    const refused = await app.request('POST', shop.data('sharp'), { token, body })
    expect([refused.status, refused.body]).toEqual([
      400,
      { detail: `The body has the name "${name}" twice in one object.`, code: 'malformed_body' },
    ])
  })

  it('a body that is not UTF-8 returns 400', async () => {
    const body = new Uint8Array([
      ...new TextEncoder().encode('{"s": "a'),
      0xff,
      0xfe,
      ...new TextEncoder().encode('"}'),
    ])
    expect(await app.request('POST', shop.data('sharp'), { token, body })).toMatchObject({
      status: 400,
      body: { detail: 'The body is not valid JSON.', code: 'malformed_body' },
    })
  })

  it('1.0 and 1e3 are integers', async () => {
    expect(
      (
        await app.request('POST', shop.data('sharp'), { token, body: '[{"i": 1.0}, {"i": 1e3}]' })
      ).body.data.map(({ i }: { i: number }) => i),
    ).toEqual([1, 1000])
  })

  it('an error names the row of a duplicate, in any notation of its value', async () => {
    const answer = await app.request('POST', shop.data('sharp'), {
      token,
      body: '[{"n": 2}, {"n": 7.0}, {"n": 7.00}]',
    })
    expect(answer.body).toMatchObject({
      field: 'n',
      detail: 'rows[2]: A record with this n already exists.',
      code: 'duplicate_value',
    })
    const times = await post('sharp', [{ at: '2026-01-01T00:00:00Z' }, { at: '2026-01-01T01:00:00+01:00' }])
    expect(times.body).toMatchObject({
      field: 'at',
      detail: 'rows[1]: A record with this at already exists.',
      code: 'duplicate_value',
    })
  })

  it('sent and generated keys do not collide in one bulk creation', async () => {
    await make('mixed', { name: 's', type: 'string' })
    const { status, body } = await post('mixed', [
      { id: 1, s: 'a' },
      { s: 'b' },
      { id: 7, s: 'c' },
      { s: 'd' },
    ])
    expect([status, body.data.map(({ id }: { id: number }) => id)]).toEqual([201, [1, 8, 7, 9]])
  })

  it('a very large key does not exhaust the generated keys', async () => {
    expect((await post('mixed', { id: '9223372036854775807', s: 'giant' })).status).toBe(201)
    expect(await post('mixed', { s: 'next' })).toMatchObject({ status: 201, body: { data: { id: 10 } } })
  })

  it('dates and times are sorted by time, not as text', async () => {
    await make('moments', { name: 'at', type: 'datetime' })
    await post(
      'moments',
      ['2026-01-01T12:00:00Z', '2026-01-01T12:00:00.5Z', '2026-01-01T11:59:59Z'].map((at) => ({ at })),
    )
    const { body } = await app.request('GET', `${shop.data('moments')}?ordering=at`, { token })
    expect(body.data.map(({ at }: { at: string }) => at)).toEqual([
      '2026-01-01T11:59:59Z',
      '2026-01-01T12:00:00Z',
      '2026-01-01T12:00:00.5Z',
    ])
  })

  it('a field may have the name of any part of a SQL statement', async () => {
    const names = [
      'record',
      'inserted',
      'input',
      'fields',
      'n',
      'total',
      'data',
      'select',
      'user',
      'count',
      'row',
    ]
    const columns = names.map((name) => ({ name, type: 'string' }))
    expect((await make('named', ...columns)).status).toBe(201)
    const values = Object.fromEntries(names.map((name) => [name, `my ${name}`]))
    expect((await post('named', values)).body).toEqual({ data: { id: 1, ...values } })
    expect((await post('named', [values, {}])).body.data[0]).toEqual({ id: 2, ...values })
    expect((await app.request('GET', `${shop.data('named')}1/`, { token })).body).toEqual({
      data: { id: 1, ...values },
    })
    expect(
      (await app.request('GET', `${shop.data('named')}?ordering=-record,select`, { token })).body.data[0]
        .record,
    ).toBe('my record')
  })

  it('a text key that is too short for a UUID is required', async () => {
    await app.request('POST', `${shop.api}/apps/shop/datasources/main/datatables/?materialize=true`, {
      token,
      body: {
        name: 'coded',
        json_schema: {
          fields: [{ name: 'code', type: 'string', constraints: { maxLength: 10 } }],
          primaryKey: 'code',
        },
      },
    })
    expect(await post('coded', {})).toMatchObject({
      status: 400,
      body: { details: { code: ['This field is required.'] } },
    })
  })
})

describe('a composite key', () => {
  it('a path contains a composite key with commas, in the order of the key', async () => {
    const schema = {
      fields: [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'integer' },
        { name: 'note', type: 'string' },
      ],
      primaryKey: ['a', 'b'],
    }
    await app.request('POST', `${shop.api}/apps/shop/datasources/main/datatables/?materialize=true`, {
      token,
      body: { name: 'pairs', json_schema: schema },
    })
    await post('pairs', [
      { a: 'x', b: 1, note: 'one' },
      { a: 'x', b: 2, note: 'two' },
    ])
    expect((await app.request('GET', `${shop.data('pairs')}x,2/`, { token })).body).toEqual({
      data: { a: 'x', b: 2, note: 'two' },
    })
    expect((await app.request('GET', `${shop.data('pairs')}x/`, { token })).status).toBe(404)
    expect(await post('pairs', { a: 'x', b: 1 })).toMatchObject({ status: 409, body: { field: 'a,b' } })
    expect(await post('pairs', { a: 'x' })).toMatchObject({
      status: 400,
      body: { details: { b: ['This field is required.'] } },
    })
  })
})

describe('a bulk creation of 10,000 records with 6 fields', () => {
  it('one statement creates all records, or none, in less than 3 seconds', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      sku: `BULK-${index}`,
      price: index / 100,
      stock: index,
      maker_id: 1 + (index % 2),
      released_on: '2026-01-01',
      is_deleted: false,
    }))
    const started = Date.now()
    const answer = await post('products', rows)
    const took = Date.now() - started
    expect(answer.status).toBe(201)
    expect(answer.body.data).toHaveLength(10_000)
    expect(answer.body.data[9_999].sku).toBe('BULK-9999')
    expect(roundTrips(answer)).toBe('1')
    expect(took).toBeLessThan(await timeLimit(3000))
    const before = await count()
    const again = rows.map((row, index) => ({ ...row, sku: `AGAIN-${index}` }))
    ;(again[9_999] as { sku: string }).sku = 'T-1'
    expect((await post('products', again)).body.detail).toBe(
      'rows[9999]: A record with this sku already exists.',
    )
    expect(await count()).toBe(before)
  })
})
