/** Walks on the record endpoints. Spec: Edges and graph traversal; G3–G5, R11. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addTables, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'
import { scaled } from '../../support/scaled.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const name = { name: 'name', type: 'string' }
const refusal = (details: Record<string, string[]>) => ({
  status: 400,
  body: { error: 'Validation failed', details, code: 'validation_failed' },
})

/** Ada leads Bo and Cy. Bo leads Di. Cy mentors Di, and has left. */
const people = [
  { id: 1, name: 'Ada', city_id: 1 },
  { id: 2, name: 'Bo', city_id: 1 },
  { id: 3, name: 'Cy', city_id: null },
  { id: 4, name: 'Di', city_id: 2 },
]
const [ada, bo, cy, di] = people.map((person) => ({ ...person, is_deleted: false })) as [
  object,
  object,
  object,
  object,
]

const chain = (names: string[], table: string) =>
  owner.post(
    `${table}/data/`,
    names.map((_, index) => ({ id: index + 1 })),
  )

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'walks')
  owner = ownerOf(app, shop, '/apps/shop/datatables/')
  await addTables(app, shop, [
    { name: 'cities', schema: { fields: [id, name] } },
    {
      name: 'people',
      schema: {
        fields: [id, name, { name: 'city_id', type: 'integer' }, { name: 'is_deleted', type: 'boolean' }],
        foreignKeys: [{ fields: 'city_id', reference: { resource: 'cities', fields: 'id' } }],
        hierarchy: true,
        graph: {
          enabled: true,
          types: [
            { name: 'manager', inverse: 'reports', constraints: { max_outgoing: 1 } },
            { name: 'mentor', inverse: 'mentees' },
          ],
        },
      },
    },
    { name: 'levels', schema: { fields: [id], hierarchy: true } },
    { name: 'plain', schema: { fields: [id] } },
    {
      name: 'clashes',
      schema: {
        fields: [id, { name: 'next', type: 'integer' }],
        foreignKeys: [{ fields: 'next', reference: { resource: '', fields: 'id' } }],
        graph: { enabled: true, types: [{ name: 'next', inverse: 'clashes' }] },
      },
    },
    {
      name: 'rings',
      schema: { fields: [id], graph: { enabled: true, types: [{ name: 'to', inverse: 'from' }] } },
    },
    {
      name: 'children',
      schema: {
        fields: [id, { name: 'level_id', type: 'integer' }],
        foreignKeys: [{ fields: 'level_id', reference: { resource: 'levels', fields: 'id' } }],
      },
    },
  ])
  await owner.post('cities/data/', [
    { id: 1, name: 'Oslo' },
    { id: 2, name: 'Rome' },
  ])
  await owner.post('people/data/', people)
  const edges = [
    [2, 1, 'manager'],
    [3, 1, 'manager'],
    [4, 2, 'manager'],
    [4, 3, 'mentor'],
  ].map(([from_id, to_id, type]) => ({ from_id, to_id, type, metadata: { type } }))
  expect((await owner.post('people/edges/', edges)).status).toBe(201)
  await chain(Array(13).fill(''), 'levels')
  const steps = Array.from({ length: 12 }, (_, index) => ({
    from_id: index + 2,
    to_id: index + 1,
    type: 'parent',
  }))
  expect((await owner.post('levels/edges/', steps)).status).toBe(201)
})

const by = (depth: number, type: string) => ({ _depth: depth, _relationship_type: type })

