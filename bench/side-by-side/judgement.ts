/** Compares ratios of CPU time with the recorded ones. */
import { median } from '../stack.ts'

/** A ratio above the recorded one times this factor is too slow. */
export const tolerance = 1.25

/** The ratio of each round. */
export type Series = readonly number[]

/** Returns the names whose median exceeds the allowed ratio, and the names without a recorded ratio. */
export function slowerNames(
  series: ReadonlyMap<string, Series>,
  recorded: Readonly<Record<string, number>>,
): string[] {
  return [...series].flatMap(([name, ratios]) => (median(ratios) > limitOf(name, recorded) ? [name] : []))
}

/** Returns the highest allowed ratio; 0 if nothing is recorded. */
export const limitOf = (name: string, recorded: Readonly<Record<string, number>>): number =>
  (Object.hasOwn(recorded, name) ? (recorded[name] ?? 0) : 0) * tolerance

/**
 * Returns the names whose median is so far below the recorded ratio that the ratio should be recorded again.
 */
export function fasterNames(
  series: ReadonlyMap<string, Series>,
  recorded: Readonly<Record<string, number>>,
): string[] {
  return [...series].flatMap(([name, ratios]) =>
    median(ratios) * tolerance < (recorded[name] ?? 0) ? [name] : [],
  )
}
