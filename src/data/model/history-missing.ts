/** The refusal of a read that needs the history of a table that has none. */
import { AppError, type Json } from '../../kernel/errors.ts'
import type { Table } from './table.ts'

/** An error whose cause is that `table` has no history. */
export class HistoryMissing extends AppError {
  readonly table: Table

  constructor(
    table: Table,
    ...error: [status: 400 | 422, code: 'validation_failed' | 'no_history', body: Json]
  ) {
    super(...error)
    this.table = table
  }
}
