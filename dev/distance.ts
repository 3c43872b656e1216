/** The simulated distance to the local Neon endpoint, which is 0 unless its address says otherwise. */

/** Returns the address of an endpoint as if a round trip to it took so many milliseconds. */
export function atDistance(endpoint: string, milliseconds: number): string {
  const far = new URL(endpoint)
  far.searchParams.set('distance_ms', String(milliseconds))
  return far.href
}
