/** The endpoints of edges. Spec: Edge, Edges and graph traversal; G1, G2, G5. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addTables, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const name = { name: 'name', type: 'string' }
const unknown = '00000000-0000-4000-8000-000000000000'
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
const refusal = (details: Record<string, string[]>) => ({
  status: 400,
  body: { error: 'Validation failed', details, code: 'validation_failed' },
})
const edge = (from_id: unknown, to_id: unknown, type = 'parent', metadata = {}) => ({
  id: uuid,
  from_id,
  to_id,
  type,
  metadata,
  created_at: moment,
})
const edges = (table: string, query = '') => owner.get(`${table}/edges/${query}`)
const pairs = async (table: string, query = '?page_size=1000') =>
  (await edges(table, query)).body.results.map((one: { from_id: unknown; to_id: unknown; type: string }) => [
    one.from_id,
    one.to_id,
    one.type,
  ])

const roads = {
  name: 'places',
  schema: {
    fields: [id, name, { name: 'is_deleted', type: 'boolean' }],
    graph: {
      enabled: true,
      types: [
        {
          name: 'road',
          inverse: 'road',
          constraints: { max_outgoing: 3, max_incoming: 2 },
          description: 'Both ways.',
        },
        { name: 'ferry', inverse: 'ferry_from' },
      ],
    },
  },
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'edges')
  owner = ownerOf(app, shop, '/apps/shop/datatables/')
  await addTables(app, shop, [
    { name: 'people', schema: { fields: [id, name], hierarchy: true } },
    roads,
    {
      name: 'codes',
      schema: { fields: [{ name: 'code', type: 'string' }], primaryKey: 'code', hierarchy: true },
    },
    { name: 'things', schema: { fields: [{ name: 'id', type: 'uuid' }], hierarchy: true } },
    {
      name: 'moments',
      schema: { fields: [{ name: 'at', type: 'datetime' }], primaryKey: 'at', hierarchy: true },
    },
    { name: 'plain', schema: { fields: [id, name] } },
  ])
  await owner.post('plain/data/', [{ id: 1 }])
})

const people = async (count: number): Promise<number[]> =>
  (
    await owner.post(
      'people/data/',
      Array.from({ length: count }, () => ({})),
    )
  ).body.data.map((one: { id: number }) => one.id)
const places = async (count: number): Promise<number[]> =>
  (
    await owner.post(
      'places/data/',
      Array.from({ length: count }, () => ({})),
    )
  ).body.data.map((one: { id: number }) => one.id)

describe('edges exist only for datatables with hierarchy or a graph', () => {
  it('a request for edges of another table returns 422', async () => {
    const none = {
      status: 422,
      body: {
        error: 'Datatable has no graph',
        detail: '"plain" has no edges: its schema has neither hierarchy nor an enabled graph.',
        code: 'no_graph',
      },
    }
    expect(await edges('plain')).toMatchObject(none)
    expect(await owner.post('plain/edges/', [])).toMatchObject(none)
    expect(await owner.delete('plain/edges/', { edge_ids: [unknown] })).toMatchObject(none)
    expect(
      await owner.patch(`plain/edges/${unknown}/`, { from_id: 1, to_id: 1, type: 'parent' }),
    ).toMatchObject(none)
  })

  it('a request for edges of an unmaterialized table returns 422', async () => {
    await app.request('POST', `${shop.api}/apps/shop/datasources/main/datatables/`, {
      token: shop.owner.token,
      body: { name: 'later', json_schema: { fields: [id], hierarchy: true } },
    })
    expect(await edges('later')).toMatchObject({
      status: 422,
      body: { error: 'Datatable is not materialized', code: 'not_materialized' },
    })
  })
})

describe('creating edges', () => {
  it('an array of edges is validated, and all of its edges or none are created', async () => {
    const [a, b] = await people(2)
    const before = await pairs('people')
    expect(await owner.post('people/edges/', { from_id: a, to_id: b, type: 'parent' })).toMatchObject(
      refusal({ non_field_errors: ['An array of edges is required.'] }),
    )
    const body = [
      { from_id: a, to_id: b, type: 'parent' },
      3,
      {},
      { from_id: 'x', to: null, type: 'boss', metadata: [], colour: 'red' },
      {
        from_id: a,
        from: a,
        to: b,
        type: 'parent',
        metadata: { deep: JSON.parse(`${'['.repeat(16)}${']'.repeat(16)}`) },
      },
      { from: a, to: b, type: 'parent', metadata: { long: 'x'.repeat(16 * 1024) } },
      { from: a, to: b, type: 'parent', metadata: { nul: '\0' } },
    ]
    expect(await owner.post('people/edges/', body)).toMatchObject(
      refusal({
        non_field_errors: ['rows[1]: An edge must be an object.'],
        from_id: [
          'rows[2]: This field is required.',
          'rows[3]: A whole number is required.',
          'rows[4]: from_id and from mean the same. Send only one of them.',
        ],
        to_id: ['rows[2]: This field is required.', 'rows[3]: This field may not be null.'],
        type: [
          'rows[2]: This field is required.',
          'rows[3]: Unknown relationship type "boss". Types: parent.',
        ],
        colour: ['rows[3]: Unknown field. Fields: from_id, to_id, type, metadata.'],
        metadata: [
          'rows[3]: An object is required.',
          'rows[4]: The value is nested deeper than 16 levels.',
          'rows[5]: The value has more than 16384 bytes.',
          'rows[6]: Text may not contain the NUL character.',
        ],
      }),
    )
    expect(await pairs('people')).toEqual(before)
  })

  it('an end that does not exist or is soft-deleted returns 400', async () => {
    const [a, b] = (await places(2)) as [number, number]
    await app.request('DELETE', `${shop.data('places')}${b}/`, { token: shop.owner.token })
    const body = [
      { from_id: a, to_id: a, type: 'ferry' },
      { from_id: 999_999, to_id: b, type: 'ferry' },
    ]
    expect(await owner.post('places/edges/', body)).toMatchObject(
      refusal({
        from_id: ['rows[1]: "places" has no record with the id 999999.'],
        to_id: [`rows[1]: "places" has no record with the id ${b}.`],
      }),
    )
    expect(await pairs('places', `?from_id=${a}`)).toEqual([])
  })

  it('an edge that already exists returns 409: both ends and the type are unique together', async () => {
    const [a, b] = await places(2)
    await owner.post('places/edges/', [{ from_id: a, to_id: b, type: 'ferry' }])
    const duplicate = (place: number) => ({
      status: 409,
      body: {
        error: 'Duplicate value',
        detail: `rows[${place}]: An edge with this from_id, to_id and type already exists.`,
        field: 'from_id,to_id,type',
        code: 'duplicate_value',
      },
    })
    const again = [
      { from_id: b, to_id: a, type: 'ferry' },
      { from_id: a, to_id: b, type: 'ferry' },
    ]
    expect(await owner.post('places/edges/', again)).toMatchObject(duplicate(1))
    const twice = [
      { from_id: b, to_id: b, type: 'ferry' },
      { from: b, to: b, type: 'ferry' },
    ]
    expect(await owner.post('places/edges/', twice)).toMatchObject(duplicate(1))
    expect(await pairs('places', `?from_id=${a},${b}`)).toEqual([[a, b, 'ferry']])
  })

  it('creating edges returns 201 with the edges in the order of the request, in one round trip', async () => {
    const [a, b, c] = await people(3)
    const created = await owner.post('people/edges/', [
      { from_id: c, to_id: b, type: 'parent', metadata: { since: 2020, exact: 1.1 } },
      { from: String(b), to: a, type: 'parent', metadata: null },
    ])
    const results = [edge(c, b, 'parent', { since: 2020, exact: 1.1 }), edge(b, a)]
    expect([created.status, created.body]).toEqual([201, { total: 2, results, data: results }])
    expect(created.headers.get('server-timing')).toContain('desc="1"')
    expect(await owner.post('people/edges/', [])).toMatchObject({
      status: 201,
      body: { total: 0, results: [], data: [] },
    })
  })

  it('the ends of an edge have the type of the primary key', async () => {
    await owner.post('codes/data/', [{ code: 'a, b' }, { code: 'c' }])
    expect(
      (await owner.post('codes/edges/', [{ from_id: 'a, b', to_id: 'c', type: 'parent' }])).body.results,
    ).toEqual([edge('a, b', 'c')])
    expect(await owner.post('codes/edges/', [{ from_id: 'a, b', to_id: 'c', type: 'parent' }])).toMatchObject(
      { status: 409 },
    )
    const [one, two] = (await owner.post('things/data/', [{}, {}])).body.data
    expect(
      (await owner.post('things/edges/', [{ from_id: one.id, to_id: two.id, type: 'parent' }])).body.results,
    ).toEqual([edge(one.id, two.id)])
    await owner.post('moments/data/', [{ at: '2026-01-01T00:00:00Z' }, { at: '2026-01-02T00:00:00.5Z' }])
    expect(
      (
        await owner.post('moments/edges/', [
          { from_id: '2026-01-01T01:00:00+01:00', to_id: '2026-01-02T00:00:00.5Z', type: 'parent' },
        ])
      ).body.results,
    ).toEqual([edge('2026-01-01T00:00:00Z', '2026-01-02T00:00:00.5Z')])
  })
})

describe('a list of edges', () => {
  let ids: number[]
  beforeAll(async () => {
    ids = await places(4)
    const [a, b, c, d] = ids
    const body = [
      [a, b, 'road'],
      [a, c, 'road'],
      [b, c, 'ferry'],
      [c, d, 'ferry'],
      [d, a, 'road'],
    ].map(([from_id, to_id, type]) => ({ from_id, to_id, type }))
    await owner.post('places/edges/', body)
  })

  it('unknown parameters and wrong values return 400', async () => {
    expect(await edges('places', '?from_id=x&colour=red&type=road')).toMatchObject(
      refusal({
        colour: [
          'Unknown parameter. Known parameters: from_id, to_id, types, page, page_size, limit, offset, _total.',
        ],
        type: ['Unknown parameter. Did you mean "types"?'],
      }),
    )
    expect(await edges('places', '?page=0&page_size=x')).toMatchObject(
      refusal({
        page: ['Must be a whole number, 1 or greater.'],
        page_size: ['Must be a whole number, 1 or greater.'],
      }),
    )
    expect(await edges('places', '?from_id=x&types=train,road')).toMatchObject(
      refusal({
        from_id: ['"x" is not a value of "id", which is of type integer.'],
        types: ['Unknown relationship type "train". Types: road, ferry.'],
      }),
    )
    expect(await edges('places', '?page=1&page=2')).toMatchObject(
      refusal({ page: ['This parameter may be given only once.'] }),
    )
  })

  it('a list with _total=none is not counted, and its total is not an estimate', async () => {
    const [a, , c] = ids as [number, number, number]
    expect(await edges('places', '?_total=estimated')).toMatchObject(
      refusal({ _total: ['Must be one of: exact, none; "estimated" is not.'] }),
    )
    const { status, body } = await edges('places', `?from_id=${a}&page_size=1&page=2&_total=none`)
    const results = [edge(a, c, 'road')]
    expect([status, body]).toEqual([200, { total: null, page: 2, page_size: 1, results, data: results }])
  })

  it('a list is a page of the matching edges, with their total', async () => {
    const [a, b, c, d] = ids as [number, number, number, number]
    const all = `${a},${b},${c},${d}`
    const { status, body } = await edges('places', `?from_id=${a}&page_size=1&page=2`)
    const results = [edge(a, c, 'road')]
    expect([status, body]).toEqual([200, { total: 2, page: 2, page_size: 1, results, data: results }])
    expect(await pairs('places', `?from_id=${a}&from_id=${d}&types=road&to_id=${b},${a}`)).toEqual([
      [a, b, 'road'],
      [d, a, 'road'],
    ])
    expect(await pairs('places', `?from_id=${all}&types=ferry&types=road`)).toHaveLength(5)
    expect((await edges('places', `?from_id=${a}&page=9`)).body).toEqual({
      total: 2,
      page: 9,
      page_size: 20,
      results: [],
      data: [],
    })
  })
})

describe('replacing an edge', () => {
  it('replacing an unknown edge returns 404, even if the id is not a UUID', async () => {
    const [a] = (await people(1)) as [number]
    for (const none of [unknown, 'x']) {
      expect(
        await owner.patch(`people/edges/${none}/`, { from_id: a, to_id: 999_999, type: 'parent' }),
      ).toMatchObject({
        status: 404,
        body: {
          error: 'Edge not found',
          detail: `"people" has no edge with the id "${none}".`,
          code: 'edge_not_found',
        },
      })
    }
  })

  it('the whole edge is validated before it is replaced', async () => {
    const [a, b, c] = (await people(3)) as [number, number, number]
    const [made] = (
      await owner.post('people/edges/', [{ from_id: a, to_id: b, type: 'parent', metadata: { x: 1 } }])
    ).body.results
    const path = `people/edges/${made.id}/`
    await owner.post('people/edges/', [{ from_id: b, to_id: c, type: 'parent' }])
    expect(await owner.patch(path, { metadata: {} })).toMatchObject(
      refusal({
        from_id: ['This field is required.'],
        to_id: ['This field is required.'],
        type: ['This field is required.'],
      }),
    )
    expect(await owner.patch(path, [])).toMatchObject(
      refusal({ non_field_errors: ['An edge must be an object.'] }),
    )
    expect(await owner.patch(path, { from_id: a, to_id: 999_999, type: 'parent' })).toMatchObject(
      refusal({ to_id: ['"people" has no record with the id 999999.'] }),
    )
    expect(await owner.patch(path, { from_id: b, to_id: c, type: 'parent' })).toMatchObject({ status: 409 })
    expect(await owner.patch(path, { from_id: c, to_id: a, type: 'parent' })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { from_id: c, to_id: b, type: 'parent' })).toMatchObject({
      status: 422,
      body: { error: 'Edges form a cycle', code: 'edge_rule_violated' },
    })
    expect(await pairs('people', `?from_id=${a},${b},${c}`)).toEqual([
      [b, c, 'parent'],
      [c, a, 'parent'],
    ])
  })

  it('omitted members of the new edge are empty, and an edge that was read can be sent back', async () => {
    const [a, b, c] = (await people(3)) as [number, number, number]
    const [made] = (
      await owner.post('people/edges/', [{ from_id: a, to_id: b, type: 'parent', metadata: { x: 1 } }])
    ).body.results
    const changed = await owner.patch(`people/edges/${made.id}/`, { ...made, to_id: c })
    expect([changed.status, changed.body]).toEqual([200, { data: { ...made, to_id: c } }])
    expect(
      (await owner.patch(`people/edges/${made.id}/`, { from: a, to: c, type: 'parent' })).body.data,
    ).toEqual({ ...made, to_id: c, metadata: {} })
  })
})

describe('deleting edges', () => {
  it('the body must be an array of edge ids', async () => {
    const wanted = refusal({ edge_ids: ['Must be an array of at least one edge id.'] })
    for (const body of [{}, [], { edge_ids: [] }, { edge_ids: unknown }])
      expect(await owner.delete('people/edges/', body)).toMatchObject(wanted)
    expect(await owner.delete('people/edges/', { edge_ids: ['x'], all: true })).toMatchObject(
      refusal({ all: ['Unknown field. Fields: edge_ids.'], edge_ids: ['"x" is not an edge id.'] }),
    )
    expect(await owner.delete('people/edges/', { edge_ids: Array(10_001).fill(unknown) })).toMatchObject({
      status: 413,
    })
  })

  it('existing edges are deleted, and unknown ids are ignored', async () => {
    const [a, b, c] = await people(3)
    const made = (
      await owner.post('people/edges/', [
        { from_id: a, to_id: b, type: 'parent' },
        { from_id: b, to_id: c, type: 'parent' },
      ])
    ).body.results
    const first = await owner.delete('people/edges/', { edge_ids: [made[0].id, unknown, made[0].id] })
    expect([first.status, first.body]).toEqual([200, { deleted: 1, message: '1 edge was deleted.' }])
    expect(
      (await owner.delete('people/edges/', { edge_ids: made.map((one: { id: string }) => one.id) })).body,
    ).toEqual({
      deleted: 1,
      message: '1 edge was deleted.',
    })
    expect((await owner.delete('people/edges/', { edge_ids: [unknown] })).body).toEqual({
      deleted: 0,
      message: '0 edges were deleted.',
    })
  })
})

describe('deleting a node', () => {
  it('deleting a node deletes its edges', async () => {
    const [a, b, c] = (await places(3)) as [number, number, number]
    await owner.post('places/edges/', [
      { from_id: a, to_id: b, type: 'ferry' },
      { from_id: b, to_id: c, type: 'ferry' },
      { from_id: c, to_id: a, type: 'ferry' },
    ])
    await owner.delete(`places/data/${b}/`)
    expect(await pairs('places', `?from_id=${a},${b},${c}`)).toEqual([[c, a, 'ferry']])
    expect((await owner.delete(`places/data/?ids=${a},${b}&hard_delete=true`)).body).toEqual({
      deleted: 2,
      ids: [a, b],
    })
    expect(await pairs('places', `?from_id=${a},${b},${c}`)).toEqual([])
  })
})

describe('the rules of a type', () => {
  const problem = (error: string, detail: string) => ({
    status: 422,
    body: { error, detail, code: 'edge_rule_violated' },
  })

  it('no node has more outgoing edges than max_outgoing; hierarchy without limits means one parent', async () => {
    const [a, b, c] = await people(3)
    const two = [b, c].map((to_id) => ({ from_id: a, to_id, type: 'parent' }))
    const refused = problem(
      'Too many outgoing edges',
      `The record "${a}" of "people" would have more than 1 outgoing edges of type "parent" (max_outgoing).`,
    )
    expect(await owner.post('people/edges/', two)).toMatchObject(refused)
    expect(await owner.post('people/edges/', [two[0]])).toMatchObject({ status: 201 })
    expect(await owner.post('people/edges/', [two[1]])).toMatchObject(refused)
  })

  it('no node has more incoming edges than max_incoming', async () => {
    const [a, b, c, d] = (await places(4)) as [number, number, number, number]
    const to = (from_id: number, type = 'road') => ({ from_id, to_id: d, type })
    expect(await owner.post('places/edges/', [to(a), to(b), to(c, 'ferry')])).toMatchObject({ status: 201 })
    expect(await owner.post('places/edges/', [to(c)])).toMatchObject(
      problem(
        'Too many incoming edges',
        `The record "${d}" of "places" would have more than 2 incoming edges of type "road" (max_incoming).`,
      ),
    )
  })

  it('edges of a hierarchy never close a cycle: not one edge, not many edges, and not the edges of one request', async () => {
    const [a, b, c, d] = (await people(4)) as [number, number, number, number]
    const parent = (from_id: number, to_id: number) => ({ from_id, to_id, type: 'parent' })
    /** The error names any node of the cycle. */
    const cycle = (...nodes: number[]) => ({
      status: 422,
      body: {
        error: 'Edges form a cycle',
        detail: expect.stringMatching(
          `^The record "(${nodes.join('|')})" of "people" would lead back to itself by edges of type "parent", which may form no cycle\\.$`,
        ),
        code: 'edge_rule_violated',
      },
    })
    expect(await owner.post('people/edges/', [parent(a, a)])).toMatchObject(cycle(a))
    expect(
      await owner.post('people/edges/', [parent(d, a), parent(a, b), parent(b, c), parent(c, a)]),
    ).toMatchObject(cycle(a, b, c))
    expect(await owner.post('people/edges/', [parent(a, b), parent(b, c), parent(d, a)])).toMatchObject({
      status: 201,
    })
    expect(await owner.post('people/edges/', [parent(c, a)])).toMatchObject(cycle(a, b, c))
    expect(await pairs('people', `?from_id=${a},${b},${c},${d}`)).toHaveLength(3)
  })

  it('edges of a graph without hierarchy may form cycles', async () => {
    const [a, b] = (await places(2)) as [number, number]
    const road = (from_id: number, to_id: number) => ({ from_id, to_id, type: 'road' })
    expect(await owner.post('places/edges/', [road(a, a), road(a, b), road(b, a)])).toMatchObject({
      status: 201,
    })
  })
})
