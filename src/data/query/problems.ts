/** Collects all problems of a query, by parameter, so that one answer names them all. R2. */
import { AppError } from '../../kernel/errors.ts'
import { ProblemList } from '../../kernel/lib/problem-list.ts'
import { HistoryMissing } from '../model/history-missing.ts'
import type { Table } from '../model/table.ts'

/** The problems of a query that were found so far. */
export class Problems extends ProblemList {
  /** The table that the query wants to read as of a time, and that has no history. */
  withoutHistory: Table | undefined

  /**
   * Returns a collector for a part of a parameter. It adds its problems to this collector, with `part` before
   * each message.
   */
  within(parameter: string, part: string): Problems {
    return new PartProblems(this, parameter, part)
  }

  /** Throws 400 `{error, details}` if anything was found. */
  throwIfAny(): void {
    if (this.isEmpty) return
    const body = { error: 'Validation failed', details: this.details() }
    throw this.withoutHistory
      ? new HistoryMissing(this.withoutHistory, 400, 'validation_failed', body)
      : new AppError(400, 'validation_failed', body)
  }
}

/** The problems of a part of a parameter. */
class PartProblems extends Problems {
  readonly #whole: Problems
  readonly #parameter: string
  readonly #part: string

  constructor(whole: Problems, parameter: string, part: string) {
    super()
    this.#whole = whole
    this.#parameter = parameter
    this.#part = part
  }

  override add(_parameter: string, message: string): void {
    this.#whole.add(this.#parameter, `${this.#part}${message}`)
  }

  override get isEmpty(): boolean {
    return this.#whole.isEmpty
  }
}
