/** Finds the delimiter of CSV. */

/** The delimiters that are found. */
export const delimiters = [',', ';', '\t', '|'] as const

/** The number of lines to compare. */
export const comparedLines = 20

const countIn = (line: string, delimiter: string): number =>
  line.replace(/"(?:[^"]|"")*"/g, '').split(delimiter).length - 1

/**
 * Returns the delimiter that is in each of the first lines equally often; if there is none, the most frequent
 * one of the header. Undefined if the header has none.
 */
export function delimiterOf(lines: readonly string[]): string | undefined {
  const counted = delimiters
    .map((delimiter) => ({ delimiter, counts: lines.map((line) => countIn(line, delimiter)) }))
    .map(({ delimiter, counts }) => ({
      delimiter,
      count: counts[0] ?? 0,
      isEven: counts.every((count) => count === counts[0]),
    }))
    .filter(({ count }) => count > 0)
  const even = counted.filter(({ isEven }) => isEven)
  const [best] = (even.length > 0 ? even : counted).toSorted((one, other) => other.count - one.count)
  return best?.delimiter
}
