/**
 * The statements that a change of a large table runs before its transaction, while others read and write the
 * table.
 */
import type { Sql } from '../../kernel/db/sql.ts'

/**
 * The order of the work. Indexes come before constraints, because constraints restrict writers from then on.
 */
export const onlineStages = ['column', 'rows', 'index', 'constraint', 'validation'] as const

/**
 * A statement on a large table that blocks neither reads nor writes. Each runs in its own transaction; but
 * indexes are built concurrently, outside of any transaction. Its results have pending names (model/names.ts)
 * until the new schema is in force. `stage` is its place in the order of all online statements of a change.
 */
export interface OnlineStatement {
  stage: (typeof onlineStages)[number]
  statement: Sql
  /** The same work, some rows at a time. Omitted: the statement runs as a whole. */
  batches?: Batches
}

/** Work on all rows of a table, in the order of their keys. A row that is done already stays as it is. */
export interface Batches {
  /** Does the work for the next `limit` rows after the one with the key `after`. Null: from the first on. */
  next(after: readonly string[] | null, limit: number): Sql<BatchRow>
}

/** The result of a batch. */
export interface BatchRow {
  /** The number of its rows. */
  rows: number
  /** The key of the last one; null if there was none. */
  last: string[] | null
  /** The number of values that cannot be converted, and of those that the conversion loses. */
  unfit: number
  lost: number
}

/** Creates a statement of the online phase. */
export const onlineStatement = (
  stage: OnlineStatement['stage'],
  statement: Sql,
  batches?: Batches,
): OnlineStatement => ({ stage, statement, ...(batches ? { batches } : {}) })
