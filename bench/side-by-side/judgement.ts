/** Judges ratios of CPU time against recorded ones. */
import { median } from '../stack.ts'

/** How many times the recorded ratio is too much. */
export const tolerance = 1.25

/** The ratio of each round. */
export type Series = readonly number[]

/** Returns the names whose median is above what is allowed, and those with nothing recorded. */
export function slowerNames(
  series: ReadonlyMap<string, Series>,
  recorded: Readonly<Record<string, number>>,
): string[] {
  return [...series].flatMap(([name, ratios]) => (median(ratios) > limitOf(name, recorded) ? [name] : []))
}

/** Returns the highest ratio that is allowed; 0 where nothing is recorded. */
export const limitOf = (name: string, recorded: Readonly<Record<string, number>>): number =>
  (Object.hasOwn(recorded, name) ? (recorded[name] ?? 0) : 0) * tolerance

/** Returns the names whose median is so far below the recorded ratio that it should be recorded anew. */
export function fasterNames(
  series: ReadonlyMap<string, Series>,
  recorded: Readonly<Record<string, number>>,
): string[] {
  return [...series].flatMap(([name, ratios]) =>
    median(ratios) * tolerance < (recorded[name] ?? 0) ? [name] : [],
  )
}
