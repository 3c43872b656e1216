/** Pages of the rows of a table, in the order of its primary key, for work in batches. */
import { emptySql, identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'

/** A page: the parts of the statement that works on it. */
interface KeyedPage {
  /** Selects the rows as the CTE `_page`: their keys, and `value`. */
  cte: Sql
  /** The condition that `_row` is a row of the page. */
  isRow: Sql
  /** The columns of the page with the values of the primary key. */
  keys: readonly Sql[]
  /** The columns `rows` and `last` of a BatchRow. */
  result: Sql
}

/**
 * Returns the page of `limit` rows after a key. `value` is a column of it, made of `_row`. Its rows are
 * locked in the order in which writers lock them: each is read as it is after the writer that had it. Without
 * `locks`, they are only read.
 */
export function keyedPage(
  { primaryKey, storage, relation }: Table,
  value: Sql,
  after: readonly string[] | null,
  limit: number,
  { locks = true }: { locks?: boolean } = {},
): KeyedPage {
  const keys = primaryKey.map((field, position) => ({
    own: storage.field(field, sql`_row`),
    name: identifier(`_key${position}`),
    after: after && sql`${after[position] as string}::${field.type.column}`,
  }))
  const own = join(keys.map((key) => key.own))
  const locked = locks ? sql` for no key update of _row` : emptySql
  const rest = after ? sql` where (${own}) > (${join(keys.map((key) => key.after ?? emptySql))})` : emptySql
  return {
    cte: sql`_page as (
      select ${join(keys.map((key) => sql`${key.own} as ${key.name}`))}, ${value}
        from ${relation} _row${rest} order by ${own} limit ${limit}${locked})`,
    keys: keys.map(({ name }) => sql`_page.${name}`),
    isRow: join(
      keys.map((key) => sql`${key.own} = _page.${key.name}`),
      sql` and `,
    ),
    result: sql`
      (select count(*) from _page)::integer as rows,
      (select json_build_array(${join(keys.map(({ name }) => sql`${name}::text`))}) from _page
        order by ${join(keys.map(({ name }) => sql`${name} desc`))} limit 1) as last`,
  }
}