describe('an invalid walk', () => {
  it('a depth above the maximum, which is 10 by default, returns 400', async () => {
    const tooDeep = (most: number) => ({
      status: 400,
      body: {
        error: 'Validation failed',
        detail: `depth exceeds maximum allowed (${most})`,
        code: 'validation_failed',
      },
    })
    expect(await owner.get('levels/data/1/?include=descendants&depth=11')).toMatchObject(tooDeep(10))
    expect(await owner.get('levels/data/?format=tree&depth=11')).toMatchObject(tooDeep(10))
    const deeper = ownerOf(app.with({ GRAPH_DEPTH_MAX: '12' }), shop, '/apps/shop/datatables/')
    expect(await deeper.get('levels/data/1/?include=descendants&depth=13')).toMatchObject(tooDeep(12))
    expect((await deeper.get('levels/data/1/?include=descendants&depth=12')).body.children).toHaveLength(12)
    expect((await deeper.get('levels/data/1/?format=graph')).body.total).toBe(13)
  })

  it('a walk in a table without edges returns 422', async () => {
    const none = { status: 422, body: { error: 'Datatable has no graph', code: 'no_graph' } }
    expect(await owner.get('plain/data/?format=tree')).toMatchObject(none)
    expect(await owner.get('plain/data/1/?include=both')).toMatchObject(none)
  })

  it('a walk from an unknown, soft-deleted or impossible record returns 404', async () => {
    const none = (record: string) => ({
      status: 404,
      body: {
        error: 'Record not found',
        detail: `"people" has no record with the id "${record}".`,
        code: 'record_not_found',
      },
    })
    for (const form of ['include=both', 'format=tree', 'format=graph']) {
      for (const record of ['999', 'x'])
        expect(await owner.get(`people/data/${record}/?${form}`)).toMatchObject(none(record))
    }
  })

  it('invalid parameters return 400', async () => {
    expect(
      await owner.get('people/data/1/?include=sideways&depth=x&relationship_type=boss,manager&colour=1'),
    ).toMatchObject(
      refusal({
        include: ['Must be one of: descendants, ancestors, both; "sideways" is not.'],
        depth: ['Must be a whole number, 0 or greater.'],
        relationship_type: ['Unknown relationship type "boss". Types: manager, mentor.'],
        colour: ['Unknown field or parameter "colour". Fields: id, name, city_id, is_deleted.'],
      }),
    )
    expect(await owner.get('people/data/1/?depth=2')).toMatchObject(
      refusal({ depth: ['Only applies to a traversal: add include, format=tree or format=graph.'] }),
    )
    expect(await owner.get('people/data/?relationship_type=mentor')).toMatchObject(
      refusal({
        relationship_type: ['Only applies to a traversal: add include, format=tree or format=graph.'],
      }),
    )
    expect(await owner.get('people/data/?format=tree&include=both')).toMatchObject(
      refusal({
        include: [
          'Only applies to one record, or to each record of a list. A tree or graph from all roots contains their descendants anyway.',
        ],
      }),
    )
    expect(await owner.get('people/data/?include=sideways&depth=x&relationship_type=boss')).toMatchObject(
      refusal({
        include: ['Must be one of: descendants, ancestors, both; "sideways" is not.'],
        depth: ['Must be a whole number, 0 or greater.'],
        relationship_type: ['Unknown relationship type "boss". Types: manager, mentor.'],
      }),
    )
    expect(await owner.get('people/data/?include=both&_aggregate=count(*)')).toMatchObject(
      refusal({ include: ['Only applies to records, not to an aggregation.'] }),
    )
    expect(await owner.get('plain/data/?include=both')).toMatchObject({
      status: 422,
      body: { error: 'Datatable has no graph', code: 'no_graph' },
    })
    expect(await owner.get('clashes/data/?include=both&populate=clashes')).toMatchObject(
      refusal({
        include: [
          'The nodes would be listed under "clashes", which is also the name of a populated relationship. Request a single record instead: its nodes are returned next to it.',
          'The nodes would be listed under "next", which is also the name of a field. Request a single record instead: its nodes are returned next to it.',
        ],
      }),
    )
    expect(await owner.get('people/data/1/?format=tree&include=both')).toMatchObject(
      refusal({ include: ['A tree has one direction: use descendants or ancestors.'] }),
    )
    expect(await owner.get('people/data/?format=xml&include=both')).toMatchObject(
      refusal({ format: ['Unknown format "xml". Formats: flat, tree, graph.'] }),
    )
    expect(await owner.get('people/data/?format=tree&_count=true')).toMatchObject(
      refusal({ _count: ['Only applies to a list, not to a traversal.'] }),
    )
    expect(await owner.get('people/data/1/?include=both&only_deleted=true&page=1')).toMatchObject({
      status: 400,
      body: {
        details: { only_deleted: expect.anything(), page: ['Only applies to a list, not to a traversal.'] },
      },
    })
    expect(await owner.get('levels/data/?format=tree&populate=children')).toMatchObject(
      refusal({ populate: ['"children" has the child nodes of a tree, so it cannot be populated.'] }),
    )
  })
})

