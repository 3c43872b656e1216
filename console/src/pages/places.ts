/** All pages: every folder here with a file `place.ts`. */
import type { Place } from './define-place.ts'

export const places: readonly Place[] = Object.values(
  import.meta.glob<{ default: Place }>('./*/place.ts', { eager: true }),
).map((module) => module.default)
