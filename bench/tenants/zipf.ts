/**
 * Distributes requests over sites like visits: the second site gets half as many as the first one, the nth
 * site 1/n.
 */

/** Returns a function that turns numbers from 0 to 1 into ranks from 0: Zipf's law with the exponent 1. */
export function zipf(count: number): (share: number) => number {
  const sums: number[] = []
  for (let rank = 0; rank < count; rank++) sums.push((sums.at(-1) ?? 0) + 1 / (rank + 1))
  const total = sums.at(-1) ?? 0
  return (share) => {
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((sums[middle] as number) > share * total) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Returns pseudo-random numbers from 0 to 1 that are the same in every run: mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
