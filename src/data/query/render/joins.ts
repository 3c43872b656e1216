/** Joins the records that a row references, to sort, group or aggregate by their fields. */
import { emptySql, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Relationship } from '../../model/relationships.ts'
import { joinedRow, type Row, row } from '../row.ts'
import { andNotDeleted, joinCondition } from './render.ts'

/** The joins of a statement. */
export interface Joins {
  /** Returns the row at the end of a path of relationships, each to one, so that no row is multiplied. */
  rowOf(relationships: readonly Relationship[]): Row
  /**
   * Returns the joins, to follow the table in the `from` clause. Call it after `rowOf` has seen all paths.
   */
  sql(): Sql
}

/** Begins without any join to the row `of`. Each path is joined once. */
export function joins(of: Row = row): Joins {
  const rows = new Map<string, Row>()
  const all: Sql[] = []
  return {
    rowOf: (relationships) =>
      relationships.reduce((near, { name, target, pairs }) => {
        const path = `${near.alias.strings[0]}.${name}`
        const present = rows.get(path)
        if (present) return present
        const far = joinedRow(rows.size + 1)
        rows.set(path, far)
        const condition = sql`${joinCondition(pairs, near, far)}${andNotDeleted(target, far)}`
        all.push(sql` left join ${target.rows} ${far.alias} on ${condition}`)
        return far
      }, of),
    sql: () => join(all, emptySql),
  }
}