describe('include', () => {
  it('descendants follows incoming edges, by default one hop, and lists nodes under the inverse names of their types', async () => {
    const one = await owner.get('people/data/1/?include=descendants')
    expect([one.status, one.body]).toEqual([
      200,
      {
        data: ada,
        reports: [
          { ...bo, ...by(1, 'manager') },
          { ...cy, ...by(1, 'manager') },
        ],
        mentees: [],
      },
    ])
    expect(one.headers.get('server-timing')).toContain('desc="1"')
    expect((await owner.get('people/data/1/?include=descendants&depth=2')).body).toEqual({
      data: ada,
      reports: [
        { ...bo, ...by(1, 'manager') },
        { ...cy, ...by(1, 'manager') },
        { ...di, ...by(2, 'manager') },
      ],
      mentees: [{ ...di, ...by(2, 'mentor') }],
    })
    expect((await owner.get('people/data/1/?include=descendants&depth=0')).body).toEqual({
      data: ada,
      reports: [],
      mentees: [],
    })
  })

  it('ancestors follows outgoing edges, and lists each node once under each type, at its smallest depth', async () => {
    expect((await owner.get('people/data/4/?include=ancestors&depth=5')).body).toEqual({
      data: di,
      manager: [
        { ...bo, ...by(1, 'manager') },
        { ...ada, ...by(2, 'manager') },
      ],
      mentor: [{ ...cy, ...by(1, 'mentor') }],
    })
  })

  it('both lists descendants and ancestors', async () => {
    expect((await owner.get('people/data/2/?include=both')).body).toEqual({
      data: bo,
      reports: [{ ...di, ...by(1, 'manager') }],
      mentees: [],
      manager: [{ ...ada, ...by(1, 'manager') }],
      mentor: [],
    })
  })

  it('relationship_type selects the edges to follow, and can be repeated', async () => {
    expect(
      (await owner.get('people/data/4/?include=ancestors&depth=5&relationship_type=mentor')).body,
    ).toEqual({
      data: di,
      mentor: [{ ...cy, ...by(1, 'mentor') }],
    })
    expect(
      Object.keys(
        (
          await owner.get(
            'people/data/4/?include=ancestors&relationship_type=mentor&relationship_type=manager',
          )
        ).body,
      ),
    ).toEqual(['data', 'manager', 'mentor'])
  })

  it('nodes do not name the type that reached them if the table has only one type', async () => {
    expect((await owner.get('levels/data/3/?include=both')).body).toEqual({
      data: { id: 3 },
      children: [{ id: 4, _depth: 1 }],
      parent: [{ id: 2, _depth: 1 }],
    })
  })

  it('filters, the order and populate apply to the nodes; the walk also passes through nodes that do not match', async () => {
    const { body } = await owner.get(
      'people/data/1/?include=descendants&depth=9&city_id.name=Rome&populate=city',
    )
    expect(body).toEqual({
      data: { ...ada, city: { id: 1, name: 'Oslo' } },
      reports: [{ ...di, city: { id: 2, name: 'Rome' }, ...by(2, 'manager') }],
      mentees: [{ ...di, city: { id: 2, name: 'Rome' }, ...by(2, 'mentor') }],
    })
    const sorted = await owner.get('people/data/1/?include=descendants&depth=9&ordering=-name')
    expect(sorted.body.reports.map((one: { name: string }) => one.name)).toEqual(['Cy', 'Bo', 'Di'])
  })
})

