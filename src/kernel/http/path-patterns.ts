/** Paths of routes as patterns: which path is a special case of which. */

/** A method of a path. */
interface Mounted {
  readonly method: string
  readonly path: string
}

/** Returns the parts of a path between its slashes. */
export const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean)

/** Tells whether a segment stands for any text. */
export const isParameter = (segment: string): boolean => segment.startsWith(':')

/** Tells whether a path is a special case of a pattern: `/api/users/me` of `/api/users/:username`. */
export function hides(path: string, pattern: string): boolean {
  if (path === pattern) return false
  const segments = segmentsOf(path)
  const patterns = segmentsOf(pattern)
  return (
    segments.length === patterns.length &&
    patterns.every((one, place) => {
      const segment = segments[place] as string
      // Clients choose the keys of records, so a record may have the name of an operation.
      return one === segment || (isParameter(one) && !isParameter(segment) && one !== ':record')
    })
  )
}

/**
 * Returns the methods that a path does not have, but a pattern that it matches: without more, `DELETE
 * /passkeys/options` would delete the passkey "options".
 */
export function methodsOfPatterns(routes: readonly Mounted[]): { method: string; path: string }[] {
  const methods = Map.groupBy(routes, ({ path }) => path)
  const has = (path: string, method: string) => methods.get(path)?.some((route) => route.method === method)
  return [...methods.keys()].flatMap((path) => {
    const hidden = routes.filter((route) => hides(path, route.path) && !has(path, route.method))
    return [...new Set(hidden.map(({ method }) => method))].map((method) => ({ method, path }))
  })
}
