/** Invented values that are the same at every start. */

export const dayMs = 86_400_000

/** Returns the date of a time, in UTC. */
export const day = (time: number): string => new Date(time).toISOString().slice(0, 10)

export interface Randomness {
  /** The next number from 0 to 1. */
  random(): number
  pick<Item>(items: readonly Item[]): Item
  /** A whole number between two bounds, including both. */
  between(min: number, max: number): number
}

/** Returns a generator with the same sequence for the same seed. */
export function randomness(seed: number): Randomness {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    random,
    pick: (items) => items[Math.floor(random() * items.length)] as (typeof items)[number],
    between: (min, max) => min + Math.floor(random() * (max - min + 1)),
  }
}
