/**
 * An index of the paths of all routes. It finds the routes at a path, and how much of an unknown path is
 * known.
 */
import { TrieRouter } from 'hono/router/trie-router'
import { quoteValue } from '../lib/quote-value.ts'
import type { ListedRoute } from './mount.ts'
import { hides, isParameter, segmentsOf } from './path-patterns.ts'

/** The paths of the application. */
export interface PathIndex {
  /** Returns the routes at a path, one for each method. The first route of a method answers it. */
  routesAt(path: string): ListedRoute[]
  /** The operations of the API by the segments of their paths. */
  readonly operations: readonly (readonly string[])[]
}

export function pathIndex(routes: readonly ListedRoute[]): PathIndex {
  const router = new TrieRouter<ListedRoute>()
  for (const route of routes) router.add('ANY', route.path, route)
  return {
    routesAt(path) {
      const [matches] = router.match('ANY', path)
      const found = matches.map(([route]) => route)
      const own = found.filter((route) => !found.some((other) => hides(other.path, route.path)))
      const byMethod = new Map(own.toReversed().map((route) => [route.method, route]))
      return [...byMethod.values()].toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
    },
    operations: routes.filter(({ isPage }) => !isPage).map(({ path }) => segmentsOf(path)),
  }
}

const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Returns a text that says which segment of an unknown path no operation has, and which segments are possible
 * there. The reference is public, so everybody may know this.
 */
export function describePath({ operations }: PathIndex, path: string): string {
  const segments = segmentsOf(path)
  let known = operations
  for (const [place, segment] of segments.entries()) {
    const next = known.filter((template) => template[place] === segment || isParameter(template[place] ?? ''))
    if (next.length === 0) {
      const expected = new Set(known.flatMap((template) => template[place] ?? []))
      const before = `/${segments.slice(0, place).join('/')}`
      return `No operation has ${quoteValue(segment)} after ${quoteValue(before)}. ${continuations(expected)}`
    }
    known = next
  }
  const expected = new Set(known.flatMap((template) => template[segments.length] ?? []))
  return `No operation has this path. ${continuations(expected)}`
}

const continuations = (expected: ReadonlySet<string>): string =>
  expected.size === 0
    ? 'Nothing can follow there. /api/docs/ lists all operations.'
    : `Known there: ${[...expected].map(asShown).join(', ')}. /api/docs/ lists all operations.`

const asShown = (segment: string): string => (isParameter(segment) ? `{${segment.slice(1)}}` : segment)
