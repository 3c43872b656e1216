/** Options of writes: query parameters, and operations instead of values. R8, R9. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import { addTables, type Shop } from '../../support/fixtures.ts'
import { hold, untilWaiting } from '../../support/locks.ts'
import { stateOf } from '../../support/state.ts'

const resources = [
  {
    name: 'goods',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'sku', type: 'string', constraints: { required: true, unique: true } },
        { name: 'stock', type: 'integer', default: 0, constraints: { minimum: 0, maximum: 1000 } },
        { name: 'price', type: 'number' },
        { name: 'about', type: 'object' },
        { name: 'part_of', type: 'integer' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      foreignKeys: [{ fields: 'part_of', reference: { resource: '', fields: 'id' } }],
    },
  },
  { name: 'notes', schema: { fields: [{ name: 'text', type: 'string' }] } },
]

let app: TestApp
let shop: Shop
let data: BothProviders['data']

beforeAll(async () => {
  const events = ['RECORD_CREATE', 'RECORD_UPDATE', 'RECORD_DELETE']
  ;({ app, shop, data } = await createInBothProviders('optional', resources, events))
})

const roundTrips = ({ headers }: { headers: Headers }) =>
  /desc="(\d+)"/.exec(headers.get('server-timing') ?? '')?.[1]
const query = (parameters: Record<string, unknown>) =>
  `?${new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )}`

describe.each(providers)('in a %s datasource', (provider) => {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(method, data[provider]('goods') + path, { token: shop.owner.token, body, headers })
  /** Returns the values of some fields, for all records. */
  const goods = async (...fields: string[]) => {
    const { body } = await call('GET', '?ordering=id&include_deleted=true')
    return body.data.map((record: Record<string, unknown>) => fields.map((field) => record[field]))
  }
  const events = () =>
    app.sql<{ event: string; n: number }>(
      `select event, sum(json_array_length(records::json))::int as n from tenant._deliveries group by event order by event`,
    )

  beforeEach(async () => {
    await call('DELETE', `${query({ filter: { id__gte: 0 } })}&hard_delete=true`)
    await call('POST', '', [
      { id: 1, sku: 'A-1', stock: 10, price: 1.5 },
      { id: 2, sku: 'A-2', stock: 20, about: { size: 1 } },
      { id: 3, sku: 'A-3', stock: 30 },
    ])
    await app.sql(`delete from tenant._deliveries`)
  })

  describe('a change by a filter', () => {
    it.each([
      [{ filter: '{' }, { filter: [expect.any(String)] }],
      [
        { filter: {} },
        { filter: ['A part of the filter has no condition, so it would match every record.'] },
      ],
      [
        { filter: { id: 1 }, expect: 'two' },
        { expect: ['Must be the number of records that the filter matches.'] },
      ],
      [{ filter: { id: 1 }, limit: '0' }, { limit: ['Must be a number from 1 to 10000.'] }],
      [{ filter: { id: 1 }, limit: '10001' }, { limit: ['Must be a number from 1 to 10000.'] }],
      [{ filter: { id: 1 }, limit: 'all' }, { limit: ['Must be a number from 1 to 10000.'] }],
      [
        { filter: { id: 1 }, limit: 1, expect: 1 },
        { limit: ['Not possible with expect, which counts all matches.'] },
      ],
      [{ filter: { id: 1 }, ordering: 'stock' }, { ordering: ['Only possible with limit.'] }],
      [
        { filter: { id: 1 }, limit: 1, ordering: 'nope' },
        { ordering: [expect.stringContaining('Unknown field or parameter "nope"')] },
      ],
      [{ filter: { nope: 1 } }, { filter: [expect.stringContaining('Unknown field or parameter "nope".')] }],
    ])('returns 400 for %j, and changes nothing', async (parameters, details) => {
      const answer = await call('PATCH', query(parameters), { stock: 1 })
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: 'Validation failed', details, code: 'validation_failed' },
      ])
      expect(await goods('stock')).toEqual([[10], [20], [30]])
    })

    it('returns 400 for an array, and for the primary key of another record', async () => {
      const filter = query({ filter: { id__lt: 3 } })
      expect(await call('PATCH', filter, [{ stock: 1 }])).toMatchObject({
        status: 400,
        body: { details: { non_field_errors: ['A record must be an object.'] } },
      })
      expect(await call('PATCH', filter, { id: 1, stock: 1 })).toMatchObject({
        status: 400,
        body: { details: { id: ['The primary key of a record cannot be changed.'] } },
      })
      expect(await goods('stock')).toEqual([[10], [20], [30]])
    })

    it('returns 412 if the filter does not match the expected number of records', async () => {
      const answer = await call('PATCH', query({ filter: { id__lt: 3 }, expect: 3 }), { stock: 1 })
      expect([answer.status, answer.body]).toEqual([
        412,
        {
          error: 'Precondition failed',
          detail: 'The filter matches 2 records, but expect is 3. Nothing was changed.',
          code: 'unexpected_count',
        },
      ])
      expect(await goods('stock')).toEqual([[10], [20], [30]])
    })

    it('changes all matching records in one round trip, and fires an event for each', async () => {
      const answer = await call('PATCH', query({ filter: { id__gt: 1 }, expect: 2 }), { stock: 7 })
      expect(answer).toMatchObject({
        status: 200,
        body: {
          data: [
            { id: 2, sku: 'A-2', stock: 7, about: { size: 1 } },
            { id: 3, sku: 'A-3', stock: 7 },
          ],
        },
      })
      expect(roundTrips(answer)).toBe('1')
      expect(await goods('stock')).toEqual([[10], [7], [7]])
      expect(await events()).toEqual([{ event: 'RECORD_UPDATE', n: 2 }])
      const [{ pairs } = { pairs: '' }] = await app.sql<{ pairs: string }>(
        `select json_build_array(records::json, previous::json)::text as pairs from tenant._deliveries`,
      )
      const [after, before] = JSON.parse(pairs) as { id: number; stock: number }[][]
      expect(after?.map(({ id, stock }) => [id, stock])).toEqual([
        [2, 7],
        [3, 7],
      ])
      expect(before?.map(({ id, stock }) => [id, stock])).toEqual([
        [2, 20],
        [3, 30],
      ])
    })

    it('ignores soft-deleted records unless they are included', async () => {
      await call('DELETE', '3/')
      const filter = { id__gt: 1 }
      expect((await call('PATCH', query({ filter, expect: 1 }), { stock: 7 })).status).toBe(200)
      expect(
        (await call('PATCH', query({ filter, expect: 2, include_deleted: true }), { stock: 8 })).status,
      ).toBe(200)
      expect(await goods('stock')).toEqual([[10], [8], [8]])
    })

    it('returns 400 for a limit or an expected number without a filter', async () => {
      const onlyWithFilter = ['Only possible with a filter.']
      expect(await call('PATCH', query({ limit: 1, expect: 1 }), [{ id: 1, stock: 1 }])).toMatchObject({
        status: 400,
        body: { details: { limit: onlyWithFilter, expect: onlyWithFilter } },
      })
      expect(await call('DELETE', query({ ids: '1', limit: 1, ordering: 'id' }))).toMatchObject({
        status: 400,
        body: { details: { limit: onlyWithFilter, ordering: onlyWithFilter } },
      })
      expect(await goods('stock')).toEqual([[10], [20], [30]])
    })

    it('with a limit writes the matching records with the lowest keys', async () => {
      const changed = await call('PATCH', query({ filter: { id__gt: 1 }, limit: 1 }), { stock: 7 })
      expect([changed.status, changed.body.data.map(({ id }: { id: number }) => id)]).toEqual([200, [2]])
      const many = await call('PATCH', query({ filter: { id__gt: 2 }, limit: 10_000 }), { stock: 8 })
      expect([many.status, many.body.data.map(({ id }: { id: number }) => id)]).toEqual([200, [3]])
      expect(await goods('stock')).toEqual([[10], [7], [8]])
      const deleted = await call('DELETE', query({ filter: { id__lt: 3 }, limit: 1, return: 'records' }))
      expect([deleted.status, deleted.body.deleted, deleted.body.data[0].id]).toEqual([200, 1, 1])
    })

    it('with an order writes the matching records that come first in it', async () => {
      const first = async (ordering: string, limit = 1) => {
        const { status, body } = await call(
          'PATCH',
          query({ filter: { id__gt: 0 }, limit, ordering, dry_run: true }),
          { price: 9 },
        )
        expect(status).toBe(200)
        return body.data.map(({ id }: { id: number }) => id)
      }
      await call('PATCH', '', [
        { id: 1, part_of: 3 },
        { id: 2, part_of: 1 },
      ])
      expect(await first('-stock')).toEqual([3])
      expect(await first('-stock', 2)).toEqual([3, 2])
      expect(await first('price.nullsfirst,-id')).toEqual([3])
      expect(await first('-part_of.stock')).toEqual([1])
      expect(await first('-about.size::integer')).toEqual([2])
      const deleted = await call(
        'DELETE',
        query({ filter: { id__lt: 3 }, limit: 1, ordering: '-stock', return: 'records' }),
      )
      expect([deleted.status, deleted.body.data.map(({ id }: { id: number }) => id)]).toEqual([200, [2]])
    })

    it('gives different records to concurrent callers who take from a queue', async () => {
      const jobs = Array.from({ length: 12 }, (_, index) => ({
        id: 100 + index,
        sku: `Q-${index}`,
        stock: index % 3,
      }))
      await call('POST', '', jobs)
      const take = () =>
        call('PATCH', query({ filter: { id__gte: 100, stock__lt: 50 }, limit: 1, ordering: '-stock,id' }), {
          stock: 50,
        })
      const taken = await Promise.all(jobs.map(take))
      const ids = taken.flatMap(({ body }) => body.data.map(({ id }: { id: number }) => id))
      expect(ids.toSorted((a, b) => a - b)).toEqual(jobs.map(({ id }) => id))
    })

    it('returns an empty list if nothing matches', async () => {
      const answer = await call('PATCH', query({ filter: { id: 99 } }), { stock: 7 })
      expect([answer.status, answer.body]).toEqual([200, { data: [] }])
    })

    it('that deletes records returns 412 unless their number is the expected one', async () => {
      expect((await call('DELETE', query({ filter: { id__gt: 1 }, expect: 1 }))).status).toBe(412)
      expect(await call('DELETE', `${query({ ids: '1', expect: 1 })}`)).toMatchObject({
        status: 400,
        body: { details: { expect: ['Only possible with a filter.'] } },
      })
      const answer = await call('DELETE', query({ filter: { id__gt: 1 }, expect: 2 }))
      expect([answer.status, answer.body]).toEqual([200, { deleted: 2 }])
    })
  })

  describe('the parameter return', () => {
    it('returns 400 if it is neither records nor minimal', async () => {
      expect(await call('POST', '?return=none', { sku: 'B-1' })).toMatchObject({
        status: 400,
        body: {
          error: 'Validation failed',
          details: { return: ['Must be records or minimal.'] },
          code: 'validation_failed',
        },
      })
    })

    it('as minimal returns only numbers, and the same events are fired', async () => {
      const type = 'application/json;profile=minimal'
      const answers = [
        await call('POST', '?return=minimal', [{ sku: 'B-1' }, { sku: 'B-2' }]),
        await call('POST', '?return=minimal', { sku: 'B-3' }),
        await call('PATCH', '1/?return=minimal', { stock: 1 }),
        await call('PUT', '1/?return=minimal', { sku: 'A-1' }),
        await call('PATCH', '?return=minimal', [
          { id: 1, stock: 2 },
          { id: 2, stock: 2 },
        ]),
        await call('PATCH', `${query({ filter: { id: 3 } })}&return=minimal`, { stock: 2 }),
        await call('POST', 'upsert/?unique_fields=sku&return=minimal', [{ sku: 'A-1' }, { sku: 'B-4' }]),
        await call('POST', '?return=minimal&_envelope=false', [], {
          accept: 'application/json;profile=array',
        }),
      ]
      expect(
        answers.map(({ status, text, headers }) => [
          status,
          text,
          headers.get('content-type'),
          headers.get('etag'),
        ]),
      ).toEqual([
        [201, '{"created_count":2}', type, null],
        [201, '{"created_count":1}', type, null],
        [200, '{"updated_count":1}', type, null],
        [200, '{"updated_count":1}', type, null],
        [200, '{"updated_count":2}', type, null],
        [200, '{"updated_count":1}', type, null],
        [201, '{"created":true,"created_count":1,"updated_count":1}', type, null],
        [201, '{"created_count":0}', type, null],
      ])
      expect(await events()).toEqual([
        { event: 'RECORD_CREATE', n: 4 },
        { event: 'RECORD_UPDATE', n: 6 },
      ])
    })

    it('as records returns the deleted records of a deletion', async () => {
      const one = await call('DELETE', '1/?return=records')
      expect(one).toMatchObject({ status: 200, body: { data: { id: 1, sku: 'A-1' } } })
      const many = await call('DELETE', `${query({ filter: { id__gt: 1 } })}&return=records`)
      expect(many).toMatchObject({ status: 200, body: { deleted: 2, data: [{ id: 2 }, { id: 3 }] } })
      await call('PATCH', query({ filter: { id__gt: 1 }, include_deleted: true }), { is_deleted: false })
      const named = await call('DELETE', '?ids=3,2&return=records&hard_delete=true')
      expect(named).toMatchObject({
        status: 200,
        body: { deleted: 2, ids: [3, 2], data: [{ id: 3 }, { id: 2 }] },
      })
      expect((await call('DELETE', '2/?return=records')).status).toBe(404)
    })
  })

  describe('on_conflict=ignore', () => {
    it('is the only value: another one returns 400', async () => {
      expect(await call('POST', '?on_conflict=update', { sku: 'A-1' })).toMatchObject({
        status: 400,
        body: {
          error: 'Validation failed',
          details: { on_conflict: ['Must be ignore.'] },
          code: 'validation_failed',
        },
      })
    })

    it('still rejects records with other errors, and creates nothing', async () => {
      for (const wrong of [
        { sku: 'B-1', stock: -1 },
        { sku: 'B-1', part_of: 99 },
      ])
        expect((await call('POST', '?on_conflict=ignore', [{ sku: 'B-2' }, wrong])).status).toBe(400)
      expect(await goods('id')).toEqual([[1], [2], [3]])
    })

    it('skips the records of an array whose unique values are taken, and returns their positions', async () => {
      await call('DELETE', '3/')
      const answer = await call('POST', '?on_conflict=ignore', [
        { sku: 'B-1' },
        { sku: 'A-1', stock: 99 },
        { id: 2, sku: 'B-2' },
        { id: 50, sku: 'B-3' },
        { id: 50, sku: 'B-4' },
        { id: 51, sku: 'B-1' },
        { sku: 'A-3' },
      ])
      expect(answer).toMatchObject({
        status: 201,
        body: {
          data: [
            { sku: 'B-1', stock: 0 },
            { id: 50, sku: 'B-3' },
          ],
          created_count: 2,
          ignored_count: 5,
          ignored: [1, 2, 4, 5, 6],
        },
      })
      expect(roundTrips(answer)).toBe('1')
      expect(await goods('sku')).toEqual(
        expect.arrayContaining([['A-1'], ['A-2'], ['A-3'], ['B-1'], ['B-3']]),
      )
      expect((await goods('stock'))[0]).toEqual([10])
      expect(await events()).toEqual([
        { event: 'RECORD_CREATE', n: 2 },
        { event: 'RECORD_DELETE', n: 1 },
      ])
    })

    it('skips only the taken one of two records that share one of their two unique values', async () => {
      const answer = await call('POST', '?on_conflict=ignore', [
        { id: 60, sku: 'A-1' },
        { id: 60, sku: 'B-1' },
      ])
      expect(answer).toMatchObject({ status: 201, body: { data: [{ id: 60, sku: 'B-1' }], ignored: [0] } })
    })

    it('returns 200 if nothing was created', async () => {
      const one = await call('POST', '?on_conflict=ignore', { sku: 'A-1' })
      expect([one.status, one.body, one.headers.get('etag')]).toEqual([
        200,
        { data: [], created_count: 0, ignored_count: 1, ignored: [0] },
        null,
      ])
      const none = await call('POST', '?on_conflict=ignore&return=minimal', [{ sku: 'A-1' }])
      expect([none.status, none.body]).toEqual([200, { created_count: 0, ignored_count: 1, ignored: [0] }])
      const created = await call('POST', '?on_conflict=ignore', { sku: 'B-1' })
      expect(created).toMatchObject({
        status: 201,
        body: { data: { sku: 'B-1' }, created_count: 1, ignored_count: 0, ignored: [] },
      })
      expect(created.headers.get('etag')).toMatch(/^".+"$/)
    })
  })

  describe('an operation instead of a value', () => {
    const integer = '"$add" needs a field of the type integer or number.'
    it.each([
      [{ stock: { $inc: 1 } }, { stock: ['Unknown operation "$inc". Operations: $add, $multiply.'] }],
      [{ stock: { $add: 1, $multiply: 2 } }, { stock: ['An operation has one member.'] }],
      [{ stock: { $add: 1.5 } }, { stock: ['A whole number is required.'] }],
      [{ stock: { $add: 'x' } }, { stock: ['A whole number is required.'] }],
      [{ stock: { $add: null } }, { stock: ['"$add" needs a number.'] }],
      [{ sku: { $add: 1 } }, { sku: [integer] }],
      [
        { part_of: { $add: 1 } },
        { part_of: ['"$add" is not possible in a field of a primary key or a foreign key.'] },
      ],
      [{ stock: { add: 1 } }, { stock: ['A whole number is required.'] }],
    ])('returns 400 if it is invalid: %j', async (change, details) => {
      const answer = await call('PATCH', '1/', change)
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: 'Validation failed', details, code: 'validation_failed' },
      ])
      expect((await call('PATCH', '', [{ id: 1, ...change }])).status).toBe(400)
    })

    it('returns 400 without a current value: in creations, replacements and upserts', async () => {
      const body = { sku: 'A-1', stock: { $add: 1 } }
      const details = { stock: ['An operation such as {"$add": 1} is only possible in a change (PATCH).'] }
      for (const [method, path] of [
        ['POST', ''],
        ['PUT', '1/'],
        ['POST', 'upsert/?unique_fields=sku'],
      ] as const) {
        const answer = await call(method, path, body)
        expect([answer.status, answer.body]).toEqual([
          400,
          { error: 'Validation failed', details, code: 'validation_failed' },
        ])
      }
    })

    it('returns 400 if its result violates a constraint of the field', async () => {
      const tooLow = await call('PATCH', '1/', { stock: { $add: -11 } })
      expect([tooLow.status, tooLow.body]).toEqual([
        400,
        {
          error: 'Validation failed',
          details: { stock: ['The value violates the rule "minimum".'] },
          code: 'validation_failed',
        },
      ])
      const tooHigh = await call('PATCH', '', [
        { id: 1, stock: { $add: 1 } },
        { id: 3, stock: { $multiply: 40 } },
      ])
      expect([tooHigh.status, tooHigh.body.details]).toEqual([
        400,
        { stock: ['The value violates the rule "maximum".'] },
      ])
      expect(await goods('stock')).toEqual([[10], [20], [30]])
    })

    it('returns 400 with the field if its result is out of range', async () => {
      const beyond = { $add: '9223372036854775807' }
      const details = { stock: ['The result is out of the range of the field.'] }
      for (const [path, change] of [
        ['1/', { stock: beyond }],
        [
          '',
          [
            { id: 3, sku: 'C-1' },
            { id: 1, stock: beyond },
          ],
        ],
        [`?filter=${encodeURIComponent('{"id":1}')}`, { stock: beyond }],
      ] as const) {
        const answer = await call('PATCH', path, change)
        expect([path, answer.status, answer.body]).toEqual([
          path,
          400,
          { error: 'Validation failed', details, code: 'validation_failed' },
        ])
      }
      const which = 'The result of this or of another operation is out of the range of the field.'
      const both = await call('PATCH', '1/', { stock: beyond, price: { $multiply: 2 } })
      expect([both.status, both.body.details]).toEqual([400, { stock: [which], price: [which] }])
      expect(await goods('stock')).toEqual([[10], [20], [30]])
    })

    it('computes from the current value of the record', async () => {
      const one = await call('PATCH', '1/', { stock: { $add: -3 }, price: { $multiply: 0.1 } })
      expect(one).toMatchObject({ status: 200, body: { data: { stock: 7, price: 0.15 } } })
      const many = await call('PATCH', '', [
        { id: 1, stock: { $add: 1 } },
        { id: 2, stock: 5 },
        { id: 3, stock: { $multiply: 2 }, price: 4 },
      ])
      expect(many).toMatchObject({
        status: 200,
        body: { data: [{ stock: 8 }, { stock: 5 }, { stock: 60, price: 4 }] },
      })
      await call('PATCH', query({ filter: { id__gte: 0 } }), { stock: { $add: 100 } })
      expect(await goods('stock', 'price')).toEqual([
        [108, 0.15],
        [105, null],
        [160, 4],
      ])
    })

    it('leaves null unchanged', async () => {
      expect((await call('PATCH', '2/', { price: { $add: 1 } })).body.data.price).toBe(null)
    })

    it('keeps every digit', async () => {
      await call('PATCH', '1/', { price: 0.1 })
      const answer = await call('PATCH', '1/', '{"price": {"$add": 12345678901234567890.123456789}}')
      expect(answer.text).toContain('"price":12345678901234567890.223456789')
    })

    it('is stored as data in a field of type object', async () => {
      const about = { $add: 1 }
      expect((await call('PATCH', '1/', { about })).body.data.about).toEqual(about)
      expect((await call('POST', '', { sku: 'B-1', about })).body.data.about).toEqual(about)
    })

    it('of many concurrent requests adds up: no operation is lost', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call('PATCH', '1/', { stock: { $add: -1 } })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array(10).fill(200),
        ...Array(10).fill(400),
      ])
      expect((await goods('stock'))[0]).toEqual([0])
    })
  })

  describe('dry_run=true', () => {
    it('returns 400 for a value other than true and false, and writes nothing', async () => {
      const before = await stateOf(app)
      for (const [method, path, body] of [
        ['POST', '', { sku: 'B-1' }],
        ['PATCH', '1/', { stock: 1 }],
        ['DELETE', '1/', undefined],
        ['DELETE', '', undefined],
      ] as const)
        expect(await call(method, `${path}?dry_run=yes${path || body ? '' : '&ids=1'}`, body)).toMatchObject({
          status: 400,
          body: { details: { dry_run: ['Must be true or false.'] } },
        })
      expect(await stateOf(app)).toEqual(before)
    })

    it('returns the same error as the write, and writes nothing', async () => {
      const before = await stateOf(app)
      const refused: [status: number, method: string, path: string, body?: unknown][] = [
        [400, 'POST', '', { sku: 'B-1', stock: -1 }],
        [409, 'POST', '', [{ sku: 'B-1' }, { sku: 'A-1' }]],
        [400, 'POST', '', { sku: 'B-1', part_of: 99 }],
        [404, 'PATCH', '99/', { stock: 1 }],
        [400, 'PATCH', '1/', { stock: { $add: -11 } }],
        [
          404,
          'PATCH',
          '',
          [
            { id: 1, stock: 1 },
            { id: 99, stock: 1 },
          ],
        ],
        [404, 'DELETE', '99/'],
      ]
      for (const [status, method, path, body] of refused) {
        const [dry, real] = [await call(method, `${path}?dry_run=true`, body), await call(method, path, body)]
        expect([dry.status, dry.body]).toEqual([status, real.body])
      }
      expect(await stateOf(app)).toEqual(before)
    })

    it('returns what would be written, in one round trip; it writes nothing, fires no event and keeps no answer', async () => {
      const before = await stateOf(app)
      const dry = async (method: string, path: string, body?: unknown) => {
        const separator = path.includes('?') ? '&' : '?'
        const answer = await call(method, `${path}${separator}dry_run=true`, body, {
          'idempotency-key': 'dry',
        })
        expect([answer.status, roundTrips(answer), answer.headers.get('etag')]).toEqual([200, '1', null])
        return answer.body
      }
      const record = (fields: object) => expect.objectContaining(fields)
      const mark = { dry_run: true }
      expect(await dry('POST', '', { id: 70, sku: 'B-1' })).toEqual({
        data: record({ sku: 'B-1', stock: 0 }),
        ...mark,
      })
      expect(await dry('POST', '?return=minimal', [{ id: 70, sku: 'B-1' }])).toEqual({
        created_count: 1,
        ...mark,
      })
      expect(await dry('PATCH', '1/', { stock: { $add: 1 } })).toEqual({
        data: record({ stock: 11 }),
        ...mark,
      })
      expect(await dry('PUT', '1/', { sku: 'A-9' })).toEqual({
        data: record({ sku: 'A-9', stock: 0 }),
        ...mark,
      })
      expect(await dry('PATCH', '', [{ id: 1, stock: 1 }])).toEqual({ data: [record({ stock: 1 })], ...mark })
      expect(await dry('PATCH', query({ filter: { id__gt: 1 } }), { stock: 1 })).toEqual({
        data: [record({ id: 2, stock: 1 }), record({ id: 3, stock: 1 })],
        ...mark,
      })
      expect(await dry('POST', 'upsert/?unique_fields=id', { id: 1, sku: 'A-8' })).toEqual({
        data: record({ sku: 'A-8' }),
        created: false,
        created_count: 0,
        updated_count: 1,
        ...mark,
      })
      expect(await dry('DELETE', '1/')).toEqual({ deleted: 1, ...mark })
      expect(await dry('DELETE', '1/?return=records')).toEqual({ data: record({ id: 1 }), ...mark })
      expect(await dry('DELETE', '?ids=1,2&hard_delete=true')).toEqual({ deleted: 2, ids: [1, 2], ...mark })
      expect(await stateOf(app)).toEqual(before)
    })
  })
})

