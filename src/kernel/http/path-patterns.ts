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
export const hides = (path: string, pattern: string): boolean =>
  path !== pattern && fits(segmentsOf(path), segmentsOf(pattern))

const fits = (segments: readonly string[], patterns: readonly string[]): boolean =>
  segments.length === patterns.length &&
  patterns.every((one, place) => {
    const segment = segments[place] as string
    // Clients choose the keys of records, so a record may have the name of an operation.
    return one === segment || (isParameter(one) && !isParameter(segment) && one !== ':record')
  })

/**
 * Returns the methods that a path does not have, but a pattern that it matches: without more, `DELETE
 * /passkeys/options` would delete the passkey "options". Each path is split once, because each isolate does
 * this for all routes.
 */
export function methodsOfPatterns(routes: readonly Mounted[]): { method: string; path: string }[] {
  const methods = Map.groupBy(routes, ({ path }) => path)
  const methodsAt = (path: string) => (methods.get(path) ?? []).map(({ method }) => method)
  const paths = [...methods.keys()].map((path) => ({ path, segments: segmentsOf(path) }))
  const patterns = Map.groupBy(
    paths.filter(({ segments }) => segments.some(isParameter)),
    ({ segments }) => segments.length,
  )
  return paths.flatMap(({ path, segments }) => {
    const own = methodsAt(path)
    const hidden = (patterns.get(segments.length) ?? []).filter(
      (pattern) => pattern.path !== path && fits(segments, pattern.segments),
    )
    const missing = new Set(hidden.flatMap((pattern) => methodsAt(pattern.path)))
    return [...missing].filter((method) => !own.includes(method)).map((method) => ({ method, path }))
  })
}
