/** The operations of the API: what the routes of the application come to, one for each method and path that is no page. */
import type { RouterRoute } from 'hono/types'
import { type Part, partOf } from './describe.ts'

export interface RoutedOperation {
  method: string
  path: string
  /** Its own handlers, in the order in which they run. */
  own: readonly RouterRoute[]
  /** What its handlers and those of all paths above it say of themselves. */
  parts: readonly Part[]
}

/** Throws if a route says nothing of itself, or two things. */
export function operationsOf(routes: readonly RouterRoute[]): RoutedOperation[] {
  const everywhere = routes.filter(({ method }) => method === 'ALL')
  const single = routes.filter(({ method }) => method !== 'ALL')
  return [...Map.groupBy(single, ({ method, path }) => `${method} ${path}`)].flatMap(([key, own]) => {
    const { method, path } = own[0] as RouterRoute
    const shared = everywhere.filter((route) => covers(route.path, path))
    const parts = [...shared, ...own].flatMap(({ handler }) => partOf(handler) ?? [])
    if (parts.some(({ isPage }) => isPage)) return []
    const summaries = parts.flatMap(({ summary }) => summary ?? [])
    if (summaries.length === 0) throw new Error(`${key} is not described`)
    if (summaries.length > 1) throw new Error(`${key} is described twice`)
    return [{ method, path, own, parts }]
  })
}

/** Whether a handler for every method at `pattern` is passed on the way to `path`. */
function covers(pattern: string, path: string): boolean {
  const prefix = pattern.replace(/\/\*$/, '')
  return pattern === '*' || path === prefix || path.startsWith(`${prefix}/`)
}
