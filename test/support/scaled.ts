/** Deadlines of tests, scaled to the speed of this machine. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How much slower this machine is than the one that deadlines are written for: slowness.ts. */
    slowness: number
  }
}

/**
 * Scales a time for this machine. `milliseconds` is the time on the reference machine without other load.
 * Returns whole milliseconds, because Node's timers accept no others.
 */
export const scaled = (milliseconds: number): number => Math.ceil(milliseconds * inject('slowness'))
