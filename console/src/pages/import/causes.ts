/** The causes for which rows are wrong. */
import type { WrongRow } from './send.ts'

/** A problem, with the first text of it and the lines of all rows that have it. */
interface Cause {
  cause: string
  text: string
  lines: readonly number[]
}

/** Groups the problems of the rows, in the order of the file. */
export function causesOf(wrong: readonly WrongRow[]): Cause[] {
  const found = new Map<string, { text: string; lines: number[] }>()
  for (const { row, problems } of wrong.toSorted((one, other) => one.row.line - other.row.line))
    for (const { cause, text } of problems) {
      const known = found.get(cause)
      if (known) known.lines.push(row.line)
      else found.set(cause, { text, lines: [row.line] })
    }
  return [...found].map(([cause, one]) => ({ cause, ...one }))
}
