/** A field of a datatable as planners and renderers use it. */
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Rule } from './constraints.ts'
import type { FieldType } from './field-types.ts'
import type { FieldSchema } from './schema-form.ts'

/** A field with its column and everything that follows from its schema. */
export interface Field {
  name: string
  schema: FieldSchema
  type: FieldType
  column: Sql
  rules: readonly Rule[]
  /** Whether the field may not be null. */
  required: boolean
  /** The value that Postgres fills in when a record is created without the field. */
  default: Sql | undefined
  /** Whether Postgres fills in another value for each record. */
  generated: boolean
  /** The expression by which Postgres computes the field. Undefined: records are written with it. */
  formula: string | undefined
}

/** Returns null as a value of the field's type. */
export const nullOf = ({ type }: Pick<Field, 'type'>): Sql => sql`null::${type.column}`