describe('format=tree', () => {
  const tree = (node: object, depth: number, type: string | undefined, ...children: object[]) => ({
    ...node,
    _depth: depth,
    ...(type ? { _relationship_type: type } : {}),
    children,
  })

  it('a tree without an id begins at all roots: nodes without an outgoing edge of the selected types', async () => {
    const { status, body, headers } = await owner.get('people/data/?format=tree')
    const whole = tree(
      ada,
      0,
      undefined,
      tree(bo, 1, 'manager', tree(di, 2, 'manager')),
      tree(cy, 1, 'manager', tree(di, 2, 'mentor')),
    )
    expect([status, body]).toEqual([200, { data: [whole], total: 4 }])
    expect([headers.get('x-total-count'), headers.get('server-timing')]).toEqual([
      '4',
      expect.stringContaining('desc="1"'),
    ])
    expect((await owner.get('people/data/?format=tree&relationship_type=mentor')).body).toEqual({
      data: [tree(ada, 0, undefined), tree(bo, 0, undefined), tree(cy, 0, undefined, tree(di, 1, 'mentor'))],
      total: 4,
    })
    expect((await owner.get('people/data/?format=tree&depth=0')).body).toEqual({
      data: [tree(ada, 0, undefined)],
      total: 1,
      omitted: 3,
    })
  })

  it.each(['tree', 'graph'])('a %s from all roots has no pages: their parameters are 400', async (format) => {
    for (const parameter of [
      'page=1',
      'page_size=1',
      'limit=1',
      'offset=1',
      '_start=1',
      '_end=2',
      'after=',
      '_total=none',
      '_count=true',
    ])
      expect(await owner.get(`people/data/?format=${format}&${parameter}`)).toMatchObject({
        status: 400,
        body: {
          error: 'Validation failed',
          details: { [parameter.split('=')[0] as string]: ['Only applies to a list, not to a traversal.'] },
          code: 'validation_failed',
        },
      })
  })

  it('a tree counts omitted records: those in a cycle without an entry, and those beyond the depth', async () => {
    await chain(Array(6).fill(''), 'rings')
    const to = (...pairs: [number, number][]) =>
      pairs.map(([from_id, to_id]) => ({ from_id, to_id, type: 'to' }))
    // 2 → 1; 3, 4 and 5 form a cycle; 6 leads to the cycle.
    await owner.post('rings/edges/', to([2, 1], [3, 4], [4, 5], [5, 3], [6, 3]))
    const bare = (id: number, depth: number, ...children: object[]) =>
      tree({ id }, depth, depth > 0 ? 'to' : undefined, ...children)
    const roots = await owner.get('rings/data/?format=tree')
    expect(roots.body).toEqual({ data: [bare(1, 0, bare(2, 1))], total: 2, omitted: 4 })
    expect(roots.headers.get('server-timing')).toContain('desc="1"')
    const shallow = await owner.get('rings/data/4/?format=tree&depth=1')
    expect(shallow.body).toEqual({ data: [bare(4, 0, bare(3, 1))], total: 2, omitted: 2 })
    expect((await owner.get('rings/data/4/?format=tree&depth=3')).body).not.toHaveProperty('omitted')
  })

  it('a tree of a record begins at this record, and leads to its ancestors on request', async () => {
    expect((await owner.get('people/data/2/?format=tree')).body).toEqual({
      data: [tree(bo, 0, undefined, tree(di, 1, 'manager'))],
      total: 2,
    })
    expect((await owner.get('people/data/4/?format=tree&include=ancestors&depth=1')).body).toEqual({
      data: [tree(di, 0, undefined, tree(bo, 1, 'manager'), tree(cy, 1, 'mentor'))],
      total: 3,
      omitted: 1,
    })
  })

  it('child nodes name the type that reached them, even if the table has only one type', async () => {
    expect((await owner.get('levels/data/12/?format=tree')).body).toEqual({
      data: [tree({ id: 12 }, 0, undefined, tree({ id: 13 }, 1, 'parent'))],
      total: 2,
    })
  })

  it('a tree ends at the maximum depth', async () => {
    const { body } = await owner.get('levels/data/?format=tree')
    expect([
      body.total,
      JSON.stringify(body)
        .match(/"_depth":\d+/g)
        ?.at(-1),
    ]).toEqual([11, '"_depth":10'])
  })

  it('a filtered tree contains matching records; one whose parent does not match is a root', async () => {
    expect(
      (await owner.get('people/data/?format=tree&name__ne=Ada&populate=city&ordering=-id')).body,
    ).toEqual({
      data: [
        tree(
          { ...cy, city: null },
          0,
          undefined,
          tree({ ...di, city: { id: 2, name: 'Rome' } }, 1, 'mentor'),
        ),
        tree(
          { ...bo, city: { id: 1, name: 'Oslo' } },
          0,
          undefined,
          tree({ ...di, city: { id: 2, name: 'Rome' } }, 1, 'manager'),
        ),
      ],
      total: 3,
    })
  })
})

