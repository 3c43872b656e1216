/** The shortest path between two records, found by reading edges level by level from both ends. */
import type { ShownEdge } from './edge.ts'

/** Reads all edges that lead out of or into records. */
export type ReadEdges = (keys: readonly string[], end: 'from' | 'to') => Promise<readonly ShownEdge[]>

/** The found path: the steps from the first record to the last one, in order. */
export type Found =
  | { kind: 'path'; keys: string[]; steps: ShownEdge[] }
  | { kind: 'none' }
  /** Thrown if a search has read more edges than allowed. */
  | { kind: 'gaveUp'; read: number }

interface Side {
  /** The step by which each record was first reached. The start has none. */
  by: Map<string, ShownEdge | undefined>
  depths: Map<string, number>
  frontier: string[]
  depth: number
}

const sideOf = (start: string): Side => ({
  by: new Map([[start, undefined]]),
  depths: new Map([[start, 0]]),
  frontier: [start],
  depth: 0,
})

/**
 * Searches for a shortest path. With `isDirected`, steps only follow the arrows. It extends the side with the
 * smaller frontier by a whole level, so that the first meeting has the smallest distance. `edgesMax` limits
 * the number of loaded edges.
 */
export async function findPath(
  start: string,
  end: string,
  read: ReadEdges,
  { isDirected, edgesMax }: { isDirected: boolean; edgesMax: number },
): Promise<Found> {
  if (start === end) return { kind: 'path', keys: [start], steps: [] }
  const near = sideOf(start)
  const far = sideOf(end)
  let count = 0
  while (near.frontier.length > 0 && far.frontier.length > 0) {
    const isNear = near.frontier.length <= far.frontier.length
    const side = isNear ? near : far
    const ends = isDirected ? [isNear ? ('from' as const) : ('to' as const)] : (['from', 'to'] as const)
    const answers = await Promise.all(ends.map((one) => read(side.frontier, one)))
    count += answers.reduce((sum, edges) => sum + edges.length, 0)
    grow(side, answers.flat(), isDirected ? ends[0] : undefined)
    const meeting = nearest(side, isNear ? far : near)
    if (meeting !== undefined) return pathThrough(meeting, near, far)
    if (count > edgesMax) return { kind: 'gaveUp', read: count }
  }
  return { kind: 'none' }
}

/** Adds the records of the next level. `end`: the requested end of the edges; undefined for both. */
function grow(side: Side, edges: readonly ShownEdge[], end: 'from' | 'to' | undefined): void {
  const before = new Set(side.frontier)
  const next: string[] = []
  side.depth++
  const reach = (from: string, to: string, step: ShownEdge) => {
    if (!before.has(from) || side.by.has(to)) return
    side.by.set(to, step)
    side.depths.set(to, side.depth)
    next.push(to)
  }
  for (const step of edges) {
    if (end !== 'to') reach(step.from, step.to, step)
    if (end !== 'from') reach(step.to, step.from, step)
  }
  side.frontier = next
}

/** Returns the record of the new level at which the two sides meet with the shortest path. */
function nearest(side: Side, other: Side): string | undefined {
  let best: string | undefined
  for (const key of side.frontier) {
    const depth = other.depths.get(key)
    if (depth !== undefined && (best === undefined || depth < (other.depths.get(best) ?? Infinity)))
      best = key
  }
  return best
}

function pathThrough(meeting: string, near: Side, far: Side): Found {
  const first = walkBack(meeting, near)
  const last = walkBack(meeting, far)
  return {
    kind: 'path',
    keys: [...first.keys.toReversed(), meeting, ...last.keys],
    steps: [...first.steps.toReversed(), ...last.steps],
  }
}

/** Returns the records from one back to the start of its side, and the steps between them. */
function walkBack(from: string, { by }: Side): { keys: string[]; steps: ShownEdge[] } {
  const keys: string[] = []
  const steps: ShownEdge[] = []
  let at = from
  for (let step = by.get(at); step !== undefined; step = by.get(at)) {
    at = step.from === at ? step.to : step.from
    keys.push(at)
    steps.push(step)
  }
  return { keys, steps }
}
