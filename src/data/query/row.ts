/** The aliases of the rows in a statement, and the SQL of their fields. */
import { identifier, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Field } from '../model/field.ts'

/** A row by its alias. Aliases begin with an underscore, unlike fields. */
export interface Row {
  alias: Sql
  /** The nesting depth of the subquery that selects the row. */
  depth: number
}

const aliased = (alias: string, depth: number): Row => ({ alias: identifier(alias), depth })

/** The possible depths: a path has at most three relationships, from a record that is at most three deep. */
const depths = [0, 1, 2, 3, 4, 5, 6]
const rows = depths.map((depth) => aliased(depth === 0 ? '_row' : `_row${depth}`, depth))
const vias = depths.map((depth) => aliased(`_via${depth}`, depth))

/** The row that a statement selects: `from ${table.rows} ${row.alias}`. */
export const row = rows[0] as Row

/** Returns the row that a subquery selects for another row. */
export const innerRow = ({ depth }: Row): Row => rows[depth + 1] as Row

/** Returns the row of the junction table between a row and the row of the enclosing query. */
export const junctionRow = ({ depth }: Row): Row => vias[depth] as Row

/** Returns the row of another table that is joined to `row`. `number` distinguishes such rows. */
export const joinedRow = (number: number): Row => aliased(`_by${number}`, 0)

/** Returns a field as an expression. `of` can be omitted in a statement with a single table. */
export const fieldSql = (field: Field, of?: Row): Sql =>
  of ? sql`${of.alias}.${field.column}` : field.column
