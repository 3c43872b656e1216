/** Spec: Records, PATCH. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addTables, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let token: string

const call = (method: string, path: string, body?: unknown) => app.request(method, path, { token, body })
const patch = (path: string, body: unknown) => call('PATCH', `${shop.data('products')}${path}`, body)
const patchIn = (table: string, path: string, body: unknown) =>
  call('PATCH', `${shop.data(table)}${path}`, body)
const rows = (columns: string, table = 'products') =>
  app.sql(`select ${columns} from ${shop.schema}.shop_${table} order by 1`)
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]
const unchanged = async (work: () => Promise<unknown>) => {
  const before = await rows('*, xmin')
  await work()
  expect(await rows('*, xmin')).toEqual(before)
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'updating')
  token = shop.owner.token
  await addTables(app, shop, [
    {
      name: 'notes',
      schema: {
        fields: [
          { name: 'id', type: 'uuid' },
          { name: 'title', type: 'string', constraints: { required: true } },
          { name: 'more', type: 'object' },
          { name: 'tags', type: 'array' },
          { name: 'at', type: 'datetime' },
          { name: 'created_at', type: 'datetime' },
          { name: 'updated_at', type: 'datetime' },
        ],
      },
    },
    {
      name: 'pairs',
      schema: {
        fields: [
          { name: 'a', type: 'string' },
          { name: 'b', type: 'integer' },
          { name: 'note', type: 'string' },
        ],
        primaryKey: ['a', 'b'],
      },
    },
    {
      name: 'named',
      schema: {
        fields: [
          { name: 'code', type: 'string' },
          { name: 'size', type: 'number' },
          { name: 'note', type: 'string' },
        ],
        primaryKey: 'code',
      },
    },
    {
      name: 'fine',
      schema: {
        fields: [
          { name: 'id', type: 'number' },
          { name: 'n', type: 'number', constraints: { minimum: 0.1 } },
        ],
        primaryKey: 'id',
      },
    },
    {
      name: 'coded',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'code', type: 'string', constraints: { unique: true } },
        ],
        primaryKey: 'id',
      },
    },
    {
      name: 'uses',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'code', type: 'string' },
        ],
        primaryKey: 'id',
        foreignKeys: [{ fields: 'code', reference: { resource: 'coded', fields: 'code' } }],
      },
    },
  ])
  await call('POST', shop.data('makers'), [
    { id: 1, name: 'Ostra' },
    { id: 2, name: 'Kestrel' },
  ])
})

beforeEach(async () => {
  await app.sql(`delete from ${shop.schema}.shop_products`)
  await call('POST', shop.data('products'), [
    { id: 1, sku: 'A-1', price: 1.5, stock: 3, maker_id: 1, released_on: '2026-01-31' },
    { id: 2, sku: 'A-2', price: 2 },
    { id: 3, sku: 'A-3', price: 3, is_deleted: true },
  ])
})

const heldByDeleted =
  'A deleted record has this sku. Restore it (include_deleted=true), delete it for good ' +
  '(hard_delete=true), or use another value.'

describe('PATCH of one record', () => {
  it.each(['9999', 'abc', '1,2', '%00', '3'])(
    'returns 404 for the id %s, which no visible record has',
    (id) =>
      unchanged(async () => {
        const answer = await patch(`${id}/`, { stock: 9 })
        expect([answer.status, answer.body]).toEqual([
          404,
          {
            error: 'Record not found',
            detail: `"products" has no record with the id ${JSON.stringify(decodeURIComponent(id))}.`,
            code: 'record_not_found',
          },
        ])
      }),
  )

  it('returns 400 and names every invalid field: by type, constraint, null and name', () =>
    unchanged(async () => {
      const answer = await patch('1/', {
        sku: 'lower',
        price: -1,
        stock: 1.5,
        released_on: '2026-02-30',
        colour: 'red',
        constructor: 1,
      })
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          error: 'Validation failed',
          details: {
            sku: ['Ensure this field matches the pattern ^[A-Z]+-[0-9]+$'],
            price: ['Ensure this value is greater than or equal to 0.'],
            stock: ['A whole number is required.'],
            released_on: ['A date is required, for example 2026-01-31.'],
            colour: ['Unknown field. Fields: id, sku, price, stock, maker_id, released_on, is_deleted.'],
            constructor: ['Unknown field. Fields: id, sku, price, stock, maker_id, released_on, is_deleted.'],
          },
          code: 'validation_failed',
        },
      ])
      expect((await patch('1/', { sku: null })).body).toEqual({
        error: 'Validation failed',
        details: { sku: ['This field may not be null.'] },
        code: 'validation_failed',
      })
      expect(
        (await app.request('PATCH', `${shop.data('products')}1/`, { token, body: '{"__proto__": 1}' })).body,
      ).toEqual({
        error: 'Validation failed',
        details: JSON.parse(
          '{"__proto__": ["Unknown field. Fields: id, sku, price, stock, maker_id, released_on, is_deleted."]}',
        ),
        code: 'validation_failed',
      })
    }))

  it.each([['[]'], ['[{"stock": 1}]'], ['"x"'], ['1'], ['null']])(
    'returns 400 for the body %s, which is not a record',
    async (body) => {
      const answer = await app.request('PATCH', `${shop.data('products')}1/`, { token, body })
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          error: 'Validation failed',
          details: { non_field_errors: ['A record must be an object.'] },
          code: 'validation_failed',
        },
      ])
    },
  )

  it('returns 400 if the primary key would change', () =>
    unchanged(async () => {
      const refusal = {
        status: 400,
        body: {
          error: 'Validation failed',
          details: { id: ['The primary key of a record cannot be changed.'] },
          code: 'validation_failed',
        },
      }
      expect(await patch('1/', { id: 7, stock: 1 })).toMatchObject(refusal)
      expect(await patch('1/', { id: 2 })).toMatchObject(refusal)
      expect((await patch('1/', { id: null })).body.details).toEqual({ id: ['This field may not be null.'] })
    }))

  it('returns 400 if a foreign key would reference a missing record, or other records would lose their reference', async () => {
    expect((await patch('1/', { maker_id: 99 })).body).toEqual({
      error: 'Foreign key violation',
      detail: 'This maker_id references no record of "makers".',
      field: 'maker_id',
      code: 'reference_missing',
    })
    await call('POST', shop.data('coded'), { id: 1, code: 'x' })
    await call('POST', shop.data('uses'), { id: 1, code: 'x' })
    expect(await patchIn('coded', '1/', { code: 'y' })).toMatchObject({
      status: 400,
      body: {
        error: 'Foreign key violation',
        detail: 'Records of "uses" reference the current code.',
        field: 'code',
        code: 'still_referenced',
      },
    })
  })

  it('returns 409 and names the field whose value another record has, soft-deleted or not', async () => {
    const body = { error: 'Duplicate value', field: 'sku', code: 'duplicate_value' }
    expect(await patch('1/', { sku: 'A-2' })).toMatchObject({
      status: 409,
      body: { ...body, detail: 'A record with this sku already exists.' },
    })
    expect(await patch('1/', { sku: 'A-3' })).toMatchObject({
      status: 409,
      body: { ...body, detail: heldByDeleted, held_by: 'deleted' },
    })
  })

  it('returns 400 for a value that violates a rule only with digits beyond a double', async () => {
    await call('POST', shop.data('fine'), { id: 1, n: 1 })
    const answer = await app.request('PATCH', `${shop.data('fine')}1/`, {
      token,
      body: '{"n": 0.09999999999999999999999}',
    })
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'Validation failed',
        details: { n: ['Ensure this value is greater than or equal to 0.1.'] },
        code: 'validation_failed',
      },
    ])
  })

  it('returns 200 with the record, changes only the given fields, null included, in one round trip', async () => {
    const answer = await patch('1/', { id: 1, price: 0.1, maker_id: null })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: {
          id: 1,
          sku: 'A-1',
          price: 0.1,
          stock: 3,
          maker_id: null,
          released_on: '2026-01-31',
          is_deleted: false,
        },
      },
    ])
    expect(roundTrips(answer)).toBe('1')
    expect((await call('GET', `${shop.data('products')}1/`)).body).toEqual(answer.body)
    expect((await patch('1/', {})).body).toEqual(answer.body)
  })

  it('keeps every digit of a number, and accepts a key in any notation', async () => {
    const path = `${shop.data('fine')}1.50/`
    await app.request('POST', shop.data('fine'), { token, body: '{"id": 1.5}' })
    expect(
      (await app.request('PATCH', path, { token, body: '{"id": 1.5000, "n": 0.12345678901234567890123}' }))
        .status,
    ).toBe(200)
    expect(await rows('id::text, n::text', 'fine')).toContainEqual({
      id: '1.5',
      n: '0.12345678901234567890123',
    })
    expect(
      (await app.request('PATCH', path, { token, body: '{"id": 1.50000000000000000000001}' })).status,
    ).toBe(400)
  })

  it('finds a record by a composite key', async () => {
    await call('POST', shop.data('pairs'), [
      { a: 'x', b: 1 },
      { a: 'x', b: 2 },
    ])
    expect((await patchIn('pairs', 'x,2/', { note: 'two' })).body).toEqual({
      data: { a: 'x', b: 2, note: 'two' },
    })
    expect((await patchIn('pairs', 'x,2/', { b: 3 })).body.details).toEqual({
      'a,b': ['The primary key of a record cannot be changed.'],
    })
    expect((await patchIn('pairs', 'x/', { note: '-' })).status).toBe(404)
    expect(await rows('b, note', 'pairs')).toEqual([
      { b: '1', note: null },
      { b: '2', note: 'two' },
    ])
  })

  it('changes updated_at with every write, and ignores the values that a client sends for it and created_at', async () => {
    const created = (
      await call('POST', shop.data('notes'), {
        title: 't',
        created_at: '2020-01-01T00:00:00Z',
        updated_at: '2020-01-01T00:00:00Z',
      })
    ).body.data
    expect(created).toMatchObject({ created_at: '2020-01-01T00:00:00Z', updated_at: '2020-01-01T00:00:00Z' })
    const one = (
      await patchIn('notes', `${created.id}/`, { ...created, title: 'u', created_at: '1999-01-01T00:00:00Z' })
    ).body.data
    expect(one).toEqual({ ...created, title: 'u', updated_at: expect.stringMatching(/^20(2[1-9]|[3-9])/) })
    const two = (await patchIn('notes', `${created.id}/`, {})).body.data
    expect(two.updated_at > one.updated_at).toBe(true)
    expect((await patchIn('notes', `${created.id}/`, { updated_at: 'soon' })).status).toBe(400)
    const [three] = (await patchIn('notes', '', [{ id: created.id, title: 'v' }])).body.data
    expect(three.updated_at > two.updated_at).toBe(true)
  })

  it('replaces objects and arrays as a whole, and writes null as SQL NULL', async () => {
    const { id } = (await call('POST', shop.data('notes'), { title: 't', more: { a: 1 }, tags: [1] })).body
      .data
    expect((await patchIn('notes', `${id}/`, { more: { b: [null] }, tags: null })).body.data).toMatchObject({
      more: { b: [null] },
      tags: null,
    })
  })

  it('changes and restores a soft-deleted record only with include_deleted=true', async () => {
    expect((await patch('3/?include_deleted=false', { stock: 1 })).status).toBe(404)
    expect(await patch('3/?include_deleted=maybe', { stock: 1 })).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: { include_deleted: ['Must be true or false.'] },
        code: 'validation_failed',
      },
    })
    expect((await patch('3/?include_deleted=true', { stock: 1 })).body.data).toMatchObject({
      stock: 1,
      is_deleted: true,
    })
    expect((await patch('3/?include_deleted=true', { is_deleted: false })).body.data).toMatchObject({
      is_deleted: false,
    })
    expect((await call('GET', `${shop.data('products')}3/`)).status).toBe(200)
    expect((await patch('3/', { is_deleted: true })).body.data).toMatchObject({ is_deleted: true })
    expect((await call('GET', `${shop.data('products')}3/`)).status).toBe(404)
  })
})

describe('PATCH of many records', () => {
  it('returns 400 for a body that is not an array, and names the row and field of each error', () =>
    unchanged(async () => {
      expect((await patch('', { id: 1 })).body).toEqual({
        error: 'Validation failed',
        details: { non_field_errors: ['An array of records is required.'] },
        code: 'validation_failed',
      })
      const answer = await patch('', [
        { id: 1, stock: 1 },
        { stock: 2 },
        { id: null },
        7,
        { id: 2, price: -1, x: 1 },
        { id: 'two' },
      ])
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          error: 'Validation failed',
          details: {
            id: [
              'rows[1]: This field is required.',
              'rows[2]: This field may not be null.',
              'rows[5]: A whole number is required.',
            ],
            non_field_errors: ['rows[3]: A record must be an object.'],
            price: ['rows[4]: Ensure this value is greater than or equal to 0.'],
            x: ['rows[4]: Unknown field. Fields: id, sku, price, stock, maker_id, released_on, is_deleted.'],
          },
          code: 'validation_failed',
        },
      ])
    }))

  it('returns 400 if a record occurs twice', () =>
    unchanged(async () => {
      expect(
        (await patch('', [{ id: 1, stock: 1 }, { id: 2 }, { id: '1', stock: 2 }, { id: 77 }])).body,
      ).toEqual({
        error: 'Validation failed',
        details: { id: ['rows[2]: The same id as rows[0].'] },
        code: 'validation_failed',
      })
      await call('POST', shop.data('pairs'), [{ a: 'p', b: 1 }])
      expect(
        (
          await patchIn('pairs', '', [
            { a: 'p', b: 1 },
            { a: 'p', b: 1 },
          ])
        ).body.details,
      ).toEqual({ 'a,b': ['rows[1]: The same a, b as rows[0].'] })
    }))

  it('accepts id for a primary key of one field with another name', async () => {
    const rows = ['a', 'b,\\"c', 'd'].map(
      (code, index) => `{"code": "${code}", "size": 9007199254740993, "note": "${index}"}`,
    )
    expect((await app.request('POST', shop.data('named'), { token, body: `[${rows.join()}]` })).status).toBe(
      201,
    )
    const body =
      '[{"id": "a", "size": 9007199254740992.0}, {"note": "2", "id": "b,\\"c"}, {"code": "d", "note": "3"}]'
    const refused = async (text: string) =>
      (await app.request('PATCH', shop.data('named'), { token, body: text })).body
    expect(await refused('[{"id": "a", "code": "a"}, {"id": 1}, {"note": "x"}]')).toEqual({
      error: 'Validation failed',
      details: {
        id: ['rows[0]: Unknown field. Fields: code, size, note.'],
        code: ['rows[1]: A string is required.', 'rows[2]: This field is required.'],
      },
      code: 'validation_failed',
    })
    expect(await refused('[{"id": "a"}, {"code": "a"}]')).toEqual({
      error: 'Validation failed',
      details: { code: ['rows[1]: The same code as rows[0].'] },
      code: 'validation_failed',
    })
    expect(await refused('[{"id": "a"}, {"id": "z"}]')).toEqual({
      error: 'Record not found',
      detail: 'rows[1]: "named" has no record with the id "z".',
      code: 'record_not_found',
    })
    expect((await patchIn('pairs', '', [{ id: 'p', b: 1 }])).body.details.id).toEqual([
      'rows[0]: Unknown field. Fields: a, b, note.',
    ])
    const answer = await app.request('PATCH', shop.data('named'), { token, body })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: [
          { code: 'a', size: 9007199254740992, note: '0' },
          { code: 'b,"c', size: 9007199254740992, note: '2' },
          { code: 'd', size: 9007199254740992, note: '3' },
        ],
      },
    ])
    expect(
      await app.sql(`select code, size::text, note from ${shop.schema}.shop_named order by code`),
    ).toEqual([
      { code: 'a', size: '9007199254740992.0', note: '0' },
      { code: 'b,"c', size: '9007199254740993', note: '2' },
      { code: 'd', size: '9007199254740993', note: '3' },
    ])
  })

  it('returns 404 for an unknown or soft-deleted record, and changes nothing', () =>
    unchanged(async () => {
      const answer = await patch('', [
        { id: 1, stock: 50 },
        { id: 77, stock: 50 },
        { id: 2, stock: 50 },
      ])
      expect([answer.status, answer.body]).toEqual([
        404,
        {
          error: 'Record not found',
          detail: 'rows[1]: "products" has no record with the id "77".',
          code: 'record_not_found',
        },
      ])
      expect(
        (
          await patch('', [
            { id: 1, stock: 50 },
            { id: 3, stock: 50 },
          ])
        ).body.detail,
      ).toBe('rows[1]: "products" has no record with the id "3".')
    }))

  it('names the row that Postgres rejects: foreign key, unique, check', () =>
    unchanged(async () => {
      expect(
        (
          await patch('', [
            { id: 1, stock: 50 },
            { id: 2, maker_id: 99 },
          ])
        ).body,
      ).toEqual({
        error: 'Foreign key violation',
        detail: 'rows[1]: This maker_id references no record of "makers".',
        field: 'maker_id',
        code: 'reference_missing',
      })
      expect(
        (
          await patch('', [
            { id: 1, stock: 50 },
            { id: 2, sku: 'A-3' },
          ])
        ).body,
      ).toEqual({
        error: 'Duplicate value',
        detail: `rows[1]: ${heldByDeleted}`,
        field: 'sku',
        held_by: 'deleted',
        code: 'duplicate_value',
      })
      await app.request('POST', shop.data('fine'), { token, body: '[{"id": 10}, {"id": 11}, {"id": 12}]' })
      const body = '[{"id": 10, "n": 1}, {"id": 11}, {"id": 12, "n": 0.09999999999999999999999}]'
      expect((await app.request('PATCH', shop.data('fine'), { token, body })).body).toEqual({
        error: 'Validation failed',
        details: { n: ['rows[2]: Ensure this value is greater than or equal to 0.1.'] },
        code: 'validation_failed',
      })
      expect(
        (
          await app.request('POST', shop.data('fine'), {
            token,
            body: '[{"id": 20}, {"id": 21, "n": 0.09999999999999999999999}]',
          })
        ).body,
      ).toEqual({
        error: 'Validation failed',
        details: { n: ['rows[1]: Ensure this value is greater than or equal to 0.1.'] },
        code: 'validation_failed',
      })
    }))

  it('returns 413 for more than 10,000 records', async () => {
    expect(
      await patch(
        '',
        Array.from({ length: 10_001 }, () => ({})),
      ),
    ).toMatchObject({
      status: 413,
      body: { detail: 'A request may have at most 10000 records.', code: 'too_many_items' },
    })
  })

  it('returns 200 with the records in the order of the request, each with its own changes, in one round trip', async () => {
    const answer = await patch('', [
      { id: 2, stock: null },
      { id: 1, sku: 'B-1', price: 9 },
    ])
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: [
          { id: 2, sku: 'A-2', price: 2, stock: null, maker_id: null, released_on: null, is_deleted: false },
          {
            id: 1,
            sku: 'B-1',
            price: 9,
            stock: 3,
            maker_id: 1,
            released_on: '2026-01-31',
            is_deleted: false,
          },
        ],
      },
    ])
    expect(roundTrips(answer)).toBe('1')
    expect(answer.headers.get('etag')).toBeNull()
    expect(await rows('id, sku, stock, price')).toMatchObject([
      { id: '1', sku: 'B-1', stock: '3', price: '9' },
      { id: '2', sku: 'A-2', stock: null, price: '2' },
      { id: '3', sku: 'A-3' },
    ])
    expect((await patch('', [])).body).toEqual({ data: [] })
    expect((await patch('?include_deleted=true', [{ id: 3, is_deleted: false }])).body.data).toMatchObject([
      { id: 3, is_deleted: false },
    ])
  })
})
