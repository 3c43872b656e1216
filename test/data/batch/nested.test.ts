/** Records with related records inside them are created together, in one transaction and one round trip. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import { stateOf } from '../../support/state.ts'
import { resources, tables } from './orders.ts'

let world: BothProviders

beforeAll(async () => {
  world = await createInBothProviders('nested', resources, ['RECORD_CREATE'])
})

const roundTrips = ({ headers }: { headers: Headers }) =>
  /desc="(\d+)"/.exec(headers.get('server-timing') ?? '')?.[1]
const invalid = (details: object) => ({ error: 'Validation failed', details, code: 'validation_failed' })

describe.each(providers)('in a %s datasource, a record with related records', (provider) => {
  const slug = provider === 'flat_table' ? 'shop' : 'papers'
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    world.app.request(
      method,
      world.data[provider](path.split(/[/?]/)[0] ?? '') + path.replace(/^\w+\/?/, ''),
      {
        token: world.shop.owner.token,
        headers,
        ...(body === undefined ? {} : { body }),
      },
    )
  const create = (table: string, body: unknown, headers: Record<string, string> = {}) =>
    call('POST', table, body, headers)
  const records = async (path: string) => (await call('GET', path)).body.data
  const events = () =>
    world.app.sql<{ datatable: string; n: number }>(
      `select datatable, sum(json_array_length(records::json))::int as n
         from tenant._deliveries where app_slug = '${slug}' group by 1 order by 1`,
    )

  beforeEach(async () => {
    for (const table of tables) await world.app.sql(`delete from ${world.shop.schema}.${slug}_${table}`)
    await world.app.sql(`delete from tenant._deliveries`)
  })

  describe('is refused and changes nothing', () => {
    const refused = async (path: string, body: unknown, status: number, expected: unknown) => {
      await create('customers', { id: 1, name: 'Ada' })
      const before = await stateOf(world.app)
      const answer = await create(path, body)
      expect([answer.status, answer.body]).toEqual([status, expected])
      expect(await stateOf(world.app)).toEqual(before)
    }
    const deep = { notes: [{ text: 'a' }] }

    it.each([
      ['an object instead of an array', { lines: {} }, { lines: ['Must be an array of new records.'] }],
      ['a number instead of an array', { lines: 5 }, { lines: ['Must be an array of new records.'] }],
      ['an array instead of one record', { customer: [] }, { customer: ['Must be a new record.'] }],
      ['a number instead of one record', { customer: 1 }, { customer: ['Must be a new record.'] }],
      [
        'a record that is not an object',
        { lines: [{ place: 1, pieces: 1 }, 7, null] },
        {
          'lines[1]': ['A record must be an object.'],
          'lines[2]': ['A record must be an object.'],
        },
      ],
      [
        'invalid values and unknown members, together with those of the record itself',
        {
          total: 'x',
          lines: [{ place: 1, pieces: 1 }, { place: 'b', pieces: 0, price: 1 }, {}],
          customer: { name: null, lines: [] },
        },
        {
          'customer.name': ['This field may not be null.'],
          'customer.lines': ['Unknown field. Fields: id, name, is_deleted.'],
          total: ['A number is required.'],
          'lines[1].place': ['A whole number is required.'],
          'lines[1].pieces': ['Ensure this value is greater than or equal to 1.'],
          'lines[1].price': ['Unknown field. Fields: order_id, place, pieces, good.'],
          'lines[2].place': ['This field is required.'],
          'lines[2].pieces': ['This field is required.'],
        },
      ],
      [
        'a value that the surrounding record provides',
        { lines: [{ place: 1, pieces: 1, order_id: 5 }] },
        { 'lines[0].order_id': ['The surrounding record provides this value. Omit it.'] },
      ],
      [
        'a related record together with its key',
        { customer_id: 1, customer: { name: 'Bob' } },
        { customer: ['"customer_id" has a value already. Leave one of the two out.'] },
      ],
      [
        'a related record that would replace the surrounding record',
        { lines: [{ place: 1, pieces: 1, order: { total: 1 } }] },
        { 'lines[0].order': ['"order_id" has a value already. Leave one of the two out.'] },
      ],
      [
        'records behind a junction table',
        { tags: [{ name: 'new' }] },
        { tags: ['A table stands between. Send its records: "taggings": [{"tag": {…}}].'] },
      ],
      [
        'a reference, which is only possible in a batch',
        { lines: [{ place: { $: 'r0.id' }, pieces: { $add: 1 } }] },
        {
          'lines[0].place': ['A reference is only possible in a batch.'],
          'lines[0].pieces': ['An operation such as {"$add": 1} is only possible in a change (PATCH).'],
        },
      ],
    ])('for %s', (_, body, details) => refused('orders', body, 400, invalid(details)))

    it('for more than three levels', () =>
      refused(
        'customers',
        { name: 'Bob', orders: [{ lines: [{ place: 1, pieces: 1, notes: [{ text: 'a', line: deep }] }] }] },
        400,
        invalid({
          'orders[0].lines[0].notes[0].line': [expect.any(String)],
        }),
      ))

    it('for more than 1,000 records in total', () =>
      refused(
        'orders',
        Array(500)
          .fill({ customer: { name: 'a' }, about: {} })
          .concat({}),
        413,
        {
          detail: 'Together with related records, a request may have at most 1000 records.',
          code: 'too_many_items',
        },
      ))

    it('for wrong records of an array, and its messages name the row', () =>
      refused(
        'orders',
        [
          { total: 1 },
          {
            total: 'x',
            lines: [
              { place: 1, pieces: 1 },
              { place: 2, pieces: 0 },
            ],
          },
        ],
        400,
        invalid({
          total: ['rows[1]: A number is required.'],
          'lines[1].pieces': ['rows[1]: Ensure this value is greater than or equal to 1.'],
        }),
      ))

    it('for an array with a member that is not a record', () =>
      refused(
        'orders',
        [{ lines: [] }, 3],
        400,
        invalid({ non_field_errors: ['rows[1]: A record must be an object.'] }),
      ))

    it.each([
      [
        'a value that is taken',
        { customer: { name: 'Ada' } },
        409,
        {
          error: 'Duplicate value',
          detail: 'customer: A record with this name already exists.',
          field: 'customer.name',
          code: 'duplicate_value',
        },
      ],
      [
        'a key that is repeated',
        { lines: [1, 2, 1].map((place) => ({ place, pieces: 1 })) },
        409,
        {
          error: 'Duplicate value',
          detail: 'lines[2]: A record with this order_id, place already exists.',
          field: 'lines[2].order_id,lines[2].place',
          code: 'duplicate_value',
        },
      ],
      [
        'a key that is repeated in a record of an array',
        [{}, { lines: [1, 1].map((place) => ({ place, pieces: 1 })) }],
        409,
        {
          error: 'Duplicate value',
          detail: 'rows[1].lines[1]: A record with this order_id, place already exists.',
          field: 'lines[1].order_id,lines[1].place',
          code: 'duplicate_value',
        },
      ],
      [
        'a reference to no record',
        {
          lines: [
            { place: 1, pieces: 1 },
            { place: 2, pieces: 1, good: 'x' },
          ],
        },
        400,
        {
          error: 'Foreign key violation',
          detail: 'lines[1]: This good references no record of "goods".',
          field: 'lines[1].good',
          code: 'reference_missing',
        },
      ],
      [
        'a reference to no record in the record itself',
        { customer_id: 99, lines: [{ place: 1, pieces: 1 }] },
        400,
        {
          error: 'Foreign key violation',
          detail: 'This customer_id references no record of "customers".',
          field: 'customer_id',
          code: 'reference_missing',
        },
      ],
    ])('for %s', (_, body, status, expected) => refused('orders', body, status, expected))

    it.each([
      ['atomic=false', { atomic: ['Not possible with related records.'] }],
      ['on_conflict=ignore', { on_conflict: ['Not possible with related records.'] }],
    ])('for related records with %s', (query, details) =>
      refused(`orders?${query}`, [{ lines: [] }], 400, invalid(details)),
    )
  })

  it('is created in one round trip: an order with its customer, lines and their notes, with one event for each', async () => {
    await create('customers', { name: 'first' })
    await world.app.sql(`delete from tenant._deliveries`)
    const answer = await create('orders', {
      about: { lines: [{ $: 'r0.id' }] },
      customer: { name: 'Ada' },
      lines: [
        { place: 1, pieces: 2, notes: [{ text: 'a' }, { text: 'b' }] },
        { place: 2, pieces: 1, good: { code: 'x', price: 2.5 }, notes: [] },
        { place: 3, pieces: 4, notes: [{ text: 'c' }] },
      ],
    })
    const { id, customer_id } = answer.body.data ?? {}
    expect([answer.status, answer.body, roundTrips(answer)]).toEqual([
      201,
      {
        data: {
          id: expect.any(Number),
          customer_id: expect.any(Number),
          total: 0,
          about: { lines: [{ $: 'r0.id' }] },
        },
      },
      '1',
    ])
    const got = await call('GET', `orders/${id}/`)
    expect(got.headers.get('etag')).toBe(answer.headers.get('etag'))
    expect(await records('customers?name=Ada')).toEqual([{ id: customer_id, name: 'Ada', is_deleted: false }])
    expect(await records('goods')).toEqual([{ code: 'x', price: 2.5 }])
    expect(await records('lines?ordering=place')).toEqual([
      { order_id: id, place: 1, pieces: 2, good: null },
      { order_id: id, place: 2, pieces: 1, good: 'x' },
      { order_id: id, place: 3, pieces: 4, good: null },
    ])
    expect(await records('notes?ordering=id&fields=order_id,place,text')).toEqual([
      { order_id: id, place: 1, text: 'a' },
      { order_id: id, place: 1, text: 'b' },
      { order_id: id, place: 3, text: 'c' },
    ])
    expect(await events()).toEqual([
      { datatable: 'customers', n: 1 },
      { datatable: 'goods', n: 1 },
      { datatable: 'lines', n: 3 },
      { datatable: 'notes', n: 3 },
      { datatable: 'orders', n: 1 },
    ])
  })

  it('is created in an array; the answer has the records in order, each with its own related records', async () => {
    const body = Array.from({ length: 20 }, (_, total) => ({
      total,
      customer: { name: `c${total}` },
      lines: Array.from({ length: total % 4 }, (_one, place) => ({ place, pieces: total + 1 })),
    }))
    const answer = await create('orders', body)
    expect([answer.status, roundTrips(answer), answer.headers.get('etag')]).toEqual([201, '1', null])
    const shown = await records('orders?populate=customer,lines&ordering=total&limit=100')
    expect(answer.body.data).toEqual(
      shown.map(({ lines: _, customer, ...order }: Record<string, { id: number }>) => ({
        ...order,
        customer_id: customer?.id,
        customer: undefined,
      })),
    )
    type Shown = { total: number; customer: { name: string }; lines: { place: number; pieces: number }[] }
    expect(
      shown.map(({ total, customer: { name }, lines }: Shown) => ({
        total,
        customer: { name },
        lines: lines.map(({ place, pieces }) => ({ place, pieces })),
      })),
    ).toEqual(body)
  })

  it('is created as a tree of a table that references itself, from the root and from a leaf', async () => {
    const down = await create('nodes', {
      name: 'a',
      nodes: [{ name: 'b', nodes: [{ name: 'c' }, { name: 'd' }] }, { name: 'e' }],
    })
    const up = await create('nodes', [
      { name: 'f', above: { name: 'g', above: { name: 'h' } } },
      { name: 'i' },
    ])
    expect([down.status, roundTrips(down), up.status, roundTrips(up)]).toEqual([201, '1', 201, '1'])
    expect([down.body.data.name, up.body.data.map(({ name }: { name: string }) => name)]).toEqual([
      'a',
      ['f', 'i'],
    ])
    const all = await records('nodes?populate=above&limit=100')
    const names = all.map(({ name, above }: { name: string; above: { name: string } | null }) => [
      name,
      above?.name ?? null,
    ])
    expect(Object.fromEntries(names)).toEqual({
      ...{ a: null, b: 'a', c: 'b', d: 'b', e: 'a' },
      ...{ f: 'g', g: 'h', h: null, i: null },
    })
  })

  it('may have null for no record, [] for no records, and records of a junction table', async () => {
    const answer = await create('orders', {
      customer: null,
      lines: [],
      taggings: [{ tag: { name: 'new' } }, { tag: { name: 'urgent' } }],
    })
    expect([answer.status, answer.body.data.customer_id]).toEqual([201, null])
    const [shown] = await records('orders?populate=tags')
    expect(shown.tags.map(({ name }: { name: string }) => name)).toEqual(['new', 'urgent'])
  })

  it('is returned with the related records that `populate` names, in the same round trip', async () => {
    const order = (total: number) => ({
      total,
      customer: { name: `c${total}` },
      lines: [1, 2].map((place) => ({ place, pieces: total, notes: [{ text: `n${place}` }] })),
    })
    const shown = (total: number) => ({
      id: expect.any(Number),
      customer_id: expect.any(Number),
      total,
      about: null,
      customer: { id: expect.any(Number), name: `c${total}`, is_deleted: false },
      lines: [1, 2].map((place) => ({
        order_id: expect.any(Number),
        place,
        pieces: total,
        good: null,
        notes: [{ id: expect.any(Number), order_id: expect.any(Number), place, text: `n${place}` }],
      })),
    })
    const populate = 'populate=customer,lines.notes'
    const one = await create(`orders?${populate}`, order(1))
    expect([one.status, one.body, roundTrips(one)]).toEqual([201, { data: shown(1) }, '1'])
    const { headers } = await call('GET', `orders/${one.body.data.id}/`)
    expect(one.headers.get('etag')).toBe(headers.get('etag'))
    const many = await create(`orders?${populate}`, [order(2), order(3)])
    expect([many.status, many.body]).toEqual([201, { data: [shown(2), shown(3)] }])
    const question = encodeURIComponent('{"lines": {"filters": {"place__gt": 1}, "count": true}}')
    const asked = await create(`orders?populate=${question}&dry_run=true`, order(4))
    expect([asked.status, asked.body.data]).toMatchObject([
      200,
      { lines: [{ place: 2 }], _count: { lines: 1 } },
    ])
    const plain = await create('lines?populate=order', { order_id: one.body.data.id, place: 3, pieces: 1 })
    expect([plain.status, plain.body.data]).toMatchObject([201, { place: 3, order: { total: 1 } }])
    for (const [query, messages] of [
      ['populate=nothing', [expect.stringContaining('nothing')]],
      ['populate=lines&return=minimal', ['Not possible with return=minimal.']],
      [
        `populate=${encodeURIComponent('{"lines": {"filters": {"good__matches": "("}}}')}`,
        [expect.any(String)],
      ],
    ] as const) {
      const answer = await create(`orders?${query}`, order(5))
      expect([answer.status, answer.body]).toEqual([400, invalid({ populate: messages })])
    }
  })

  it('can be a line of JSON lines; messages name the line', async () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const lines = (pieces: number) => `{"total": 1}\n{"lines": [{"place": 1, "pieces": ${pieces}}]}\n`
    const wrong = await create('orders', lines(0), headers)
    expect([wrong.status, wrong.body.details]).toEqual([
      400,
      { 'lines[0].pieces': ['line 2: Ensure this value is greater than or equal to 1.'] },
    ])
    expect((await create('orders', lines(1), headers)).status).toBe(201)
    expect(await records('lines')).toHaveLength(1)
  })

  it('keeps every digit of a number', async () => {
    const total = JSON.rawJSON('0.10000000000000000001')
    const { text } = await create('orders', {
      total,
      lines: [{ place: 1, pieces: 1, good: { code: 'x', price: total } }],
    })
    expect(text).toContain('"total":0.10000000000000000001')
    expect((await call('GET', 'goods/x/')).text).toContain('"price":0.10000000000000000001')
  })

  it('returns the number of all records with return=minimal, and is not written with dry_run=true', async () => {
    const body = { customer: { name: 'Ada' }, lines: [{ place: 1, pieces: 1 }] }
    const before = await stateOf(world.app)
    const dry = await create('orders?dry_run=true', body)
    expect([dry.status, dry.body]).toEqual([
      200,
      {
        data: { id: expect.any(Number), customer_id: expect.any(Number), total: 0, about: null },
        dry_run: true,
      },
    ])
    expect((await create('orders?dry_run=true', { ...body, lines: [{ place: 1, pieces: 0 }] })).status).toBe(
      400,
    )
    expect(await stateOf(world.app)).toEqual(before)
    const minimal = await create('orders?return=minimal', body)
    expect([minimal.status, minimal.body, minimal.headers.get('content-type')]).toEqual([
      201,
      { created_count: 3 },
      'application/json;profile=minimal',
    ])
  })

  it('is created once with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = [{ customer: { name: 'Ada' }, lines: [{ place: 1, pieces: 1 }] }]
    const first = await create('orders', body, headers)
    const second = await create('orders', body, headers)
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await records('lines')).toHaveLength(1)
    const wrong = { 'idempotency-key': crypto.randomUUID() }
    const refusals = [await create('orders', body, wrong), await create('orders', body, wrong)]
    expect(refusals.map(({ status, text }) => [status, text])).toEqual(
      Array(2).fill([409, expect.stringContaining('rows[0].customer: A record with this name')]),
    )
  })
})
