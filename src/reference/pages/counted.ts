/** Counts things in words. */

/** Returns a number with the name of what it counts, for example `1 filter` and `2 filters`. */
export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`
