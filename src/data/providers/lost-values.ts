/** The values that conversions lose: those that, converted back, are other values. D8. */
import type { z } from 'zod'
import type { Sql } from '../../kernel/db/sql.ts'

/** The values that a conversion loses: how many, and up to three of them with what they become. */
export interface LostValues {
  count: number
  samples: readonly { key: Record<string, z.core.util.JSONType>; value: string; becomes: string }[]
  /** The number of records among which they are. Omitted: all records of the table. */
  examined?: number
}

/** The lost values of some rows: how many rows, and the key of the last one. */
export interface LostPage extends LostValues {
  rows: number
  last: string[] | null
}

/** Finds the values of a field that a conversion loses. */
export interface Losing {
  /** The new name of the field. */
  field: string
  /** Looks at all records, unless `isWanted` is false. */
  all(isWanted?: Sql): Sql<LostValues>
  /** Looks at the next `limit` rows after the one with the key `last`. Null: at the first ones. */
  page(last: readonly string[] | null, limit: number): Sql<LostPage>
}
