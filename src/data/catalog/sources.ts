/** SQL fragments that read datatables: the source of a reference, and whether a table is active. */
import { sql } from '../../kernel/db/sql.ts'

/**
 * Joins a datatable `t` with the table `s` that has its schema and rows, the datasource `d` of `s` and the
 * app `o` of `s`. `s` is `t` itself, or the source of `t` if `t` is a reference.
 */
export const withSource = sql`
  join _datatables s on s.id = coalesce(t.source_id, t.id) join _datasources d on d.id = s.data_source_id
    join _apps o on o.id = s.app_id`

/** True if the datasource and the app of a table are active. A reference is active if its source is. */
export const isActive = sql`(d.is_active and o.is_active)`
