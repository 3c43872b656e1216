/** The rows that a statement speaks of, and their fields: the one place that says how a field of a row is written. */
import { identifier, type Sql, sql } from '../../db/sql.ts'
import type { Field } from '../datatables/table.ts'

/** A row by its alias. Aliases begin with an underscore, as no field does. */
export interface Row {
  alias: Sql
  /** How many rows this one is inside of. */
  depth: number
}

const aliased = (alias: string, depth: number): Row => ({ alias: identifier(alias), depth })

/** How far inside of each other rows can be: as far as paths lead. */
const depths = [0, 1, 2, 3]
const rows = depths.map((depth) => aliased(depth === 0 ? '_row' : `_row${depth}`, depth))
const vias = depths.map((depth) => aliased(`_via${depth}`, depth))

/** The row that a statement is about: `from ${table.rows} ${row.alias}`. */
export const row = rows[0] as Row

/** A row of a subquery about another row. */
export const inside = ({ depth }: Row): Row => rows[depth + 1] as Row

/** A row between a row and the one that it is inside of. */
export const between = ({ depth }: Row): Row => vias[depth] as Row

/** A row of another table, joined to the row that a statement is about. */
export const joined = (number: number): Row => aliased(`_by${number}`, 0)

/** A field as an expression; of no row in particular where a statement knows but one table. */
export const fieldSql = (field: Field, of?: Row): Sql => (of ? sql`${of.alias}.${field.column}` : field.column)
