/** The skipped rows, as JSON lines in a file: the position of each, its problems, and its values. */
import { appendFileSync, existsSync, statSync } from 'node:fs'
import { describeFault, type Fault } from './faults.ts'
import { Refusal } from './refusal.ts'
import { Cell } from './rows/cells.ts'
import type { Row } from './rows/row.ts'

/** Takes rows that are left out. */
export interface BadRows {
  readonly file: string
  count: number
  add(table: string, row: Row, faults: readonly Fault[]): void
}

/** Opens the file. Throws a Refusal if it has content from another load. */
export function badRowsFile(file: string, isResumed: boolean): BadRows {
  if (!isResumed && existsSync(file) && statSync(file).size > 0)
    throw new Refusal(`${file} exists. Move it away, or name another file with --bad-rows.`)
  return {
    file,
    count: 0,
    add(table, { file: source, line, header, values, fault }, faults) {
      this.count++
      const named = Object.fromEntries(
        header.labels.map((label, index) => [label, plainValue(values[index])]),
      )
      const texts = faults.length > 0 ? faults.map(describeFault) : [fault]
      const written = {
        table,
        file: source,
        line,
        faults: texts,
        row: header.labels.length > 0 ? named : values,
      }
      appendFileSync(file, `${JSON.stringify(written)}\n`)
    },
  }
}

const plainValue = (value: unknown): unknown => (value instanceof Cell ? value.text : (value ?? null))