describe('include in a list', () => {
  it('each record of the page has its nodes, in one round trip', async () => {
    const { status, body, headers } = await owner.get(
      'people/data/?include=descendants&page_size=2&ordering=id&populate=city',
    )
    const oslo = { city: { id: 1, name: 'Oslo' } }
    expect([status, body]).toEqual([
      200,
      {
        data: [
          {
            ...ada,
            ...oslo,
            reports: [
              { ...bo, ...oslo, ...by(1, 'manager') },
              { ...cy, city: null, ...by(1, 'manager') },
            ],
            mentees: [],
          },
          {
            ...bo,
            ...oslo,
            reports: [{ ...di, city: { id: 2, name: 'Rome' }, ...by(1, 'manager') }],
            mentees: [],
          },
        ],
        total: 4,
        page: 1,
        page_size: 2,
        meta: { offset: 0, limit: 2, count: 4, has_more: true, total_is: 'exact' },
      },
    ])
    expect(headers.get('server-timing')).toContain('desc="1"')
  })

  it('depth and relationship_type apply to the nodes; filters and the order apply to the list', async () => {
    const { body } = await owner.get(
      'people/data/?include=ancestors&depth=2&relationship_type=manager&name__in=Bo,Di&ordering=-name',
    )
    expect(body.data).toEqual([
      {
        ...di,
        manager: [
          { ...bo, ...by(1, 'manager') },
          { ...ada, ...by(2, 'manager') },
        ],
      },
      { ...bo, manager: [{ ...ada, ...by(1, 'manager') }] },
    ])
    expect((await owner.get('people/data/?include=both&_count=true')).body).toMatchObject({
      data: [],
      total: 4,
    })
    expect(await owner.get('people/data/?include=both&depth=11')).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        detail: 'depth exceeds maximum allowed (10)',
        code: 'validation_failed',
      },
    })
  })
})

describe('format=graph', () => {
  const edge = (from: number, to: number, type: string) => ({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    from,
    to,
    type,
    metadata: { type },
  })
  const node = (of: object, depth: number) => ({ ...of, _depth: depth })

  it('a graph has the nodes and the edges between them, starting from all roots or from a record', async () => {
    const { status, body, headers } = await owner.get('people/data/?format=graph')
    expect([status, body]).toEqual([
      200,
      {
        data: {
          nodes: [node(ada, 0), node(bo, 1), node(cy, 1), node(di, 2)],
          edges: [edge(2, 1, 'manager'), edge(3, 1, 'manager'), edge(4, 2, 'manager'), edge(4, 3, 'mentor')],
        },
        total: 4,
      },
    ])
    expect(headers.get('server-timing')).toContain('desc="1"')
    // Without a depth, the graph contains the cycle without an entry. With a depth, it contains what roots
    // lead to.
    const rings = (await owner.get('rings/data/?format=graph')).body
    expect([rings.total, rings.data.nodes, rings.data.edges.length]).toEqual([
      6,
      [1, 2, 3, 4, 5, 6].map((one) => ({ id: one, _depth: one <= 2 ? one - 1 : null })),
      5,
    ])
    expect((await owner.get('rings/data/?format=graph&depth=10')).body.total).toBe(2)
    expect((await owner.get('people/data/2/?format=graph&include=both&depth=1')).body).toEqual({
      data: {
        nodes: [node(bo, 0), node(ada, 1), node(di, 1)],
        edges: [edge(2, 1, 'manager'), edge(4, 2, 'manager')],
      },
      total: 3,
    })
    expect((await owner.get('people/data/3/?format=graph&relationship_type=manager')).body).toEqual({
      data: { nodes: [node(cy, 0)], edges: [] },
      total: 1,
    })
    expect((await owner.get('people/data/?format=graph&name__in=Bo,Di')).body.data).toEqual({
      nodes: [node(bo, 1), node(di, 2)],
      edges: [edge(4, 2, 'manager')],
    })
  })
})

