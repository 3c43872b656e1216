/**
 * `atomic=false` skips the invalid records of an array, and returns for each one the error of a single
 * request. R9.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insist, type TestApp } from '../../support/app.ts'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import type { Shop } from '../../support/fixtures.ts'
import { stateOf } from '../../support/state.ts'
import { timeLimit } from '../../support/time-limit.ts'

const resources = [
  {
    name: 'goods',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'sku', type: 'string', constraints: { required: true, unique: true } },
        { name: 'stock', type: 'integer', default: 0, constraints: { minimum: 0 } },
        { name: 'price', type: 'number' },
        { name: 'part_of', type: 'integer' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      foreignKeys: [{ fields: 'part_of', reference: { resource: '', fields: 'id' } }],
    },
  },
]

let app: TestApp
let shop: Shop
let data: BothProviders['data']

beforeAll(async () => {
  ;({ app, shop, data } = await createInBothProviders('partial', resources, ['RECORD_CREATE']))
})

const duplicate = {
  error: 'Duplicate value',
  detail: 'A record with this sku already exists.',
  field: 'sku',
  code: 'duplicate_value',
}
const tooLow = {
  error: 'Validation failed',
  details: { stock: ['Ensure this value is greater than or equal to 0.'] },
  code: 'validation_failed',
}

describe.each(providers)('atomic=false in a %s datasource', (provider) => {
  const call = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.request(method, data[provider]('goods') + path, { token: shop.owner.token, body, headers })
  const goods = async (...fields: string[]) => {
    const { body } = await call('GET', '?ordering=id&page_size=1000', undefined)
    return body.data.map((record: Record<string, unknown>) => fields.map((field) => record[field]))
  }

  beforeEach(async () => {
    await call('DELETE', `?filter=${encodeURIComponent('{"id__gte":0}')}&hard_delete=true`, undefined)
    await call('POST', '', [
      { id: 1, sku: 'A-1', stock: 10 },
      { id: 2, sku: 'A-2', stock: 20 },
    ])
    await app.sql(`delete from tenant._deliveries`)
  })

  it('returns at most a thousand messages, but one for each record that fails', async () => {
    const members = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`colour_${n}`, 'red']))
    const { status, body } = await call('POST', '?atomic=false', Array(20).fill({ sku: 'B-1', ...members }))
    const counts = body.failed.map(({ details }: { details: object }) => Object.keys(details).length)
    expect([status, counts]).toEqual([207, [...Array(11).fill(90), 22, ...Array(8).fill(1)]])
  })

  it('returns 400 for a single record or a wrong value and 413 for more than 1,000 records, and writes nothing', async () => {
    const before = await stateOf(app)
    const one = await call('POST', '?atomic=false', { sku: 'B-1' })
    expect([one.status, one.body]).toEqual([
      400,
      {
        error: 'Validation failed',
        details: { atomic: ['Only possible with an array of records.'] },
        code: 'validation_failed',
      },
    ])
    const byFilter = await call('PATCH', '?atomic=false&filter={"stock":10}', { stock: 11 })
    expect([byFilter.status, byFilter.body]).toEqual([one.status, one.body])
    expect(await call('POST', '?atomic=no', [{ sku: 'B-1' }])).toMatchObject({
      status: 400,
      body: { details: { atomic: ['Must be true or false.'] } },
    })
    const many = await call(
      'POST',
      '?atomic=false',
      Array.from({ length: 1001 }, (_, n) => ({ sku: `C-${n}` })),
    )
    expect([many.status, many.body]).toEqual([
      413,
      { detail: 'With atomic=false, a request may have at most 1000 records.', code: 'too_many_items' },
    ])
    expect(await stateOf(app)).toEqual(before)
  })

  it.each(['False', '0'])('takes %s for false, as every boolean of a query string', async (text) => {
    const { status, body } = await call('POST', `?atomic=${text}`, [{ sku: 'B-1' }, { sku: 'A-1' }])
    expect([status, body.failed]).toEqual([207, [{ index: 1, status: 409, ...duplicate }]])
  })

  it('creates the good records in one round trip, finds in another who holds values, and fires events only for good ones', async () => {
    const answer = await call('POST', '?atomic=false', [
      { id: 10, sku: 'B-1', part_of: 1 },
      { sku: 'A-1' },
      { id: 11, sku: 'B-2', stock: -1 },
      { id: 12, sku: 'B-3', part_of: 99 },
      { id: 13, sku: 'B-4', part_of: 10 },
      'text',
      { id: 14, sku: 'B-4' },
      { id: 15, sku: 'B-5' },
    ])
    expect(answer.status).toBe(207)
    expect(/desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]).toBe('2')
    expect(answer.body).toEqual({
      data: [
        expect.objectContaining({ id: 10, sku: 'B-1', part_of: 1 }),
        expect.objectContaining({ id: 13, sku: 'B-4', part_of: 10 }),
        expect.objectContaining({ id: 15, sku: 'B-5' }),
      ],
      created_count: 3,
      failed_count: 5,
      failed: [
        { index: 1, status: 409, ...duplicate },
        { index: 2, status: 400, ...tooLow },
        {
          index: 3,
          status: 400,
          error: 'Foreign key violation',
          detail: 'This part_of references no record of "goods".',
          field: 'part_of',
          code: 'reference_missing',
        },
        {
          index: 5,
          status: 400,
          error: 'Validation failed',
          details: { non_field_errors: ['A record must be an object.'] },
          code: 'validation_failed',
        },
        { index: 6, status: 409, ...duplicate },
      ],
    })
    expect(await goods('sku')).toEqual([['A-1'], ['A-2'], ['B-1'], ['B-4'], ['B-5']])
    expect(
      await app.sql(`select sum(json_array_length(records::json))::int as n from tenant._deliveries`),
    ).toEqual([{ n: 3 }])
  })

  it('changes the good records, and returns the errors of unknown records, low results and missing references', async () => {
    const answer = await call('PATCH', '?atomic=false', [
      { id: 1, stock: { $add: -11 } },
      { id: 2, stock: { $add: -1 } },
      { id: 99, stock: 1 },
      { stock: 1 },
      { id: 2, stock: { $add: -2 } },
      { id: 1, part_of: 98 },
      { id: 1, stock: { $add: '9223372036854775807' } },
    ])
    expect([answer.status, answer.body]).toMatchObject([
      207,
      {
        data: [
          { id: 2, stock: 19 },
          { id: 2, stock: 17 },
        ],
        updated_count: 2,
        failed_count: 5,
        failed: [
          { index: 0, status: 400, details: { stock: ['The value violates the rule "minimum".'] } },
          {
            index: 2,
            status: 404,
            error: 'Record not found',
            detail: '"goods" has no record with the id "99".',
            code: 'record_not_found',
          },
          { index: 3, status: 400, details: { id: ['This field is required.'] } },
          { index: 5, status: 400, error: 'Foreign key violation', code: 'reference_missing' },
          { index: 6, status: 400, details: { stock: ['The result is out of the range of the field.'] } },
        ],
      },
    ])
    expect(await goods('stock')).toEqual([[10], [17]])
  })

  it('upserts the good records, and counts the created and the changed ones', async () => {
    const answer = await call('POST', 'upsert/?unique_fields=id&atomic=false', [
      { id: 1, stock: 1 },
      { id: 5, sku: 'B-1' },
      { id: 6 },
      { id: 2, sku: 'A-1' },
    ])
    expect([answer.status, answer.body]).toMatchObject([
      207,
      {
        data: [
          { id: 1, stock: 1 },
          { id: 5, sku: 'B-1' },
        ],
        created: true,
        created_count: 1,
        updated_count: 1,
        failed: [
          { index: 2, status: 400, details: { sku: ['This field is required.'] } },
          { index: 3, status: 409, field: 'sku', held_by: 'request', code: 'duplicate_value' },
        ],
      },
    ])
  })

  it('works together with on_conflict, return, dry_run and an Idempotency-Key', async () => {
    const body = [{ sku: 'B-1', stock: -1 }, { sku: 'B-2' }, { sku: 'A-1' }, { sku: 'B-3', part_of: 99 }]
    const before = await stateOf(app)
    const dry = await call('POST', '?atomic=false&dry_run=true', body)
    expect([dry.status, dry.body]).toMatchObject([207, { created_count: 1, failed_count: 3, dry_run: true }])
    const all = await call('POST', '?atomic=false&dry_run=true&return=minimal', body.slice(0, 1))
    expect([all.status, all.body]).toMatchObject([207, { created_count: 0, failed_count: 1, dry_run: true }])
    expect(await stateOf(app)).toEqual(before)
    const ask = () =>
      call('POST', '?atomic=false&on_conflict=ignore&return=minimal', body, {
        'idempotency-key': `k ${provider}`.replace(' ', '-'),
      })
    const first = await ask()
    expect([first.status, first.headers.get('content-type'), first.body]).toEqual([
      207,
      'application/json;profile=minimal',
      {
        created_count: 1,
        ignored_count: 1,
        ignored: [2],
        failed_count: 2,
        failed: [
          { index: 0, status: 400, ...tooLow },
          {
            index: 3,
            status: 400,
            error: 'Foreign key violation',
            detail: expect.any(String),
            field: 'part_of',
            code: 'reference_missing',
          },
        ],
      },
    ])
    const second = await ask()
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
  })

  it('keeps every digit of the records that are written', async () => {
    const answer = await call(
      'POST',
      '?atomic=false',
      '[{"sku": 1}, {"sku": "B-1", "price": 12345678901234567890.123456789}]',
    )
    expect(answer.text).toContain('12345678901234567890.123456789')
  })

  it('returns 1,000 errors of taken values within the time of a write', async () => {
    const body = Array.from({ length: 1000 }, (_, n) => ({ sku: `C-${n}`, stock: n }))
    await call('POST', '', body)
    let started = 0
    // On a slow machine, the service may take Postgres, which is busy with this request, for unreachable.
    const answer = await insist(() => {
      started = Date.now()
      return call('POST', '?atomic=false', body)
    })
    expect([answer.status, answer.body.failed_count, answer.body.data]).toEqual([207, 1000, []])
    expect(Date.now() - started).toBeLessThan(await timeLimit(10_000))
  })
})
