/** Spec: Records, POST upsert; R8, R13. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addTables, createShop, type Shop } from '../../support/fixtures.ts'
import { commitWhenAwaited } from '../../support/locks.ts'

let app: TestApp
let shop: Shop
let token: string

const upsertIn = (table: string, unique: string, body: unknown, more = '') =>
  app.request('POST', `${shop.data(table)}upsert/?unique_fields=${unique}${more}`, { token, body })
const upsert = (body: unknown, more = '') => upsertIn('products', 'sku', body, more)
const create = (table: string, body: unknown) => app.request('POST', shop.data(table), { token, body })
const rows = (columns: string, table = 'products') =>
  app.sql(`select ${columns} from ${shop.schema}.shop_${table} order by 1`)
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]
const unchanged = async (work: () => Promise<unknown>, table = 'products') => {
  const before = await rows('*, xmin', table)
  await work()
  expect(await rows('*, xmin', table)).toEqual(before)
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'upserting')
  token = shop.owner.token
  await addTables(app, shop, [
    {
      name: 'people',
      schema: {
        fields: [
          { name: 'id', type: 'uuid' },
          { name: 'email', type: 'string', constraints: { unique: true } },
          { name: 'name', type: 'string', constraints: { required: true } },
          { name: 'level', type: 'integer', default: 1, constraints: { required: true } },
          { name: 'note', type: 'string', default: 'new' },
          { name: 'nick', type: 'string', constraints: { unique: true } },
          { name: 'created_at', type: 'datetime' },
          { name: 'updated_at', type: 'datetime' },
        ],
      },
    },
    {
      name: 'seats',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'row', type: 'string' },
          { name: 'seat', type: 'number' },
          { name: 'state', type: 'string' },
          { name: 'zone', type: 'string', default: 'hall' },
        ],
        primaryKey: 'id',
        indexes: [
          { name: 'place', fields: ['row', 'seat'], unique: true },
          { name: 'open', fields: ['state'], unique: true, where: { zone: 'box' } },
          { name: 'plain', fields: ['zone'] },
          { name: 'zoned', fields: ['zone', 'row'], unique: true },
        ],
      },
    },
  ])
  await create('makers', [{ id: 1, name: 'Ostra' }])
})

beforeEach(async () => {
  await app.sql(`delete from ${shop.schema}.shop_products`)
  await app.sql(`delete from ${shop.schema}.shop_people`)
  await app.sql(`delete from ${shop.schema}.shop_seats`)
  await create('products', [
    { id: 1, sku: 'A-1', price: 1.5, stock: 3, maker_id: 1 },
    { id: 2, sku: 'A-2', price: 2 },
    { id: 3, sku: 'A-3', price: 3, is_deleted: true },
  ])
})

describe('an upsert', () => {
  it.each([
    ['', 'Name the fields that identify a record, for example unique_fields=sku.'],
    ['nope', 'Unknown field "nope". Fields: id, row, seat, state, zone.'],
    ['state', 'No primary key, unique constraint or unconditional unique index covers exactly state.'],
    ['zone', 'No primary key, unique constraint or unconditional unique index covers exactly zone.'],
    ['row', 'No primary key, unique constraint or unconditional unique index covers exactly row.'],
    ['row,row', 'No primary key, unique constraint or unconditional unique index covers exactly row, row.'],
    ['__proto__', 'Unknown field "__proto__". Fields: id, row, seat, state, zone.'],
  ])('returns 400 for unique_fields=%s, which no key or constraint covers', async (unique, message) => {
    const answer = await upsertIn('seats', unique, { row: 'a', seat: 1 })
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'Validation failed', details: { unique_fields: [message] }, code: 'validation_failed' },
    ])
  })

  it('returns 400 without unique_fields', async () => {
    const answer = await app.request('POST', `${shop.data('products')}upsert/`, {
      token,
      body: { sku: 'A-1' },
    })
    expect([answer.status, Object.keys(answer.body.details)]).toEqual([400, ['unique_fields']])
  })

  it('returns 400 and names every invalid field; a unique field may not be missing or null', () =>
    unchanged(async () => {
      expect(
        (await upsert([{ sku: 'A-1', price: -1 }, { price: 1 }, { sku: 'A-9', colour: 1 }])).body,
      ).toEqual({
        error: 'Validation failed',
        details: {
          price: ['rows[0]: Ensure this value is greater than or equal to 0.'],
          sku: ['rows[1]: This field is required.'],
          colour: [
            'rows[2]: Unknown field. Fields: id, sku, price, stock, maker_id, released_on, is_deleted.',
          ],
        },
        code: 'validation_failed',
      })
      expect((await upsertIn('people', 'email', { name: 'x', email: null })).body.details).toEqual({
        email: ['This field may not be null.'],
      })
      expect((await upsertIn('people', 'email', { name: 'x' })).body.details).toEqual({
        email: ['This field is required.'],
      })
    }))

  it('returns 400 and names the rows that have the same key', () =>
    unchanged(async () => {
      expect(
        (await upsert([{ sku: 'A-1' }, { sku: 'N-1' }, { sku: 'A-1', stock: 2 }, { sku: 'N-1' }])).body,
      ).toEqual({
        error: 'Validation failed',
        details: { sku: ['rows[2]: The same sku as rows[0].', 'rows[3]: The same sku as rows[1].'] },
        code: 'validation_failed',
      })
      const seats =
        '[{"row": "a", "seat": 1.0}, {"row": "a", "seat": 1.00000000000000000000001}, {"row": "a", "seat": 1.00}]'
      const answer = await app.request('POST', `${shop.data('seats')}upsert/?unique_fields=row,seat`, {
        token,
        body: seats,
      })
      expect(answer.body.details).toEqual({ 'row,seat': ['rows[2]: The same row, seat as rows[0].'] })
    }))

  it('returns 400 if a new record lacks a required field, even if other records exist', () =>
    unchanged(async () => {
      await upsertIn('people', 'email', { email: 'a@example.org', name: 'A' })
      const answer = await upsertIn('people', 'email', [
        { email: 'a@example.org' },
        { email: 'b@example.org' },
        { email: 'c@example.org', name: 'C' },
      ])
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          error: 'Validation failed',
          details: { name: ['rows[1]: This field is required.'] },
          code: 'validation_failed',
        },
      ])
      expect(await rows('email', 'people')).toEqual([{ email: 'a@example.org' }])
    }))

  it('returns 400 if it would change the primary key of an existing record', () =>
    unchanged(async () => {
      expect((await upsert([{ sku: 'N-1' }, { id: 9, sku: 'A-1' }])).body.details).toEqual({
        id: ['rows[1]: The primary key of a record cannot be changed.'],
      })
    }))

  it('returns 400 for a missing reference and 409 for another taken value; both name the row', () =>
    unchanged(async () => {
      expect(await upsert([{ sku: 'A-1' }, { sku: 'N-1', maker_id: 9 }])).toMatchObject({
        status: 400,
        body: {
          error: 'Foreign key violation',
          detail: 'rows[1]: This maker_id references no record of "makers".',
          field: 'maker_id',
          code: 'reference_missing',
        },
      })
      expect(
        await upsertIn('products', 'id', [
          { id: 1, stock: 1 },
          { id: 2, sku: 'A-1' },
        ]),
      ).toMatchObject({
        status: 409,
        body: {
          error: 'Duplicate value',
          detail: expect.stringMatching(
            /^rows\[1\]: Another record of the same request still has this sku\. /,
          ),
          field: 'sku',
          held_by: 'request',
          code: 'duplicate_value',
        },
      })
    }))

  it('returns 409 with the row of a duplicate in several fields, in any notation', async () => {
    const body = '[{"row": "a", "seat": 1}, {"row": "a, b", "seat": 2}, {"row": "a, b", "seat": 2.0}]'
    expect((await app.request('POST', shop.data('seats'), { token, body })).body).toEqual({
      error: 'Duplicate value',
      detail: expect.stringMatching(/^A record with this row, seat already exists/),
      field: 'row,seat',
      code: 'duplicate_value',
    })
    const plain =
      '[{"row": null, "seat": 2}, {"row": "a", "seat": 2}, {"row": "a", "seat": 2.0}, {"row": "null", "seat": 2}]'
    expect((await app.request('POST', shop.data('seats'), { token, body: plain })).body).toEqual({
      error: 'Duplicate value',
      detail: 'rows[2]: A record with this row, seat already exists.',
      field: 'row,seat',
      code: 'duplicate_value',
    })
  })

  it('returns 409 if a soft-deleted record has the key, and changes it with include_deleted=true', async () => {
    await unchanged(async () => {
      const answer = await upsert([
        { sku: 'A-1', stock: 8 },
        { sku: 'A-3', stock: 8 },
      ])
      expect([answer.status, answer.body]).toEqual([
        409,
        {
          error: 'Duplicate value',
          detail: 'rows[1]: A soft-deleted record has this sku. To change it, send include_deleted=true.',
          field: 'sku',
          held_by: 'deleted',
          code: 'duplicate_value',
        },
      ])
    })
    const answer = await upsert({ sku: 'A-3', is_deleted: false }, '&include_deleted=true')
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { id: 3, price: 3, is_deleted: false }, created: false },
    })
  })

  it('returns 413 for more than 10,000 records', async () => {
    expect((await upsert(Array.from({ length: 10_001 }, () => ({})))).status).toBe(413)
  })

  it('returns 201 for a new record with its defaults, and 200 for a change of only the given fields, in one round trip', async () => {
    const created = await upsertIn('people', 'email', { email: 'a@example.org', name: 'A', nick: 'a' })
    expect([created.status, created.body]).toEqual([
      201,
      {
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          email: 'a@example.org',
          name: 'A',
          level: 1,
          note: 'new',
          nick: 'a',
          created_at: expect.stringMatching(/Z$/),
          updated_at: expect.stringMatching(/Z$/),
        },
        created: true,
        created_count: 1,
        updated_count: 0,
      },
    ])
    const changed = await upsertIn('people', 'email', {
      email: 'a@example.org',
      note: null,
      created_at: '1999-01-01T00:00:00Z',
    })
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        data: { ...created.body.data, note: null, updated_at: expect.stringMatching(/Z$/) },
        created: false,
        created_count: 0,
        updated_count: 1,
      },
    ])
    expect(changed.body.data.updated_at > created.body.data.updated_at).toBe(true)
    expect([roundTrips(created), roundTrips(changed)]).toEqual(['1', '1'])
    const read = await app.request('GET', `${shop.data('people')}${created.body.data.id}/`, { token })
    expect([read.body.data, read.headers.get('etag')]).toEqual([
      changed.body.data,
      changed.headers.get('etag'),
    ])
  })

  it('returns 201 if it creates some of many records: the data are in the order of the request, with counts', async () => {
    const answer = await upsert([
      { sku: 'Z-1' },
      { sku: 'A-2', price: 7 },
      { sku: 'N-1', stock: 5 },
      { sku: 'A-1', stock: null },
    ])
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        data: [
          {
            id: expect.any(Number),
            sku: 'Z-1',
            price: null,
            stock: 0,
            maker_id: null,
            released_on: null,
            is_deleted: false,
          },
          { id: 2, sku: 'A-2', price: 7, stock: 0, maker_id: null, released_on: null, is_deleted: false },
          {
            id: expect.any(Number),
            sku: 'N-1',
            price: null,
            stock: 5,
            maker_id: null,
            released_on: null,
            is_deleted: false,
          },
          { id: 1, sku: 'A-1', price: 1.5, stock: null, maker_id: 1, released_on: null, is_deleted: false },
        ],
        created: true,
        created_count: 2,
        updated_count: 2,
      },
    ])
    expect(roundTrips(answer)).toBe('1')
    const again = await upsert([{ sku: 'Z-1' }, { sku: 'A-2' }])
    expect([again.status, again.body.created, again.body.created_count, again.body.updated_count]).toEqual([
      200,
      false,
      0,
      2,
    ])
    expect(await upsert([])).toMatchObject({
      status: 200,
      body: { data: [], created: false, created_count: 0, updated_count: 0 },
    })
  })

  it('finds records by the primary key, by several fields in any order, and by repeated parameters', async () => {
    expect(
      (
        await upsertIn('products', 'id', [
          { id: 1, stock: 7 },
          { id: 9, sku: 'N-9' },
        ])
      ).body,
    ).toMatchObject({ created_count: 1, updated_count: 1 })
    expect((await create('products', { sku: 'N-10' })).body.data.id).toBeGreaterThan(9)
    expect(
      (
        await upsertIn('seats', 'row,seat', [
          { row: 'a', seat: 1, state: 'free' },
          { row: 'b', seat: 1, zone: 'box' },
        ])
      ).body.created_count,
    ).toBe(2)
    const changed = await upsertIn('seats', 'seat&unique_fields=row', { row: 'a', seat: 1, state: 'taken' })
    expect([changed.status, changed.body.data]).toEqual([
      200,
      { id: expect.any(Number), row: 'a', seat: 1, state: 'taken', zone: 'hall' },
    ])
  })

  it('looks for the default of a unique field that is omitted', async () => {
    expect((await upsertIn('people', 'id', [{ name: 'A' }, { name: 'B' }])).body).toMatchObject({
      created_count: 2,
      updated_count: 0,
    })
    expect((await upsertIn('people', 'id', [])).body.data).toEqual([])
    expect((await upsertIn('seats', 'zone,row', { row: 'a', state: 'free' })).status).toBe(201)
    expect((await upsertIn('seats', 'zone,row', { row: 'a', state: 'taken' })).body).toMatchObject({
      updated_count: 1,
      data: { zone: 'hall', state: 'taken' },
    })
    expect(
      (await upsertIn('seats', 'zone,row', [{ row: 'a', zone: 'box' }, { row: 'a' }, { row: 'b' }])).body,
    ).toMatchObject({
      created_count: 2,
      updated_count: 1,
    })
  })
})

describe('a field of an upsert', () => {
  it('may have the name of any part of a SQL statement', async () => {
    const names = [
      'excluded',
      'record',
      'input',
      'row',
      'n',
      'data',
      'said',
      'before',
      'written',
      'select',
      'user',
      'count',
      'xmin_',
      'a'.repeat(63),
    ]
    const fields = [{ name: 'id', type: 'integer' }, ...names.map((name) => ({ name, type: 'string' }))]
    await addTables(app, shop, [
      {
        name: 'named',
        schema: {
          fields,
          primaryKey: 'id',
          indexes: [{ name: 'u', fields: ['excluded', 'a'.repeat(63)], unique: true }],
        },
      },
    ])
    const values = (prefix: string) => Object.fromEntries(names.map((name) => [name, `${prefix} ${name}`]))
    const keys = `excluded,${'a'.repeat(63)}`
    expect(
      (await upsertIn('named', keys, [values('x'), { ...values('y'), row: null }])).body.data,
    ).toMatchObject([values('x'), { id: 2, row: null }])
    expect(
      (
        await upsertIn('named', keys, [
          { ...values('x'), data: 'z' },
          { excluded: 'y excluded', ['a'.repeat(63)]: `y ${'a'.repeat(63)}` },
        ])
      ).body,
    ).toMatchObject({
      data: [
        { ...values('x'), id: 1, data: 'z' },
        { ...values('y'), id: 2, row: null },
      ],
      updated_count: 2,
    })
    const patched = await app.request('PATCH', shop.data('named'), {
      token,
      body: [
        { id: 2, ...values('w') },
        { id: 1, row: 'v' },
      ],
    })
    expect(patched.body.data).toMatchObject([values('w'), { row: 'v', data: 'z' }])
    expect(
      (await app.request('DELETE', `${shop.data('named')}?filter={"excluded":"w excluded"}`, { token })).body,
    ).toEqual({ deleted: 1 })
  })
})

describe('concurrent upserts', () => {
  it('with the same key create one record: 32 upserts, 5 times', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [{ sku: `R-${round}`, stock: 1 }, { sku: `S-${round}`, stock: 1 }] // biome-ignore format: a pair
      const bodies = [
        one,
        [one, { ...other, price: 2 }],
        [{ sku: one.sku, price: 2 }],
        [
          { ...other, price: 3 },
          { sku: one.sku, maker_id: 1 },
        ],
      ]
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, index) => upsert(bodies[index % bodies.length])),
      )
      expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
      expect(answers.reduce((sum, { body }) => sum + body.created_count, 0)).toBe(2)
      expect(
        answers.every(
          ({ status, body }) => (status === 201) === body.created && body.created === body.created_count > 0,
        ),
      ).toBe(true)
      const [row] = await app.sql(
        `select count(*)::int from ${shop.schema}.shop_products where sku in ('${one.sku}', '${other.sku}')`,
      )
      expect(row).toEqual({ count: 2 })
    }
  })

  it('change a record that another request inserts at the same time, and keep its other fields', async () => {
    const inserting = await commitWhenAwaited(
      app,
      `insert into ${shop.schema}.shop_products (sku, price, stock, maker_id) values ('M-1', 1, 9, 1)`,
    )
    const answer = await upsert([
      { sku: 'M-1', price: 5 },
      { sku: 'M-2', stock: 2 },
    ])
    await inserting.committed
    expect(answer).toMatchObject({
      status: 201,
      body: {
        data: [
          { sku: 'M-1', price: 5, stock: 9, maker_id: 1 },
          { sku: 'M-2', price: null, stock: 2 },
        ],
        created_count: 1,
        updated_count: 1,
      },
    })
  })

  it('see the changes that others commit while they wait for the record', async () => {
    const changing = await commitWhenAwaited(
      app,
      `update ${shop.schema}.shop_products set price = 77, stock = 77 where sku = 'A-1'`,
    )
    expect((await upsert({ sku: 'A-1', price: 5 })).body).toMatchObject({
      data: { id: 1, price: 5, stock: 77 },
      created: false,
    })
    const deleting = await commitWhenAwaited(
      app,
      `delete from ${shop.schema}.shop_products where sku = 'A-1'`,
    )
    expect((await upsert({ sku: 'A-1', price: 6 })).body).toMatchObject({
      data: { price: 6, stock: 0 },
      created: true,
    })
    await Promise.all([changing.committed, deleting.committed])
  })

  it('with the same 200 keys in opposite order all succeed', async () => {
    const records = Array.from({ length: 200 }, (_, index) => ({ sku: `O-${index}`, stock: index }))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => upsert(index % 2 ? records : records.toReversed())),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect(answers.reduce((sum, { body }) => sum + body.created_count, 0)).toBe(200)
  })
})
