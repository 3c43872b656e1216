/** How many rows of a large table a batch has: it depends on how long the batch before took. */

/** The milliseconds that a batch is meant to take: half of what a writer may wait for it. */
const batchMs = 100
const rowsMax = 5_000

export const firstSize = 200

/** Returns the size of the batch after one of `rows` that took `ms` milliseconds. */
export const nextSize = (rows: number, ms: number): number =>
  Math.ceil(Math.min(rowsMax, rows * 2, (rows * batchMs) / Math.max(1, ms)))

/** Returns the size of a batch instead of one that ran out of time. */
export const smallerSize = (rows: number): number => Math.ceil(rows / 10)
