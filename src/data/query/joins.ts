/** The records that a row references, as rows joined to it: for what is sorted, grouped or aggregated by their fields. */
import { join, nothing, type Sql, sql } from '../../db/sql.ts'
import type { Relationship } from './relationships.ts'
import { equal, unlessDeleted } from './render.ts'
import { joined, type Row, row } from './row.ts'

export interface Joins {
  /** The row at the end of a path of relationships, each to one: a row has one of each at most, so it stays one row. */
  rowOf(relationships: readonly Relationship[]): Row
  /** What stands after the table that the rows are of, once all paths are known. */
  sql(): Sql
}

/** Each path is joined once. */
export function joins(): Joins {
  const rows = new Map<string, Row>()
  const all: Sql[] = []
  return {
    rowOf: (relationships) =>
      relationships.reduce((near, { name, target, pairs }) => {
        const path = `${near.alias.strings[0]}.${name}`
        const present = rows.get(path)
        if (present) return present
        const far = joined(rows.size + 1)
        rows.set(path, far)
        all.push(sql` left join ${target.rows} ${far.alias} on ${equal(pairs, near, far)}${unlessDeleted(target, far)}`)
        return far
      }, row),
    sql: () => join(all, nothing),
  }
}
