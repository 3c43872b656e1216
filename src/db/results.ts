/** What the statements of a batch answered, in their order; a negative position counts from the last. */
export class Results {
  readonly #all: readonly (readonly Row[])[]

  constructor(all: readonly (readonly Row[])[]) {
    this.#all = all
  }

  rows<Shape>(statement = 0): Shape[] {
    return (this.#all.at(statement) ?? []) as Shape[]
  }

  /** The first row, if there is one. */
  row<Shape>(statement = 0): Shape | undefined {
    return this.rows<Shape>(statement)[0]
  }

  /** The first row of a statement that always has one. */
  one<Shape>(statement = 0): Shape {
    const row = this.row<Shape>(statement)
    if (row === undefined) throw new Error('a statement that always answers a row answered none')
    return row
  }

  /** Those of some statements alone. */
  slice(start: number, end?: number): Results {
    return new Results(this.#all.slice(start, end))
  }

  /** Followed by those of other statements. */
  concat(others: Results): Results {
    return new Results([...this.#all, ...others.#all])
  }

  /** Without the first statement's. */
  rest(): Results {
    return this.slice(1)
  }
}

/** A row by its column names. */
export type Row = Record<string, unknown>
