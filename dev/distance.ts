/**
 * The simulated distance to the local Neon endpoint, which is 0 unless the address of the endpoint has
 * another one.
 */

/** Returns the address of an endpoint that simulates round trips of this many milliseconds. */
export function atDistance(endpoint: string, milliseconds: number): string {
  const far = new URL(endpoint)
  far.searchParams.set('distance_ms', String(milliseconds))
  return far.href
}
