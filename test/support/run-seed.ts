/** The number that the generated values of a run are made from. */

/** The seed of `npm test`. A change is judged by the same values as the change before it. */
const everyday = '20261123'

/** Returns TEST_SEED if it is set and not empty; otherwise a new number for a long run, and always the same for `npm test`. */
export const seedOf = (length: string): string =>
  process.env.TEST_SEED || (length === 'short' ? everyday : String(Math.floor(Math.random() * 2 ** 31)))
