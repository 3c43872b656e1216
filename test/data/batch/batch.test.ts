/** Batches: operations on several tables, in one transaction and one round trip. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { createEventful, type Eventful, noop } from '../../support/events.ts'
import { addDocuments, addTables, type Shop } from '../../support/fixtures.ts'
import { stateOf } from '../../support/state.ts'

const resources = [
  {
    name: 'buyers',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'email', type: 'string', constraints: { required: true, unique: true } },
        { name: 'about', type: 'object' },
        { name: 'is_deleted', type: 'boolean' },
      ],
    },
  },
  {
    name: 'orders',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'buyer_id', type: 'integer' },
        { name: 'email', type: 'string' },
        { name: 'total', type: 'number', default: 0 },
      ],
      foreignKeys: [{ fields: 'buyer_id', reference: { resource: 'buyers', fields: 'id' } }],
    },
  },
  {
    name: 'lines',
    schema: {
      primaryKey: ['order_id', 'place'],
      fields: [
        { name: 'order_id', type: 'integer' },
        { name: 'place', type: 'integer' },
        { name: 'pieces', type: 'integer', constraints: { minimum: 1, required: true } },
        { name: 'about', type: 'object' },
      ],
      foreignKeys: [{ fields: 'order_id', reference: { resource: 'orders', fields: 'id' } }],
    },
  },
  {
    name: 'places',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      graph: {
        enabled: true,
        types: [{ name: 'near', inverse: 'near_of', constraints: { max_outgoing: 2 } }],
      },
    },
  },
]

let eventful: Eventful
let app: TestApp
let shop: Shop

beforeAll(async () => {
  eventful = await createEventful('batched')
  ;({ app, shop } = eventful)
  await addTables(app, shop, resources)
  await addDocuments(app, shop, resources)
  for (const slug of ['shop', 'papers']) {
    const { body } = await eventful.owner.post(`/apps/${slug}/functions/`, { name: `heard ${slug}`, ...noop })
    for (const event of ['RECORD_CREATE', 'RECORD_UPDATE', 'RECORD_DELETE'])
      await eventful.subscribe(event, body.id)
  }
})

const roundTrips = ({ headers }: { headers: Headers }) =>
  /desc="(\d+)"/.exec(headers.get('server-timing') ?? '')?.[1]

describe.each([
  ['flat_table', 'shop'],
  ['jsonb', 'papers'],
])('in a %s datasource, a batch', (_provider, slug) => {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(method, `${shop.api}/apps/${slug}${path}`, { token: shop.owner.token, body, headers })
  const batch = (operations: unknown, query = '', headers: Record<string, string> = {}) =>
    call('POST', `/batch/${query}`, operations, headers)
  const records = async (table: string) =>
    (await call('GET', `/datatables/${table}/data/?limit=1000&include_deleted=true`)).body.data
  const events = () =>
    app.sql<{ event: string; datatable: string; n: number }>(
      `select event, datatable, sum(json_array_length(records::json))::int as n
         from tenant._deliveries where app_slug = '${slug}' group by 1, 2 order by 1, 2`,
    )

  beforeEach(async () => {
    for (const table of ['lines', 'orders', 'buyers', 'places'])
      await app.sql(`delete from ${shop.schema}.${slug}_${table}`)
    await app.sql(`delete from tenant._deliveries`)
  })

  /** Creates records that refused batches must not change. */
  const fill = async () => {
    await batch([
      { op: 'upsert', table: 'buyers', unique_fields: ['id'], data: { id: 1, email: 'a@b.c' } },
      { op: 'create', table: 'orders', data: { id: 1, buyer_id: 1, total: 10 } },
      { op: 'create', table: 'lines', data: { order_id: 1, place: 1, pieces: 5 } },
      { op: 'create', table: 'places', data: { id: 1, name: 'here' } },
      { op: 'create', table: 'places', data: { id: 2, name: 'there' } },
    ])
    await app.sql(`delete from tenant._deliveries`)
  }
  const line = (place: number, more: object = {}) => ({
    op: 'create',
    table: 'lines',
    data: { order_id: { $: 'o.id' }, place, pieces: 1, ...more },
  })
  const order = { op: 'create', table: 'orders', data: { buyer_id: 1 }, as: 'o' }
  const invalid = (details: object) => ({ error: 'Validation failed', details, code: 'validation_failed' })

  describe('is refused and changes nothing', () => {
    const refused = async (operations: unknown, status: number, body: unknown) => {
      await fill()
      const before = await stateOf(app)
      const answer = await batch(operations)
      expect([answer.status, answer.body]).toEqual([status, body])
      expect(await stateOf(app)).toEqual(before)
    }

    it.each([[{}], [[]], [1]])('for a body that is not an array of operations: %j', (body) =>
      refused(body, 400, invalid({ non_field_errors: ['An array of at least one operation is required.'] })),
    )

    it('for malformed operations, and reports all problems at once', () =>
      refused(
        [
          7,
          { op: 'replace' },
          { op: 'create', table: '', date: {}, as: '1' },
          { op: 'delete', table: 'orders', id: [null], hard_delete: 1 },
          { op: 'upsert', table: 'orders', unique_fields: 'id', data: [], as: 'o' },
          { op: 'create', table: 'orders', data: {}, as: 'o' },
        ],
        400,
        invalid({
          non_field_errors: ['operations[0]: An operation must be an object.'],
          op: ['operations[1]: Must be one of: create, update, upsert, delete, create_edge, delete_edge.'],
          data: ['operations[2]: "create" needs this member.', 'operations[4]: Must be an object.'],
          table: ['operations[2]: Must be a text.'],
          date: ['operations[2]: Unknown member. Members of "create": op, table, data, as.'],
          as: [
            'operations[2]: Must be a name: letters, digits and underscores, at most 63.',
            'operations[5]: An earlier operation has this name.',
          ],
          id: [
            'operations[3]: Must be the key of a record, an array of the values of a composite key, ' +
              'or {"$": "name.field"}.',
          ],
          hard_delete: ['operations[3]: Must be true or false.'],
          unique_fields: ['operations[4]: Must be an array of names of fields.'],
        }),
      ))

    it('for more than 1,000 operations', () =>
      refused(Array(1001).fill(order), 413, {
        detail: 'A batch may have at most 1000 operations.',
        code: 'too_many_items',
      }))

    it('for references to unknown operations or fields, or to a value of another type', () =>
      refused(
        [
          { ...line(1), as: 'early' },
          order,
          line(2, { order_id: { $: 'nobody.id' } }),
          line(3, { order_id: { $: 'o.nothing' } }),
          line(4, { order_id: { $: 'o.email' } }),
          line(5, { order_id: { $: 'o.id', more: 1 } }),
          { op: 'update', table: 'lines', id: { $: 'early.place' }, data: {} },
        ].slice(0, 6),
        400,
        invalid({
          order_id: [
            'operations[0]: No earlier operation has the name "o". Names: none.',
            'operations[2]: No earlier operation has the name "nobody". Names: early, o.',
            'operations[3]: "orders" has no field "nothing". Fields: id, buyer_id, email, total.',
            'operations[4]: "email" is of the type string, but integer is required.',
            'operations[5]: A reference has one member: {"$": "name.field"}.',
          ],
        }),
      ))

    it('for a reference to a key of several fields', () =>
      refused(
        [{ ...order }, { op: 'delete', table: 'lines', id: { $: 'o.id' } }],
        400,
        invalid({ id: ['operations[1]: Must be an array of the values of order_id, place.'] }),
      ))

    it.each([
      [
        { op: 'create', table: 'nope', data: {} },
        404,
        {
          detail: 'operations[1]: Not found.',
          hint: `operations[1]: There is no table "nope" in the app "${slug}".`,
          code: 'not_found',
        },
      ],
      [
        { op: 'update', table: 'orders', id: 99, data: {} },
        404,
        {
          error: 'Record not found',
          detail: 'operations[1]: "orders" has no record with the id "99".',
          code: 'record_not_found',
        },
      ],
      [
        { op: 'update', table: 'orders', id: 'x', data: {} },
        404,
        {
          error: 'Record not found',
          detail: 'operations[1]: "orders" has no record with the id "x".',
          code: 'record_not_found',
        },
      ],
      [
        { op: 'update', table: 'orders', id: 1, data: { id: 2 } },
        400,
        invalid({ id: ['operations[1]: The primary key of a record cannot be changed.'] }),
      ],
      [
        { op: 'update', table: 'lines', id: '1,1', data: { pieces: { $add: -5 } } },
        400,
        invalid({ pieces: ['operations[1]: The value violates the rule "minimum".'] }),
      ],
      [
        { op: 'update', table: 'lines', id: '1,1', data: { pieces: { $add: '9223372036854775807' } } },
        400,
        invalid({ pieces: ['operations[1]: The result is out of the range of the field.'] }),
      ],
      [
        { op: 'update', table: 'orders', id: 1, data: { total: 1 }, if_match: '"other"' },
        412,
        {
          error: 'Precondition failed',
          detail: 'operations[1]: The ETag of the record "1" of "orders" does not match If-Match.',
          code: 'changed_meanwhile',
        },
      ],
      [
        { op: 'upsert', table: 'buyers', unique_fields: ['about'], data: {} },
        400,
        invalid({
          unique_fields: [
            'operations[1]: No primary key, unique constraint or unconditional unique index covers exactly about.',
          ],
        }),
      ],
      [
        { op: 'create', table: 'buyers', data: { email: 'a@b.c' } },
        409,
        {
          error: 'Duplicate value',
          detail: 'operations[1]: A record with this email already exists.',
          field: 'email',
          code: 'duplicate_value',
        },
      ],
      [
        { op: 'delete', table: 'lines', id: '1,2' },
        404,
        {
          error: 'Record not found',
          detail: 'operations[1]: "lines" has no record with the id "1,2".',
          code: 'record_not_found',
        },
      ],
      [
        { op: 'delete', table: 'orders', id: 1 },
        403,
        {
          error: 'Cannot delete record',
          detail: 'operations[1]: Records of "lines" reference the record whose id is 1.',
          code: 'still_referenced',
        },
      ],
      [
        { op: 'create_edge', table: 'orders', data: {} },
        422,
        {
          error: 'Datatable has no graph',
          detail:
            'operations[1]: "orders" has no edges: its schema has neither hierarchy nor an enabled graph.',
          code: 'no_graph',
        },
      ],
      [
        { op: 'create_edge', table: 'places', data: { from_id: 1, to_id: 9, type: 'near' } },
        400,
        invalid({ to_id: ['operations[1]: "places" has no record with the id 9.'] }),
      ],
      [
        { op: 'delete_edge', table: 'places', id: crypto.randomUUID() },
        404,
        {
          error: 'Edge not found',
          detail: expect.stringMatching(/^operations\[1\]: "places" has no edge/),
          code: 'edge_not_found',
        },
      ],
    ])('if the second operation is %j', (operation, status, body) =>
      refused([{ op: 'update', table: 'orders', id: 1, data: { total: 9 } }, operation], status, body),
    )

    it('if one of several deletions by one statement has an id that cannot be one', () =>
      refused(
        [1, 'x'].map((id) => ({ op: 'delete', table: 'orders', id })),
        404,
        {
          error: 'Record not found',
          detail: 'operations[1]: "orders" has no record with the id "x".',
          code: 'record_not_found',
        },
      ))

    it.each([
      [
        'is invalid',
        { pieces: 0 },
        400,
        invalid({ pieces: ['operations[150]: Ensure this value is greater than or equal to 1.'] }),
      ],
      [
        'has a key that is taken',
        { place: 3 },
        409,
        {
          error: 'Duplicate value',
          detail: 'operations[150]: A record with this order_id, place already exists.',
          field: 'order_id,place',
          code: 'duplicate_value',
        },
      ],
      [
        'references no record',
        { order_id: 77 },
        400,
        {
          error: 'Foreign key violation',
          detail: 'operations[150]: This order_id references no record of "orders".',
          field: 'order_id',
          code: 'reference_missing',
        },
      ],
    ])('if line 150 of an order %s', (_, wrong, status, body) =>
      refused(
        [order, ...Array.from({ length: 199 }, (_one, place) => line(place, place === 149 ? wrong : {}))],
        status,
        body,
      ),
    )

    it('if one of several edges breaks a rule', () =>
      refused(
        [1, 2].map(() => ({
          op: 'create_edge',
          table: 'places',
          data: { from_id: 1, to_id: 2, type: 'near' },
        })),
        409,
        {
          error: 'Duplicate value',
          detail: 'operations[1]: An edge with this from_id, to_id and type already exists.',
          field: 'from_id,to_id,type',
          code: 'duplicate_value',
        },
      ))
  })

  it('creates an order with its lines in one round trip, each record with one event', async () => {
    const lines = Array.from({ length: 200 }, (_, place) => line(place, { about: { $: 'o.id' } }))
    const operations = [
      { op: 'create', table: 'buyers', data: { email: 'a@b.c' }, as: 'b' },
      { op: 'create', table: 'orders', data: { buyer_id: { $: 'b.id' }, email: { $: 'b.email' } }, as: 'o' },
      ...lines,
    ]
    const answer = await batch(operations)
    expect([answer.status, answer.body.data.length, roundTrips(answer)]).toEqual([200, 202, '1'])
    const [buyer, made, ...others] = answer.body.data
    expect(made).toEqual({
      status: 201,
      data: { id: expect.any(Number), buyer_id: buyer.data.id, email: 'a@b.c', total: 0 },
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    })
    // In a field of type object, a reference is stored as data.
    expect(others.map(({ data }: { data: unknown }) => data)).toEqual(
      lines.map(({ data }) => ({ ...data, order_id: made.data.id })),
    )
    expect(await records('lines')).toEqual(others.map(({ data }: { data: unknown }) => data))
    expect(await events()).toEqual([
      { event: 'RECORD_CREATE', datatable: 'buyers', n: 1 },
      { event: 'RECORD_CREATE', datatable: 'lines', n: 200 },
      { event: 'RECORD_CREATE', datatable: 'orders', n: 1 },
    ])
  })

  const every = [
    { op: 'create', table: 'buyers', data: { id: 5, email: 'x@y.z' }, as: 'b' },
    { op: 'update', table: 'buyers', id: { $: 'b.id' }, data: { about: { a: 1 } }, as: 'c' },
    { op: 'upsert', table: 'buyers', unique_fields: ['email'], data: { email: { $: 'c.email' }, about: {} } },
    { op: 'upsert', table: 'buyers', unique_fields: ['email'], data: { email: 'new' }, as: 'n' },
    { op: 'create', table: 'places', data: { id: 8, name: 'p' }, as: 'p' },
    { op: 'create', table: 'places', data: { name: 'q' }, as: 'q' },
    { op: 'create_edge', table: 'places', data: { from: { $: 'p.id' }, to_id: { $: 'q.id' }, type: 'near' } },
    { op: 'delete', table: 'buyers', id: { $: 'n.id' }, hard_delete: true },
    { op: 'delete', table: 'places', id: 8 },
  ]
  const buyer = (id: number, more: object) => ({
    id,
    email: 'x@y.z',
    about: null,
    is_deleted: false,
    ...more,
  })

  it('executes every kind of operation, and returns one result for each', async () => {
    const answer = await batch(every)
    const etag = expect.any(String)
    const n = answer.body.data?.[3].data.id
    expect([answer.status, answer.body, roundTrips(answer)]).toEqual([
      200,
      {
        data: [
          { status: 201, data: buyer(5, {}), etag },
          { status: 200, data: buyer(5, { about: { a: 1 } }), etag },
          { status: 200, data: buyer(5, { about: {} }), etag },
          { status: 201, data: buyer(n, { email: 'new' }), etag },
          { status: 201, data: { id: 8, name: 'p', is_deleted: false }, etag },
          { status: 201, data: { id: 9, name: 'q', is_deleted: false }, etag },
          {
            status: 201,
            data: {
              id: expect.any(String),
              from_id: 8,
              to_id: 9,
              type: 'near',
              metadata: {},
              created_at: expect.any(String),
            },
          },
          { status: 204, id: n },
          { status: 204, id: 8 },
        ],
      },
      '1',
    ])
    // Each state has its own ETag. The last one is the ETag of the record.
    const tags = answer.body.data.slice(0, 3).map((one: { etag: string }) => one.etag)
    expect(new Set(tags).size).toBe(3)
    expect((await call('GET', '/datatables/buyers/data/5/')).headers.get('etag')).toBe(tags[2])
    const change = (if_match: string) =>
      batch([{ op: 'update', table: 'buyers', id: 5, data: { about: { b: 1 } }, if_match }])
    expect([(await change(tags[1])).status, (await change(tags[2])).status]).toEqual([412, 200])
    expect(await events()).toEqual([
      { event: 'RECORD_CREATE', datatable: 'buyers', n: 2 },
      { event: 'RECORD_CREATE', datatable: 'places', n: 2 },
      { event: 'RECORD_DELETE', datatable: 'buyers', n: 1 },
      { event: 'RECORD_DELETE', datatable: 'places', n: 1 },
      { event: 'RECORD_UPDATE', datatable: 'buyers', n: 3 },
    ])
  })

  it('returns only keys with return=minimal', async () => {
    const answer = await batch(every, '?return=minimal')
    expect(answer.headers.get('content-type')).toBe('application/json;profile=minimal')
    expect(answer.body.data.map(({ status, id }: { status: number; id: unknown }) => [status, id])).toEqual([
      [201, 5],
      [200, 5],
      [200, 5],
      [201, expect.any(Number)],
      [201, 8],
      [201, expect.any(Number)],
      [201, expect.any(String)],
      [204, expect.any(Number)],
      [204, 8],
    ])
  })

  it('writes nothing and fires no event with dry_run=true', async () => {
    await fill()
    const before = await stateOf(app)
    const answer = await batch(every.slice(0, 3), '?dry_run=true')
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: [
          { status: 201, data: buyer(5, {}) },
          { status: 200, data: buyer(5, { about: { a: 1 } }) },
          { status: 200, data: buyer(5, { about: {} }) },
        ],
        dry_run: true,
      },
    ])
    const wrong = await batch(
      [...every, { op: 'create', table: 'buyers', data: { email: 'x@y.z' } }],
      '?dry_run=true',
    )
    expect([wrong.status, wrong.body.detail]).toEqual([
      409,
      'operations[9]: A record with this email already exists.',
    ])
    expect(await stateOf(app)).toEqual(before)
  })

  it('is executed once with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await batch(every, '', headers)
    const second = await batch(every, '', headers)
    expect([second.status, second.text]).toEqual([200, first.text])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await records('places')).toHaveLength(2)
    expect((await batch([order], '', headers)).status).toBe(409)
  })

  it('keeps every digit of a number', async () => {
    const total = JSON.rawJSON('0.10000000000000000001')
    const { text: answer } = await batch([
      { op: 'create', table: 'orders', data: { id: '9007199254740993', total } },
    ])
    expect(answer).toContain(
      '"data":{"id":"9007199254740993","buyer_id":null,"email":null,"total":0.10000000000000000001}',
    )
  })
})