describe('soft-deleted records', () => {
  it('a walk does not pass through soft-deleted records unless they are included', async () => {
    await owner.delete('people/data/2/')
    const names = (body: { reports: { name: string }[] }) => body.reports.map((one) => one.name)
    expect(names((await owner.get('people/data/1/?include=descendants&depth=9')).body)).toEqual(['Cy'])
    expect(await owner.get('people/data/2/?include=descendants')).toMatchObject({ status: 404 })
    const roots = (await owner.get('people/data/?format=tree&relationship_type=manager')).body.data
    expect(roots.map((one: { name: string }) => one.name)).toEqual(['Ada', 'Di'])
    expect(
      names((await owner.get('people/data/1/?include=descendants&depth=9&include_deleted=true')).body),
    ).toEqual(['Bo', 'Cy', 'Di'])
    await owner.patch('people/data/2/?include_deleted=true', { is_deleted: false })
  })
})

describe('a hierarchy with soft-deleted records, whose edges do not count for its rules', () => {
  const names = (nodes: { id: number }[]) => nodes.map((node) => node.id)
  const edge = (from_id: number, to_id: number) =>
    owner.post('folders/edges/', [{ from_id, to_id, type: 'parent' }])

  beforeAll(async () => {
    const isDeleted = { name: 'is_deleted', type: 'boolean' }
    await addTables(app, shop, [{ name: 'folders', schema: { fields: [id, isDeleted], hierarchy: true } }])
    await owner.post(
      'folders/data/',
      [1, 2, 3, 4].map((each) => ({ id: each })),
    )
    for (const [from, to] of [
      [2, 1],
      [3, 1],
      [4, 2],
    ] as const)
      expect((await edge(from, to)).status).toBe(201)
    await owner.delete('folders/data/2/')
    // Its parent is deleted, so it gets another one.
    expect((await edge(4, 3)).status).toBe(201)
  })

  it('lists a node with two parents once, as the nearest', async () => {
    const path = 'folders/data/1/?include=descendants&depth=9&include_deleted=true'
    expect(names((await owner.get(path)).body.children)).toEqual([2, 3, 4])
    const graph = await owner.get('folders/data/1/?format=graph&depth=9&include_deleted=true')
    expect([names(graph.body.data.nodes), graph.body.data.edges.length]).toEqual([[1, 2, 3, 4], 4])
  })

  it('ends in a cycle', async () => {
    await owner.delete('folders/data/4/')
    expect((await edge(1, 3)).status).toBe(422)
    await owner.delete('folders/data/3/')
    await edge(1, 4)
    const path = 'folders/data/1/?include=descendants&depth=9&include_deleted=true'
    expect(names((await owner.get(path)).body.children).sort()).toEqual([2, 3, 4])
  })
})

describe('graphs with very many paths', () => {
  const [layers, width] = [10, 40]

  beforeAll(async () => {
    await addTables(app, shop, [
      {
        name: 'layers',
        schema: { fields: [id], graph: { enabled: true, types: [{ name: 'above', inverse: 'below' }] } },
      },
    ])
    await owner.post(
      'layers/data/',
      Array.from({ length: layers * width }, (_, index) => ({ id: index })),
    )
    // Each node is connected to all nodes of the next layer: 40^9 paths.
    for (let layer = 1; layer < layers; layer++) {
      const edges = Array.from({ length: width * width }, (_, index) => ({
        from_id: layer * width + (index % width),
        to_id: (layer - 1) * width + Math.floor(index / width),
        type: 'above',
      }))
      expect((await owner.post('layers/edges/', edges)).status).toBe(201)
    }
  })

  /** Milliseconds. Following each path separately would take years. */
  const finite = scaled(100_000)

  const timed = async (path: string) => {
    const began = performance.now()
    const answer = await owner.get(path)
    return { ...answer, milliseconds: performance.now() - began }
  }

  it('a walk reaches each node once, even if many paths lead to it', async () => {
    const { body, milliseconds } = await timed('layers/data/0/?include=descendants&depth=10')
    expect(body.below).toHaveLength((layers - 1) * width)
    expect(milliseconds).toBeLessThan(finite)
    const graph = await timed('layers/data/0/?format=graph')
    expect([graph.body.total, graph.body.data.edges.length]).toEqual([
      1 + (layers - 1) * width,
      width + (layers - 2) * width * width,
    ])
    expect(graph.milliseconds).toBeLessThan(finite)
  })

  it('a tree that is too large for an answer returns 422 before it is built', async () => {
    const { status, body, milliseconds } = await timed('layers/data/?format=tree')
    expect([status, body.error]).toEqual([422, 'Answer too large'])
    expect(milliseconds).toBeLessThan(finite)
  })
})
