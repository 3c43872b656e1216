/** The seed of generated values. A run has one seed: see `run-seed.ts`. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** From 0 to 2^31 - 1. */
    seed: number
  }
}

/** The seed of this run. A failing test prints it. */
export const seed = inject('seed')
