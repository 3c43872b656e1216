/**
 * The shortest path between two records, as the console finds it, compared with a plain search of the whole
 * graph.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShownEdge } from '../../../../console/src/pages/graph/edge.ts'
import { findPath } from '../../../../console/src/pages/graph/path.ts'
import { runs } from '../../../support/runs.ts'

const nodeCount = 12
const graphs = fc
  .array(fc.tuple(fc.nat(nodeCount - 1), fc.nat(nodeCount - 1)), { maxLength: 24 })
  .map((pairs) =>
    pairs.map(
      ([from, to], index): ShownEdge => ({
        id: String(index),
        from: String(from),
        to: String(to),
        type: 'next',
        metadata: {},
      }),
    ),
  )

const readerOf = (edges: readonly ShownEdge[]) => async (keys: readonly string[], end: 'from' | 'to') =>
  edges.filter((edge) => keys.includes(edge[end]))

/** Returns the number of steps between two records, or undefined if there is no path. */
function distance(edges: readonly ShownEdge[], start: string, end: string, isDirected: boolean) {
  const depths = new Map([[start, 0]])
  for (const [key, depth] of depths)
    for (const { from, to } of edges) {
      if (from === key && !depths.has(to)) depths.set(to, depth + 1)
      if (!isDirected && to === key && !depths.has(from)) depths.set(from, depth + 1)
    }
  return depths.get(end)
}

describe('the shortest path', () => {
  it('is not found if the search has read more edges than it may', async () => {
    const edges = Array.from({ length: 9 }, (_, index) => ({
      ...{ id: String(index), from: String(index), to: String(index + 1) },
      ...{ type: 'next', metadata: {} },
    }))
    const found = await findPath('0', '9', readerOf(edges), { isDirected: false, edgesMax: 4 })
    expect(found).toEqual({ kind: 'gaveUp', read: 5 })
  })

  it('has as few steps as the plain search finds, and leads from record to record', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, fc.boolean(), async (edges, isDirected) => {
        const found = await findPath('0', '1', readerOf(edges), { isDirected, edgesMax: 1_000 })
        const steps = distance(edges, '0', '1', isDirected)
        if (found.kind !== 'path') {
          expect(steps).toBeUndefined()
          return
        }
        expect(found.steps.length).toBe(steps)
        expect([found.keys[0], found.keys.at(-1)]).toEqual(['0', '1'])
        found.steps.forEach(({ from, to }, index) => {
          const ends = [found.keys[index], found.keys[index + 1]]
          expect(isDirected ? [from, to] : [from, to].toSorted()).toEqual(isDirected ? ends : ends.toSorted())
        })
      }),
      { numRuns: runs(200, 5_000) },
    )
  })
})
