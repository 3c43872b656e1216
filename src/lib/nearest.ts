/** Finds the name that a client probably meant when it misspelled one. */

/** Longer names are not compared: the work grows with the square of the length. */
const lengthMax = 64

/**
 * The known name that is fewest edits away: a letter added, left out, replaced, or two neighbours swapped. Case does not
 * count. Undefined where more than a third of the letters differ.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > lengthMax) return undefined
  let found: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase())
    const editsMax = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3))
    if (edits <= editsMax && edits < fewest) [found, fewest] = [candidate, edits]
  }
  return found
}

/** Optimal string alignment distance, with three rows of its table at a time. */
function editsBetween(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + Number(a[i - 1] !== b[j - 1])
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : replaced
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped))
    }
    ;[before, last] = [last, row]
  }
  return at(last, b.length)
}

const at = (row: readonly number[], index: number): number => row[index] as number
