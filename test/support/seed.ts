/** What generated values are made from. A run has one seed: see `run-seed.ts`. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** From 0 to 2^31 - 1. */
    seed: number
  }
}

/** The seed of this run. A test that fails says it. */
export const seed = inject('seed')
