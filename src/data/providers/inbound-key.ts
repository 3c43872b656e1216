/** Foreign keys that reference a table, and the records that they hold. R18. */
import type { ForeignKeySchema } from '../model/schema-form.ts'
import type { Table } from '../model/table.ts'

/** A foreign key to a table, and the table that has it. */
export interface InboundKey {
  table: Table
  key: ForeignKeySchema
  /** The table that it references. Omitted: the one that is asked about. */
  referenced?: Table
}

/** A record that is referenced: its position, that of the key, and the referenced values. */
export type HeldRecord = readonly [place: number, key: number, values: string]
