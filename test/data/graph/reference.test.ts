/**
 * The walks of the service return the same as an independent implementation, for random trees and graphs of
 * several types, with and without cycles.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'
import {
  asPath,
  type Edge,
  type Graph,
  nodesTable,
  someGraph,
  someWalk,
  type Walk,
  walk,
} from '../../support/graph-model.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'

let app: TestApp
let shop: Shop
let graphs: Graph[]
/** The paths of the records: as rows and as documents. */
let kept: string[]

const count = runs(40, 300)
const walksEach = 8

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'walks', { resources: [nodesTable] })
  graphs = Array.from(
    { length: count },
    (_, number) => fc.sample(someGraph(number + 1), { numRuns: 1, seed: seed + number })[0] as Graph,
  )
  kept = [shop.data('nodes'), (await addDocuments(app, shop, [nodesTable]))('nodes')]
  const { token } = shop.owner
  const nodes = graphs.flatMap((graph) => graph.nodes)
  for (const data of kept) {
    const made = [
      await app.request('POST', data, { token, body: nodes.map(({ is_deleted, ...node }) => node) }),
      await app.request('POST', data.replace('/data/', '/edges/'), {
        token,
        body: graphs.flatMap(({ edges }) => edges),
      }),
      // Nodes are deleted after their edges are created.
      await app.request('PATCH', data, {
        token,
        body: nodes.map(({ id, is_deleted }) => ({ id, is_deleted })),
      }),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 201, 200])
  }
})

/** Filters that an access rule can have, each with the same condition in TypeScript. */
const parts: [where: object, has: (node: Graph['nodes'][number]) => boolean][] = [
  [{ colour: 'red' }, ({ colour }) => colour === 'red'],
  [{ colour: 'blue' }, ({ colour }) => colour === 'blue'],
  [{ colour__null: true }, ({ colour }) => colour === null],
  [{ not: { colour: 'red' } }, ({ colour }) => colour !== 'red'],
  [{ graph__gt: count / 2 }, ({ graph }) => graph > count / 2],
]

/**
 * Returns the part of a graph that a guest may see: nodes that match a filter, and the edges between them.
 */
function seenOf({ nodes, edges }: Graph, seen: readonly (typeof parts)[number][]): Graph {
  const left = nodes.filter((node) => !node.is_deleted && seen.some(([, has]) => has(node)))
  const isLeft = (end: number) => left.some(({ id }) => id === end)
  return {
    nodes: left,
    edges: edges.filter(({ from_id, to_id }) => isLeft(from_id) && isLeft(to_id)),
  }
}

/** Returns an answer without the ids of edges, and with the edges sorted. */
function plain(body: {
  page?: number
  data?: { edges?: { from: number; to: number; type: string }[] }
}): unknown {
  if (body.page !== undefined) return { data: body.data }
  if (!Array.isArray(body.data?.edges)) return body
  const edges = body.data.edges
    .map(({ from, to, type }) => JSON.stringify({ from_id: from, to_id: to, type } satisfies Edge))
    .toSorted()
  return { ...body, data: { ...body.data, edges } }
}

describe('a walk', () => {
  it('reaches the same nodes, at the same depths, by the same edges, as the independent implementation', async () => {
    const asked = graphs.flatMap((graph, number): [Graph, Walk][] =>
      fc.sample(someWalk(graph), { numRuns: walksEach, seed: seed + number }).map((one) => [graph, one]),
    )
    let nodes = 0
    for (let start = 0; start < asked.length; start += 8) {
      await Promise.all(
        asked.slice(start, start + 8).map(async ([graph, one], place) => {
          const path = asPath(graph, one)
          const expected = walk(graph, one)
          const { status, body } = await app.request('GET', `${kept[place % 2]}${path}`, {
            token: shop.owner.token,
          })
          const context = `seed ${seed}: ${path} of ${JSON.stringify(graph)}`
          if (expected === undefined) expect(status, context).toBe(404)
          else expect([status, plain(body)], context).toEqual([200, expected])
          nodes += JSON.stringify(expected ?? '').split('"_depth"').length - 1
        }),
      )
    }
    // The test proves nothing if most answers are empty.
    expect(nodes).toBeGreaterThan(7 * count)
  }, 60_000)

  it('of a guest follows and lists only edges whose ends are both visible by rules', async () => {
    const stranger = await app.user('stranger')
    const pairs = fc.sample(fc.shuffledSubarray(parts, { minLength: 2, maxLength: 2 }), { numRuns: 2, seed })
    let found = 0
    for (const [place, [first, second]] of pairs.entries()) {
      const data = kept[place] as string
      const edges = data.replace('/data/', '/edges/')
      const rules = [first, second].map((part, index) => ({
        name: `rule ${index}`,
        who: index === 0 ? 'anyone' : 'signed-in',
        can: ['read'],
        where: (part as (typeof parts)[number])[0],
      }))
      const access = data.replace('/data/', '/access/')
      const set = await app.request('PUT', access, { token: shop.owner.token, body: { rules } })
      expect([set.status, set.body.rules]).toEqual([200, rules])
      for (const [guest, seen] of [
        [{}, [first]],
        [{ token: stranger.token }, [first, second]],
      ] as [{ token?: string }, (typeof parts)[number][]][]) {
        const left = graphs.map((graph) => seenOf(graph, seen))
        const listed = await app.request('GET', `${edges}?page_size=1000`, guest)
        const told = listed.body.data.map(({ from_id, to_id, type }: Edge) => `${from_id} ${to_id} ${type}`)
        const all = left.flatMap((graph) => graph.edges)
        expect(told.toSorted(), `seed ${seed}`).toEqual(
          all
            .map(({ from_id, to_id, type }) => `${from_id} ${to_id} ${type}`)
            .toSorted()
            .slice(0, 1000),
        )
        for (const [number, graph] of graphs.entries()) {
          const [one] = fc.sample(someWalk(graph), { numRuns: 1, seed: seed + place + number }) as [Walk]
          const rest = left[number] as Graph
          const path = asPath(graph, one)
          const isHidden = one.start !== undefined && !rest.nodes.some(({ id }) => id === one.start)
          const { status, body } = await app.request('GET', `${data}${path}`, guest)
          const context = `seed ${seed}: ${path} of ${JSON.stringify(graph)} by ${JSON.stringify(rules)}`
          if (isHidden) expect(status, context).toBe(404)
          else expect([status, plain(body)], context).toEqual([200, walk(rest, one)])
          found += JSON.stringify(body).split('"_depth"').length - 1
        }
      }
    }
    // The test proves nothing if most answers are empty.
    expect(found).toBeGreaterThan(count)
  }, 120_000)
})
