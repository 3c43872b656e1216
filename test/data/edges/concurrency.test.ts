/** The database enforces the rules of edges under parallel writers. G1, G2. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, ownerOf, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const graph = (...types: object[]) => ({ fields: [id], graph: { enabled: true, types } })

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'writers', {
    resources: [
      { name: 'outgoing', schema: graph({ name: 'to', constraints: { max_outgoing: 1 } }) },
      { name: 'both_ends', schema: graph({ name: 'to', constraints: { max_outgoing: 3, max_incoming: 2 } }) },
      { name: 'free', schema: graph({ name: 'to' }) },
      { name: 'hierarchy', schema: { ...graph({ name: 'above' }), hierarchy: true } },
      { name: 'parents', schema: { fields: [id], hierarchy: true } },
    ],
  })
  owner = ownerOf(app, shop, '/apps/shop/datatables/')
})

let last = 0
/** Creates new records. Each round uses its own. */
async function records(table: string, count: number): Promise<number[]> {
  const ids = Array.from({ length: count }, () => ++last)
  expect(
    (
      await owner.post(
        `${table}/data/`,
        ids.map((one) => ({ id: one })),
      )
    ).status,
  ).toBe(201)
  return ids
}
/** The types of edges in tables where the type is not `to`. */
const typeOf: Partial<Record<string, string>> = { hierarchy: 'above', parents: 'parent' }
const link = (table: string, ...pairs: (readonly [number | undefined, number | undefined])[]) =>
  owner.post(
    `${table}/edges/`,
    pairs.map(([from_id, to_id]) => ({
      from_id,
      to_id,
      type: typeOf[table] ?? 'to',
    })),
  )
const counted = (answers: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  )
const stored = (table: string, where: string) =>
  app.sql<{ from_id: string; to_id: string }>(
    `select * from ${shop.schema}.shop_${table}_edges where ${where}`,
  )

