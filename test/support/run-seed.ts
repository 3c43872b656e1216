/** The number that seeds the generated values of a run. */

/**
 * The seed of `npm test`. It is constant, so that a change is tested with the same values as the previous
 * one.
 */
const everyday = '20261123'

/**
 * Returns TEST_SEED if it is set and not empty. Otherwise returns a new number for a long run, and a constant
 * for `npm test`.
 */
export const seedOf = (length: string): string =>
  process.env.TEST_SEED || (length === 'short' ? everyday : String(Math.floor(Math.random() * 2 ** 31)))