describe('dry_run=true for edges', () => {
  it('returns what would be written or rejected, and writes nothing', async () => {
    await addTables(app, shop, [
      {
        name: 'people',
        schema: { primaryKey: 'id', fields: [{ name: 'id', type: 'integer' }], hierarchy: true },
      },
    ])
    const call = (method: string, path: string, body: unknown) =>
      app.request(method, `${shop.api}/apps/shop/datatables/people/${path}`, {
        token: shop.owner.token,
        body,
      })
    await call('POST', 'data/', [{ id: 1 }, { id: 2 }, { id: 3 }])
    const made = await call('POST', 'edges/', [{ from_id: 1, to_id: 2, type: 'parent' }])
    const { id } = made.body.results[0]
    const before = await stateOf(app)
    expect(
      await call('POST', 'edges/?dry_run=true', [{ from_id: 2, to_id: 3, type: 'parent' }]),
    ).toMatchObject({
      status: 200,
      body: { total: 1, dry_run: true },
    })
    expect(
      (await call('POST', 'edges/?dry_run=true', [{ from_id: 2, to_id: 1, type: 'parent' }])).status,
    ).toBe(422)
    expect(
      await call('PATCH', `edges/${id}/?dry_run=true`, { from_id: 1, to_id: 3, type: 'parent' }),
    ).toMatchObject({
      status: 200,
      body: { data: { id, to_id: 3 }, dry_run: true },
    })
    expect((await call('DELETE', 'edges/?dry_run=true', { edge_ids: [id] })).body).toEqual({
      deleted: 1,
      message: '1 edge was deleted.',
      dry_run: true,
    })
    expect(await stateOf(app)).toEqual(before)
  })
})

describe('a change by a filter', () => {
  it('waits for a concurrent change of a matching record, and applies its filter again when that is rolled back', async () => {
    const call = (path: string, body: unknown) =>
      app.request('PATCH', shop.data('goods') + path, { token: shop.owner.token, body })
    await app.sql(`delete from ${shop.schema}.shop_goods`)
    await app.request('POST', shop.data('goods'), {
      token: shop.owner.token,
      body: [{ id: 1, sku: 'A-1', stock: 1 }],
    })
    const release = await hold(app, `update ${shop.schema}.shop_goods set stock = 5 where id = 1`)
    const asking = call(query({ filter: { stock: 1 }, expect: 1 }), { stock: 2 })
    await untilWaiting(app)
    await release()
    expect((await asking).status).toBe(200)
  })
})
