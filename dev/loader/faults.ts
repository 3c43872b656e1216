/** Problems of files, with the file, the line and the column. */
import { Refusal } from './refusal.ts'

/** A place in a file. */
interface Place {
  file: string
  /** The line, from 1. */
  line?: number | undefined
  /** The position of the value in its row, from 1. */
  column?: number | undefined
  /** The name of the column. */
  name?: string | undefined
}

/** An error in a file. */
export interface Fault extends Place {
  text: string
  /** What is wrong, without the value. Faults of one column with the same cause are listed as one. */
  cause?: string | undefined
}

type Described = Omit<Fault, 'line'> & { line?: number | string | undefined }

/** The maximum number of printed causes. */
export const faultsMax = 100

/** Returns a fault as one line of text. `line` may be several lines. */
export function describeFault({ file, line, column, name, text }: Described): string {
  const label = name === undefined ? '' : ` (${plain(name)})`
  const parts = [
    plain(file),
    line === undefined ? [] : `line${typeof line === 'string' ? 's' : ''} ${line}`,
    column === undefined ? [] : `column ${column}${label}`,
  ]
  return `${parts.flat().join(', ')}: ${plain(text)}`
}

/** Control characters in a file could change the terminal's display. */
const control = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Returns a text with its control characters as spaces, for a terminal. */
export const plain = (text: string): string => text.replace(control, ' ')

/** A refusal that lists faults of files. */
export class FaultsError extends Refusal {
  constructor(faults: readonly Fault[]) {
    super(listFaults(faults))
  }
}

/** Returns the faults by their causes, one a line, and how many are not listed. */
export function listFaults(faults: Iterable<Fault>): string {
  const list = new FaultList()
  list.add(...faults)
  return list.text()
}

/** The maximum number of lines that are named for one cause. */
const linesMax = 5

/** Faults of one column with the same cause: the first one, and where the others are. */
interface Group {
  first: Fault
  lines: number[]
  count: number
}

/** Collects any number of faults by their causes. */
export class FaultList {
  count = 0
  readonly #groups = new Map<string, Group>()

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      this.count++
      const { file, line, column, cause, text } = fault
      const key = JSON.stringify([file, column, line === undefined ? text : (cause ?? text)])
      const group = this.#groups.get(key) ?? { first: fault, lines: [], count: 0 }
      group.count++
      if (line !== undefined && group.lines.length < linesMax) group.lines.push(line)
      if (group.count > 1 || this.#groups.size < faultsMax) this.#groups.set(key, group)
    }
  }

  /** Returns a line for each cause. */
  text(): string {
    const groups = [...this.#groups.values()]
    const others = this.count - groups.reduce((sum, { count }) => sum + count, 0)
    const more = others > 0 ? [`… and ${others.toLocaleString('en')} more.`] : []
    return [...groups.map(describeGroup), ...more].join('\n')
  }
}

function describeGroup({ first, lines, count }: Group): string {
  if (count === 1 || lines.length === 0) return describeFault(first)
  const others = count - lines.length
  const named = others > 0 ? `${lines.join(', ')} and ${others.toLocaleString('en')} more` : listed(lines)
  return describeFault({ ...first, line: named })
}

const listed = (lines: readonly number[]): string => `${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`
