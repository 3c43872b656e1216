/** The rows of unnamed statements by position, for tests that send many of them. */
import type { Rows } from '../../src/kernel/db/batch.ts'

/** The rows of a list of statements. A negative position counts from the last statement. */
export class Results {
  readonly #all: readonly Rows<unknown>[]

  constructor(all: readonly Rows<unknown>[]) {
    this.#all = all
  }

  /** Returns the rows of a statement. */
  rows<Shape>(statement = 0): Shape[] {
    return [...(this.#all.at(statement)?.all ?? [])] as Shape[]
  }

  /** Returns the first row of a statement that always has one. */
  one<Shape>(statement = 0): Shape {
    const [row] = this.rows<Shape>(statement)
    if (row === undefined) throw new Error('A statement that always returns a row returned none.')
    return row
  }
}
