/** Writes whose body is CSV or JSON lines. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'

let app: TestApp
let shop: Shop

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'

const send = (
  type: string,
  method: string,
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) =>
  app.request(method, path, { token: shop.owner.token, headers: { 'content-type': type, ...headers }, body })
const post = (type: string, body: string, query = '') =>
  send(type, 'POST', `${shop.data('products')}?${query}`, body)
const read = async (query: string) =>
  (await app.request('GET', `${shop.data('products')}?${query}&ordering=id`, { token: shop.owner.token }))
    .body.data
const invalid = (details: object) => ({ error: 'Validation failed', details, code: 'validation_failed' })
const fields = 'Unknown field. Fields: id, sku, price, stock, maker_id, released_on, is_deleted.'

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'lines')
})

describe('an invalid body of CSV or JSON lines', () => {
  it.each([
    [
      csv,
      '',
      {
        detail: 'The body is not valid CSV: line 1, column 1: The first line must contain the field names.',
        code: 'malformed_body',
      },
    ],
    [
      csv,
      'sku,price\r\nA-1,1\r\n"A-2,2\r\n',
      {
        detail: 'The body is not valid CSV: line 3, column 1: A quote is not closed.',
        code: 'malformed_body',
      },
    ],
    [
      csv,
      'sku,price\nA-1,1,2\n',
      invalid({ non_field_errors: ['line 2: The row has 3 values, but there are 2 columns.'] }),
    ],
    [
      csv,
      'sku,colour,,sku\nA-1,red,1,2\n',
      invalid({
        colour: [`line 1, column 2: ${fields}`],
        non_field_errors: ['line 1, column 3: The column has no name.'],
        sku: ['line 1, column 4: The column occurs twice.'],
      }),
    ],
    [
      csv,
      'price,sku,stock,released_on\n-1,A-1,1.5,\n"x","a\nb",5,2020-02-30\n,,,\n',
      invalid({
        price: ['line 2, column 1: Must be at least 0.', 'line 3, column 1: A number is required.'].map(
          (message) => expect.stringContaining(message.slice(0, 18)),
        ),
        stock: ['line 2, column 3: A whole number is required.'],
        sku: [expect.stringMatching(/^line 3, column 2: /), 'line 5, column 2: This field may not be null.'],
        released_on: ['line 3, column 4: A date is required, for example 2026-01-31.'],
      }),
    ],
    [csv, 'price\n1\n', invalid({ sku: ['line 2: This field is required.'] })],
    [
      ndjson,
      '{"sku":"A-1"}\n\n{"sku":}\n',
      {
        detail: "The body is not valid JSON: line 3, column 8: Unexpected token '}'.",
        code: 'malformed_body',
      },
    ],
    [
      ndjson,
      '{"sku":"A-1"},{"sku":"A-2"}\n',
      {
        detail: expect.stringMatching(/^The body is not valid JSON: line 1, column 14: /),
        code: 'malformed_body',
      },
    ],
    [
      ndjson,
      '{"sku":',
      {
        detail: expect.stringMatching(/^The body is not valid JSON: line 1, column 8: /),
        code: 'malformed_body',
      },
    ],
    [
      ndjson,
      '{"sku":"A-1"}\n{"sku":"A-2","sku":"A-3"}\n',
      {
        detail: 'The body is not valid JSON: line 2: The name "sku" is repeated in one object.',
        code: 'malformed_body',
      },
    ],
    [
      ndjson,
      '{"sku":"A-1"}\n[1]\n{"sku":"A-1","colour":1}\n',
      invalid({ non_field_errors: ['line 2: A record must be an object.'], colour: [`line 3: ${fields}`] }),
    ],
  ])('returns 400 for %s %j', async (type, body, answer) => {
    const { status, body: got } = await post(type, body)
    expect([status, got]).toEqual([400, answer])
  })

  it('returns 400 for bytes that are not UTF-8', async () => {
    const { status, body } = await send(csv, 'POST', shop.data('products'), new Uint8Array([0x73, 0xff]))
    expect([status, body]).toEqual([400, { detail: 'The body is not valid UTF-8.', code: 'malformed_body' }])
  })

  it('returns 409 with the line of a taken value, and 400 with the line of a repeated one', async () => {
    await post(csv, 'sku\nTAKEN-1\n')
    expect(await post(csv, 'id,sku\n901,NEW-1\n902,TAKEN-1\n')).toMatchObject({
      status: 409,
      body: {
        detail: 'line 3, column 2: A record with this sku already exists.',
        field: 'sku',
        code: 'duplicate_value',
      },
    })
    const upsert = `${shop.data('products')}upsert/?unique_fields=sku`
    expect(await send(ndjson, 'POST', upsert, '{"sku":"B-1"}\n{"sku":"B-1"}')).toMatchObject({
      status: 400,
      body: { details: { sku: ['line 2: The same sku as line 1.'] } },
    })
  })

  it('returns 413 for too many rows, and for rows that are too long as JSON', async () => {
    expect(await post(csv, `sku\n${'A-1\n'.repeat(10_001)}`)).toMatchObject({
      status: 413,
      body: { detail: 'A request may have at most 10000 records.', code: 'too_many_items' },
    })
    // JSON writes each control character as six characters.
    const many = `sku\n${`${'\u0001'.repeat(1_000)}\n`.repeat(2_000)}`
    expect(await post(csv, many)).toMatchObject({
      status: 413,
      body: {
        detail: 'The records have more than 10485760 bytes as JSON. Send fewer in a request.',
        code: 'body_too_large',
      },
    })
  })

  it('returns 415 with the possible types, also for operations that accept no lines', async () => {
    expect(await post('text/plain', 'sku')).toMatchObject({
      status: 415,
      body: {
        detail: 'The body must be application/json, text/csv or application/x-ndjson.',
        code: 'unsupported_media_type',
      },
    })
    expect(await send(csv, 'PATCH', `${shop.data('products')}1/`, 'sku\nA-1')).toMatchObject({
      status: 415,
      body: { detail: 'The body must be application/json.', code: 'unsupported_media_type' },
    })
    expect((await send(csv, 'POST', `${shop.api}/apps/`, 'name\nx')).status).toBe(415)
  })

  it('returns 400 as the change of a filter', async () => {
    const path = `${shop.data('products')}?filter=${encodeURIComponent('{"sku":"A-1"}')}`
    expect(await send(csv, 'PATCH', path, 'price\n1\n')).toMatchObject({
      status: 400,
      body: invalid({ non_field_errors: ['A record must be an object.'] }),
    })
  })
})

describe('random text as a body', () => {
  it('is written or returns 400, and never causes a 5xx', async () => {
    const part = fc.constantFrom(
      ...[
        'id',
        'sku',
        'price',
        'stock',
        '__proto__',
        'constructor',
        'A-1',
        '1',
        '1e999',
        'null',
        '""',
        '"',
        ',',
        ',',
        '\n',
      ],
      ...[
        '\n',
        '\r\n',
        '\r',
        '{',
        '}',
        '{"sku":',
        '"A-7"',
        '[',
        ']',
        ':',
        '\u0000',
        '\ud800',
        ' ',
        'sku,price\n',
        '{"id":1}\n',
      ],
    )
    const body = fc.array(part, { maxLength: 25 }).map((parts) => parts.join(''))
    const property = fc.asyncProperty(fc.constantFrom(csv, ndjson), body, async (type, text) => {
      const { status } = await post(type, text, 'dry_run=true')
      expect([200, 400]).toContain(status)
    })
    await fc.assert(property, { numRuns: runs(100, 3_000) })
  })
})

describe('a body of CSV', () => {
  it('creates records, with values that have the types of their fields', async () => {
    const { status, body } = await post(
      'text/csv; charset=utf-8',
      '\uFEFFid,sku,price,released_on,is_deleted\r\n' +
        '11,"C-11",12.50,2026-01-31,TRUE\r\n' +
        '12,C-12,,,false\r\n\r\n',
    )
    expect([status, body]).toEqual([
      201,
      {
        data: [
          {
            id: 11,
            sku: 'C-11',
            price: 12.5,
            stock: 0,
            maker_id: null,
            released_on: '2026-01-31',
            is_deleted: true,
          },
          {
            id: 12,
            sku: 'C-12',
            price: null,
            stock: 0,
            maker_id: null,
            released_on: null,
            is_deleted: false,
          },
        ],
      },
    ])
  })

  it('with one row returns an array, and without rows creates nothing', async () => {
    expect((await post(csv, 'id,sku\n13,C-13')).body.data).toHaveLength(1)
    expect((await post(csv, 'id,sku\n')).body).toEqual({ data: [] })
  })

  it('changes records, with id as their key', async () => {
    await post(csv, 'id,sku\n14,C-14\n15,C-15\n')
    const { status, body } = await send(csv, 'PATCH', shop.data('products'), 'id,price\n14,1\n15,\n')
    expect([status, body.data.map(({ id, price }: Record<string, unknown>) => [id, price])]).toEqual([
      200,
      [
        [14, 1],
        [15, null],
      ],
    ])
    expect(await send(csv, 'PATCH', shop.data('products'), 'id,price\n14,2\n999,1\n')).toMatchObject({
      status: 404,
      body: { detail: 'line 3: "products" has no record with the id "999".', code: 'record_not_found' },
    })
  })

  it('upserts records', async () => {
    const path = `${shop.data('products')}upsert/?unique_fields=sku`
    expect(await send(csv, 'POST', path, 'sku,price\nC-14,3\nC-16,4\n')).toMatchObject({
      status: 201,
      body: { created_count: 1, updated_count: 1 },
    })
  })

  it('with atomic=false keeps the good rows and names the lines of the others', async () => {
    const { status, body } = await post(csv, 'id,sku\n21,C-21\n22,bad\n23,C-21\n', 'atomic=false')
    expect([status, body]).toEqual([
      207,
      expect.objectContaining({
        created_count: 1,
        failed_count: 2,
        failed: [
          expect.objectContaining({ index: 1, line: 3, status: 400 }),
          expect.objectContaining({ index: 2, line: 4, status: 409 }),
        ],
      }),
    ])
  })

  it('accepts on_conflict, dry_run and return', async () => {
    expect((await post(csv, 'id,sku\n24,C-21\n25,C-25\n', 'on_conflict=ignore')).body).toMatchObject({
      created_count: 1,
      ignored: [0],
    })
    expect(await post(csv, 'id,sku\n26,C-26\n', 'dry_run=true')).toMatchObject({
      status: 200,
      body: { data: [{ id: 26 }], dry_run: true },
    })
    expect((await post(csv, 'id,sku\n26,C-26\n', 'return=minimal')).body).toEqual({ created_count: 1 })
    expect(await read('id=26')).toMatchObject([{ sku: 'C-26' }])
  })

  it('is written once with an Idempotency-Key', async () => {
    const once = () =>
      send(csv, 'POST', shop.data('products'), 'id,sku\n31,C-31\n', { 'idempotency-key': 'lines-1' })
    const [first, second] = [await once(), await once()]
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      'true',
    ])
    expect(second.body).toEqual(first.body)
  })
})

describe('a body of JSON lines', () => {
  it('creates records, and keeps every digit', async () => {
    const { status, body } = await post(
      ndjson,
      '{"id":41,"sku":"N-41","price":1.50}\r\n\n{"id":42,"sku":"N-42"}',
    )
    expect([status, body.data.map(({ id }: { id: number }) => id)]).toEqual([201, [41, 42]])
    const { text } = await app.request('GET', `${shop.data('products')}41/`, { token: shop.owner.token })
    expect(text).toMatch(/"price":1\.50,/)
  })

  it('accepts operations in changes', async () => {
    const { body } = await send(ndjson, 'PATCH', shop.data('products'), '{"id":41,"stock":{"$add":5}}\n')
    expect(body.data[0].stock).toBe(5)
  })
})
