/** Writes numbers with nouns. */

/** Returns a number with its noun, for example `1 filter` and `2 filters`. */
export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`
