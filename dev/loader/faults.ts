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
}

/** The maximum number of printed faults. */
export const faultsMax = 100

/** Returns a fault as one line of text. */
export function describeFault({ file, line, column, name, text }: Fault): string {
  const label = name === undefined ? '' : ` (${plain(name)})`
  const parts = [
    plain(file),
    line === undefined ? [] : `line ${line}`,
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
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[], count = faults.length) {
    super(listFaults(faults, count))
    this.faults = faults
  }
}

/** Returns the faults, one per line, and how many of `count` are not listed. */
export function listFaults(faults: readonly Fault[], count = faults.length): string {
  const lines = faults.slice(0, faultsMax).map(describeFault)
  const others = count - lines.length
  return [...lines, ...(others > 0 ? [`… and ${others.toLocaleString('en')} more.`] : [])].join('\n')
}

/** The maximum number of printed faults of one column, because more add no information. */
const perColumnMax = 20

/** Collects any number of faults, and keeps the first ones of each column. */
export class FaultList {
  readonly kept: Fault[] = []
  count = 0
  private readonly byColumn = new Map<string, number>()

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      this.count++
      const column = `${fault.file}\n${fault.column ?? ''}`
      const count = (this.byColumn.get(column) ?? 0) + 1
      this.byColumn.set(column, count)
      if (count <= perColumnMax && this.kept.length < faultsMax) this.kept.push(fault)
    }
  }

  throwIfAny(): void {
    if (this.count > 0) throw new FaultsError(this.kept, this.count)
  }
}
