/** How often a test does what shows more the more often it is done. */
import { inject } from 'vitest'

/** `short` in `npm test`, `long` in `npm run test:long`, and `soak`, by default as many, in `npm run soak`. */
export function runs(short: number, long: number, soak = long): number {
  return { short, long, soak }[inject('length')]
}
