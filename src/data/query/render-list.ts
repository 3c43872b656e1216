/** From the plan to the statement that reads: one row of text and numbers, whatever is asked for. */
import { join, nothing, type Sql, sql } from '../../db/sql.ts'
import { type Joins, joins } from './joins.ts'
import type { FieldOrder, Order } from './order.ts'
import type { OnePlan, ReadPlan } from './plan.ts'
import { entityTag, recordColumns, recordJson, renderPredicate, searchRank } from './render.ts'
import { fieldSql, type Row, row } from './row.ts'

/** What is longer is not sent: while it is parsed and put together anew it takes five times its size, of the 128 MB that an isolate has. */
export const answerBytesMax = 16 * 1024 * 1024

export const unlessTooLong = (data: Sql, bytesMax = answerBytesMax): Sql =>
  sql`case when octet_length(${data}) <= ${bytesMax} then ${data} end as data`

/** What stands in each record of a list beside its own columns. */
export interface Beside {
  /** Each with a comma before it. */
  columns: Sql
  /** Follows the rows of the page, `_row`. */
  from: Sql
}

/** One row: `data`, the page's records as the text of a JSON array, or null where that is too long; and `total`. */
export function renderList(plan: ReadPlan, beside: Beside = { columns: nothing, from: nothing }): Sql {
  const { table, where, limit, offset, populate } = plan
  const { storage } = table
  const condition = renderPredicate(where, row)
  const total = sql`select count(*) from ${table.rows} ${row.alias} where ${condition}`
  if (plan.countOnly) return sql`select (${total}) as total, '[]' as data`
  const joined = joins()
  const terms = renderOrder(plan.order, joined)
  // The page is made of plain columns, and only its rows become JSON. A page that ends before it is full says itself
  // what the total is: then nothing is counted.
  const page = sql`(select ${storage.kept(row.alias)} from ${table.rows} ${row.alias}${joined.sql()} where ${condition}
                             order by ${terms} limit ${limit} offset ${offset})`
  return sql`
    select case when _page.n < ${limit}::bigint and (_page.n > 0 or ${offset}::bigint = 0) then ${offset}::bigint + _page.n else (${total}) end as total,
           ${unlessTooLong(sql`_page.data`)}
      from (select count(*) as n, coalesce(json_agg(_record), '[]')::text as data
              from (select ${recordColumns(table, populate)}${beside.columns}
                      from ${storage.rows(page)} ${row.alias}${beside.from}) _record) _page`
}

/**
 * One row with `data`, the record as JSON text, null where that is too long, and its `etag`; or none. The tag is that of the record
 * itself, whatever is populated. `offset 0`, so that each is made but once.
 */
export function renderOne({ table, where, populate }: OnePlan): Sql {
  const isPopulated = populate.length > 0
  return sql`
    select ${unlessTooLong(isPopulated ? sql`_populated::text` : sql`_data::text`)}, ${entityTag} as etag
      from (select ${recordJson(table)} as _data, ${row.alias}.xmin as _version${isPopulated ? sql`, ${recordJson(table, populate)} as _populated` : nothing}
              from ${table.rows} ${row.alias} where ${renderPredicate(where, row)} offset 0) _record`
}

/** The order of `row` and of what is joined to it. */
export const renderOrder = (order: readonly Order[], joined: Joins): Sql =>
  join(order.map((one) => (one.by === 'rank' ? sql`${searchRank(one.search, row)} desc` : renderTerm(one, joined.rowOf(one.relationships)))))

/**
 * Records without a value come last, both ways. R13. Where there are none, nothing is said of them, so that an index serves.
 * The column is qualified: a bare name would be the output column, which of a date and time is its text.
 */
function renderTerm({ field, descending, nullable }: FieldOrder, of: Row): Sql {
  const column = fieldSql(field, of)
  if (!descending) return column
  return nullable ? sql`${column} desc nulls last` : sql`${column} desc`
}