describe('parallel writers', () => {
  it('100 writers of one node with max_outgoing 1 create exactly one edge', async () => {
    const [from, ...to] = (await records('outgoing', 101)) as [number, ...number[]]
    const answers = await Promise.all(to.map((one) => link('outgoing', [from, one])))
    expect(counted(answers)).toEqual({ 201: 1, 422: 99 })
    expect(answers.find(({ status }) => status === 422)?.body.error).toBe('Too many outgoing edges')
    expect(await stored('outgoing', `from_id = ${from}`)).toHaveLength(1)
  })

  it('writers at both ends never exceed either limit, and reach the lower one', async () => {
    const nodes = await records('both_ends', 6)
    const all = nodes.flatMap((a) => nodes.map((b) => [a, b] as const)).filter(([a, b]) => a !== b)
    const shuffled = all.toSorted(() => Math.random() - 0.5)
    const answers = await Promise.all(shuffled.map((pair) => link('both_ends', pair)))
    expect(Object.keys(counted(answers)).toSorted()).toEqual(['201', '422'])
    for (const [side, most] of [
      ['from_id', 3],
      ['to_id', 2],
    ] as const) {
      const counts = await app.sql<{ n: string }>(
        `select count(*) as n from ${shop.schema}.shop_both_ends_edges group by ${side}`,
      )
      expect(Math.max(...counts.map(({ n }) => Number(n)))).toBeLessThanOrEqual(most)
    }
    // The limit of incoming edges is reached first: 6 nodes with 2 each.
    expect(await stored('both_ends', 'true')).toHaveLength(12)
  })

  it('30 writers of the same edge create it once; the others get 409', async () => {
    const [a, b] = await records('free', 2)
    expect(counted(await Promise.all(Array.from({ length: 30 }, () => link('free', [a, b]))))).toEqual({
      201: 1,
      409: 29,
    })
  })

  it('one of several writers that would close a cycle together is rejected', async () => {
    for (const length of [2, 3, 4, 4, 4, 5, 8, 8]) {
      const nodes = await records('hierarchy', length)
      const answers = await Promise.all(
        nodes.map((from, position) => link('hierarchy', [from, nodes[(position + 1) % length]])),
      )
      expect(counted(answers), `${length} nodes`).toEqual({ 201: length - 1, 422: 1 })
    }
  })

  it('writers of many edges in any order never leave a cycle, and get no error other than 409 and 422', async () => {
    const nodes = await records('hierarchy', 12)
    const someone = () => nodes[Math.floor(Math.random() * nodes.length)] as number
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => link('hierarchy', [someone(), someone()], [someone(), someone()])),
    )
    expect(answers.filter(({ status }) => ![201, 409, 422].includes(status))).toEqual([])
    const edges = await stored('hierarchy', `from_id >= ${nodes[0]}`)
    const isReached = (from: string, seen: Set<string>): boolean =>
      edges.some(
        (edge) =>
          edge.from_id === from &&
          (seen.has(edge.to_id) || isReached(edge.to_id, new Set([...seen, edge.to_id]))),
      )
    expect(nodes.filter((node) => isReached(String(node), new Set([String(node)])))).toEqual([])
    expect(edges.length).toBeGreaterThan(5)
  })

  it('writers that move edges of a hierarchy with PATCH keep its rules', async () => {
    const nodes = await records('parents', 6)
    const made = (
      await link('parents', ...nodes.slice(1).map((node, position) => [node, nodes[position]] as const))
    ).body.results
    const moves = made.map((edge: { id: string; from_id: number }, position: number) =>
      owner.patch(`parents/edges/${edge.id}/`, {
        from_id: edge.from_id,
        to_id: nodes[(position + 2) % nodes.length],
        type: 'parent',
      }),
    )
    const answers = await Promise.all(moves)
    expect(answers.filter(({ status }) => status !== 200 && status !== 422)).toEqual([])
    const edges = await stored('parents', 'true')
    const parentOf = new Map(edges.map(({ from_id, to_id }) => [from_id, to_id]))
    expect(parentOf.size).toBe(5)
    for (const node of parentOf.keys()) {
      let steps = 0
      for (let at: string | undefined = node; at !== undefined && steps < 10; steps++) at = parentOf.get(at)
      expect(steps).toBeLessThan(10)
    }
  })

  it('writing edges while nodes are deleted leaves no edge without its nodes', async () => {
    const nodes = await records('both_ends', 40)
    const writers = nodes.map((node, position) =>
      link('both_ends', [node, nodes[(position + 1) % 40]], [nodes[(position + 7) % 40], node]),
    )
    const deleters = nodes
      .filter((_, position) => position % 2 === 0)
      .map((node) => owner.delete(`both_ends/data/${node}/`))
    const answers = await Promise.all([...writers, ...deleters])
    expect(answers.filter(({ status }) => ![201, 204, 400, 422, 409].includes(status))).toEqual([])
    expect(
      await app.sql(`select from ${shop.schema}.shop_both_ends_edges e where not exists (select from ${shop.schema}.shop_both_ends n where n.id = e.from_id)
        or not exists (select from ${shop.schema}.shop_both_ends n where n.id = e.to_id)`),
    ).toEqual([])
  })
})

describe('a change of the schema', () => {
  it('removing a type while edges are written leaves no edge of this type, and writers get only 201 or 400', async () => {
    const [both, one] = [graph({ name: 'to' }, { name: 'of' }), graph({ name: 'to' })]
    await owner.patch('free/', { json_schema: both })
    for (let round = 0; round < 5; round++) {
      const nodes = await records('free', 20)
      const writers = nodes.map((node) =>
        owner.post('free/edges/', [{ from_id: node, to_id: node, type: 'of' }]),
      )
      const [changed, ...written] = await Promise.all([
        owner.patch('free/?allow_data_loss=true', { json_schema: one }),
        ...writers,
      ])
      expect(changed.status).toBe(200)
      expect(
        written.map(({ status }) => status).filter((status) => status !== 201 && status !== 400),
      ).toEqual([])
      expect(await stored('free', "type = 'of'")).toEqual([])
      expect(await owner.patch('free/', { json_schema: both })).toMatchObject({ status: 200 })
    }
  })
})

describe('a bulk of edges of a hierarchy', () => {
  it('a bulk is checked as a whole, even if it is a chain of thousands of edges', async () => {
    // The time of a statement is limited, so the machine decides how long a chain can be.
    const nodes = await records('parents', runs(3_000, 10_000))
    const chain = nodes.slice(1).map((node, position) => [node, nodes[position]] as const)
    expect(await link('parents', ...chain, [nodes[0], nodes.at(-1)])).toMatchObject({
      status: 422,
      body: { error: 'Edges form a cycle', code: 'edge_rule_violated' },
    })
    expect(await link('parents', ...chain)).toMatchObject({ status: 201 })
  })
})
