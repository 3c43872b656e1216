/** Values of spreadsheets that are no texts. */

/** A value with its text, as the sheet shows it. */
export abstract class Cell {
  abstract readonly text: string

  toString(): string {
    return this.text
  }
}

/** A number, with its text in the file. */
export class CellNumber extends Cell {
  readonly text: string

  constructor(text: string) {
    super()
    this.text = text
  }
}

/** A cell that has no value: an error such as #N/A, or a formula whose result is not in the file. */
export class CellError extends Cell {
  readonly text: string
  readonly problem: string

  constructor(text: string, problem: string) {
    super()
    this.text = text
    this.problem = problem
  }
}

/** A type of field that a date, a time of day or a duration of a sheet can have. */
export type MomentType = 'date' | 'datetime' | 'time' | 'duration'

/** A date, a time of day or a duration, as the format of its cell shows it. */
export class CellMoment extends Cell {
  readonly type: MomentType
  /** The value for each type of field that can have it without a loss. The first one is its own type. */
  readonly values: ReadonlyMap<string, string>

  constructor(type: MomentType, values: readonly (readonly [type: string, value: string])[]) {
    super()
    this.type = type
    this.values = new Map(values)
  }

  get text(): string {
    return this.values.get(this.type) ?? ''
  }
}
