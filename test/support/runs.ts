/** The number of repetitions of a test that finds more errors the more often it runs. */
import { inject } from 'vitest'

/**
 * Returns `short` in `npm test`, `long` in `npm run test:long`, and `soak`, by default the same as `long`, in
 * `npm run soak`.
 */
export function runs(short: number, long: number, soak = long): number {
  return { short, long, soak }[inject('length')]
}
