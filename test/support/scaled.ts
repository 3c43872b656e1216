/** Deadlines of tests, by what this machine can do. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How much slower this machine is than the one that deadlines are written for: slowness.ts. */
    slowness: number
  }
}

/**
 * Returns what may take so many milliseconds here, which takes `milliseconds` on a machine that has nothing
 * else to do: whole ones, as timers of Node take no others.
 */
export const scaled = (milliseconds: number): number => Math.ceil(milliseconds * inject('slowness'))
