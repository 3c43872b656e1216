/**
 * Puts load on a peer: a number of concurrent requests, each of which is followed by the next one at once.
 */

export interface Load {
  /** The number of answered requests. */
  count: number
  seconds: number
  /** The milliseconds of each request, sorted. */
  latencies: number[]
}

export interface Amount {
  concurrency: number
  seconds: number
}

/**
 * Sends requests, numbered from `first`, until the time is over, and then waits for the pending ones. Rejects
 * if a request fails.
 */
export async function loadWith(
  send: (n: number) => Promise<unknown>,
  first: number,
  { concurrency, seconds }: Amount,
): Promise<Load> {
  const latencies: number[] = []
  const began = performance.now()
  const deadline = began + seconds * 1000
  let next = first
  async function one(): Promise<void> {
    while (performance.now() < deadline) {
      const sent = performance.now()
      await send(next++)
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  return {
    count: latencies.length,
    seconds: (performance.now() - began) / 1000,
    latencies: latencies.toSorted((a, b) => a - b),
  }
}

/** Returns the value below which a share of sorted values lies. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
