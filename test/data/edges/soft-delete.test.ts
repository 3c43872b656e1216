/** Edges of soft-deleted records, in both kinds of datasource. G6, R10. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, addTables, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop

const id = { name: 'id', type: 'integer' }
const isDeleted = { name: 'is_deleted', type: 'boolean' }
const people = {
  name: 'people',
  schema: {
    fields: [id, isDeleted],
    hierarchy: true,
    graph: {
      enabled: true,
      types: [
        { name: 'manager', inverse: 'reports', constraints: { max_outgoing: 1 } },
        { name: 'peer', inverse: 'peer_of', constraints: { max_incoming: 1 } },
      ],
    },
  },
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'hidden')
  await addTables(app, shop, [people])
  await addDocuments(app, shop, [people])
})

describe.each(['shop', 'papers'])('in the app %s', (name) => {
  const as = () => ownerOf(app, shop, `/apps/${name}/datatables/people/`)
  const make = async (count: number): Promise<number[]> =>
    (
      await as().post(
        'data/',
        Array.from({ length: count }, () => ({})),
      )
    ).body.data.map((one: { id: number }) => one.id)
  const link = (...edges: (readonly [from: number, to: number, type?: string])[]) =>
    as().post(
      'edges/',
      edges.map(([from_id, to_id, type = 'manager']) => ({ from_id, to_id, type })),
    )
  const hide = (...ids: number[]) => as().delete(`data/?ids=${ids}`)
  const restore = (...ids: number[]) =>
    as().patch(
      'data/?include_deleted=true',
      ids.map((one) => ({ id: one, is_deleted: false })),
    )
  const listed = async (...ids: number[]) =>
    (await as().get(`edges/?from_id=${ids}&page_size=1000`)).body.results.map(
      (one: { from_id: number; to_id: number }) => [one.from_id, one.to_id],
    )
  const kept = async (...ids: number[]) =>
    (
      await app.sql<{ n: number }>(
        `select count(*)::integer as n from ${shop.schema}.${name}_people_edges where from_id = any ($1)`,
        [ids],
      )
    )[0]?.n

  it('restoring a record returns 422 and names its edges if they would violate a rule', async () => {
    const [a, b, c, d] = (await make(4)) as [number, number, number, number]
    const [edge] = (await link([a, b], [c, d, 'peer'])).body.results
    await hide(b)
    expect(await link([a, c])).toMatchObject({ status: 201 })
    const refused = {
      error: 'Record cannot be restored',
      detail:
        `The record "${a}" of "people" would have more than 1 outgoing edges of type "manager" (max_outgoing). ` +
        `These edges would be restored: ${a} → ${b} (${edge.id}). Delete them, or the edges they conflict with.`,
      edges: [edge.id],
      code: 'edge_rule_violated',
    }
    for (const attempt of [
      await restore(b),
      await as().patch(`data/${b}/?include_deleted=true`, { is_deleted: false }),
      await as().post('data/upsert/?unique_fields=id&include_deleted=true', { id: b, is_deleted: false }),
    ]) {
      expect([attempt.status, attempt.body]).toEqual([422, refused])
    }
    expect((await as().get(`data/${b}/`)).status).toBe(404)
    expect((await as().delete('edges/', { edge_ids: refused.edges })).body.deleted).toBe(1)
    expect((await restore(b)).status).toBe(200)
    expect(await listed(a, b)).toEqual([[a, c]])
  })

  it('restoring a record returns 422 if it would close a cycle or exceed max_incoming', async () => {
    const [a, b, c, d] = (await make(4)) as [number, number, number, number]
    const [ab, bc] = (await link([a, b], [b, c])).body.results
    await hide(b)
    expect((await link([c, a])).status).toBe(201)
    const circle = await restore(b)
    expect(circle).toMatchObject({
      status: 422,
      body: {
        error: 'Record cannot be restored',
        detail: expect.stringContaining('"manager", which may form no cycle'),
        code: 'edge_rule_violated',
      },
    })
    expect(circle.body.edges).toEqual([ab.id, bc.id])
    const [peer] = (await link([a, d, 'peer'])).body.results
    await hide(a)
    expect((await link([c, d, 'peer'])).status).toBe(201)
    expect(await restore(a)).toMatchObject({
      status: 422,
      body: {
        edges: [peer.id],
        detail: expect.stringContaining('(max_incoming)'),
        code: 'edge_rule_violated',
      },
    })
  })

  it('edges of a soft-deleted record are not listed, walked or counted; restoring the record restores them', async () => {
    const [a, b, c] = (await make(3)) as [number, number, number]
    await link([a, b], [b, c])
    await hide(b)
    expect(await listed(a, b)).toEqual([])
    expect((await as().get(`edges/?to_id=${b},${c}`)).body.total).toBe(0)
    expect((await as().get(`data/${a}/?include=ancestors&depth=5`)).body.manager).toEqual([])
    expect((await as().get(`data/?format=graph&id__in=${a},${b},${c}`)).body.data.edges).toEqual([])
    expect((await link([a, c])).status).toBe(201)
    expect((await as().get(`data/${a}/?include=ancestors`)).body.manager).toHaveLength(1)
    await as().delete('edges/', {
      edge_ids: (await as().get(`edges/?from_id=${a}`)).body.results.map((one: { id: string }) => one.id),
    })
    const back = await restore(b)
    expect(back.status).toBe(200)
    expect(back.headers.get('server-timing')).toContain('desc="1"')
    expect(await listed(a, b)).toEqual([
      [a, b],
      [b, c],
    ])
  })

  it('an edge between two soft-deleted records is restored when both are restored', async () => {
    const [a, b] = (await make(2)) as [number, number]
    await link([a, b])
    await hide(a, b)
    expect((await restore(a)).status).toBe(200)
    expect(await listed(a)).toEqual([])
    expect((await restore(b)).status).toBe(200)
    expect(await listed(a)).toEqual([[a, b]])
    await hide(a, b)
    expect((await restore(a, b)).status).toBe(200)
    expect(await listed(a)).toEqual([[a, b]])
  })

  it('a hard deletion deletes the edges', async () => {
    const [a, b, c] = (await make(3)) as [number, number, number]
    await link([a, b], [b, c])
    await hide(b)
    expect(await kept(a, b)).toBe(2)
    await as().delete(`data/${b}/?hard_delete=true`)
    expect(await kept(a, b)).toBe(0)
  })

  it('a restoration keeps the rules while edges are created concurrently', async () => {
    const heads = await make(20)
    const [hub, other] = (await make(2)) as [number, number]
    await link(...heads.map((head) => [head, hub] as const))
    await hide(hub)
    const answers = await Promise.all([restore(hub), ...heads.map((head) => link([head, other]))])
    expect(answers.filter(({ status }) => ![200, 201, 422].includes(status))).toEqual([])
    const seen = await listed(...heads)
    expect(new Set(seen.map(([from]: [number]) => from)).size).toBe(seen.length)
  })

  it('dropping the field of soft deletion restores all edges, unless they violate a rule', async () => {
    const [a, b, c] = (await make(3)) as [number, number, number]
    await link([a, b])
    await hide(b)
    await link([a, c])
    const without = { json_schema: { ...people.schema, fields: [id] } }
    expect(await as().patch('?allow_data_loss=true', without)).toMatchObject({
      status: 422,
      body: {
        error: 'Existing records break the schema',
        violations: [{ rule: 'max_outgoing' }],
        code: 'records_break_schema',
      },
    })
    await as().delete('data/?filter={"id__gt":0}&hard_delete=true')
    const [d, e] = (await make(2)) as [number, number]
    await link([d, e])
    await hide(e)
    expect((await as().patch('?allow_data_loss=true', without)).status).toBe(200)
    expect(await listed(d)).toEqual([[d, e]])
    expect((await link([d, c])).status).toBe(400)
    expect((await as().patch('', { json_schema: people.schema })).status).toBe(200)
    await hide(e)
    expect(await listed(d)).toEqual([])
  })
})
