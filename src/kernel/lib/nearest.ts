/** Finds the known name that is closest to a misspelled one. */

/** Longer names are not compared, because the work grows with the square of the length. */
const lengthMax = 64

/**
 * Returns the known name with the fewest edits: a letter inserted, deleted or replaced, or two adjacent
 * letters swapped. Ignores case. Returns undefined if more than a third of the letters differ. The name
 * itself does not count: where it is known, it is in the wrong place.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > lengthMax) return undefined
  let found: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    if (candidate === name) continue
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase())
    const editsMax = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3))
    if (edits <= editsMax && edits < fewest) [found, fewest] = [candidate, edits]
  }
  return found
}

/** Computes the optimal string alignment distance. Keeps only three rows of its table. */
function editsBetween(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + Number(a[i - 1] !== b[j - 1])
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : replaced
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped))
    }
    ;[before, last] = [last, row]
  }
  return at(last, b.length)
}

const at = (row: readonly number[], index: number): number => row[index] as number
