/**
 * Walks of the service beside plain walks: 200 random trees and graphs, with and without cycles, of several
 * types.
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
/** The paths of the records as rows and as documents. */
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
      // The edges existed before their nodes were deleted.
      await app.request('PATCH', data, {
        token,
        body: nodes.map(({ id, is_deleted }) => ({ id, is_deleted })),
      }),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 201, 200])
  }
})

/** Returns an answer without the order and the ids of edges. */
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
  it('a walk reaches the same nodes, at the same depths, by the same edges, as one in plain TypeScript', async () => {
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
    // The test would prove nothing if most answers were empty.
    expect(nodes).toBeGreaterThan(7 * count)
  }, 60_000)
})
