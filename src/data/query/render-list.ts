/** From the plan to the statement that reads: one row of text and numbers, whatever is asked for. */
import { join, nothing, type Sql, sql } from '../../db/sql.ts'
import { type Joins, joins } from './joins.ts'
import type { FieldOrder, Order } from './order.ts'
import type { OnePlan, ReadPlan } from './plan.ts'
import { entityTag, recordColumns, recordJson, renderPredicate, searchRank, shown } from './render.ts'
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

const alone: Beside = { columns: nothing, from: nothing }

/** Up to so many an estimated total is counted. R1. */
export const countedMax = 10_000

/** What the statement of a list answers. */
export interface ListRow {
  /** The page's records as the text of a JSON array; null where that is too long. */
  data: string | null
  /** Null where it was not counted, or is beyond what is. */
  total: number | null
  /** Whether there are records after the page; null where the total tells. */
  has_more: boolean | null
}

/** One row, a ListRow. */
export function renderList(plan: ReadPlan, beside = alone): Sql {
  const total = renderTotal(plan)
  if (plan.countOnly) return sql`select (${total}) as total, null as has_more, '[]' as data`
  return plan.total === 'exact' ? renderCounted(plan, total, beside) : renderLooking(plan, total, beside)
}

/** The page is made of plain columns, and only its rows become JSON. A page that ends before it is full says itself what the total is: then nothing is counted. */
function renderCounted(plan: ReadPlan, total: Sql, beside: Beside): Sql {
  const { table, limit, offset, populate } = plan
  const { columns, item } = shown(sql`${recordColumns(table, populate)}${beside.columns}`, populate)
  return sql`
    select case when _page.n < ${limit}::bigint and (_page.n > 0 or ${offset}::bigint = 0) then ${offset}::bigint + _page.n else (${total}) end as total,
           null as has_more, ${unlessTooLong(sql`_page.data`)}
      from (select count(*) as n, coalesce(json_agg(${item}), '[]')::text as data
              from (select ${columns} from ${table.storage.rows(renderPage(plan, limit))} ${row.alias}${beside.from}) _record) _page`
}

/** Whether there are more is said by one row more than the page has. */
function renderLooking(plan: ReadPlan, total: Sql, beside: Beside): Sql {
  const { table, limit, offset, populate } = plan
  const { columns, item } = shown(sql`${recordColumns(table, populate)}${beside.columns}`, populate)
  const page = sql`(select * from _page limit ${limit})`
  return sql`
    with _page as materialized (${renderPage(plan, limit + 1)})
    select case when _found.n <= ${limit}::bigint and (_found.n > 0 or ${offset}::bigint = 0) then ${offset}::bigint + _found.n else (${total}) end as total,
           _found.n > ${limit}::bigint as has_more, ${unlessTooLong(sql`_records.data`)}
      from (select count(*) as n from _page) _found,
           (select coalesce(json_agg(${item}), '[]')::text as data from (select ${columns} from ${table.storage.rows(page)} ${row.alias}${beside.from}) _record) _records`
}

function renderPage({ table, where, order, offset }: ReadPlan, limit: number): Sql {
  const joined = joins()
  const terms = renderOrder(order, joined)
  return sql`(select ${table.storage.kept(row.alias)} from ${table.rows} ${row.alias}${joined.sql()} where ${renderPredicate(where, row)}
                             order by ${terms} limit ${limit} offset ${offset})`
}

/** A query for the number of records, as far as it is counted. */
function renderTotal({ table, where, total }: ReadPlan): Sql {
  const records = sql`from ${table.rows} ${row.alias} where ${renderPredicate(where, row)}`
  if (total === 'exact') return sql`select count(*) ${records}`
  if (total === 'none') return sql`null::bigint`
  return sql`select nullif(count(*), ${countedMax + 1}::bigint) from (select ${records} limit ${countedMax + 1}) _some`
}

/** Answers, as one row with the plan, how many records Postgres expects; it reads none of them. See `plannedRows`. */
export const renderEstimate = ({ table, where }: ReadPlan): Sql =>
  sql`explain (format json) select from ${table.rows} ${row.alias} where ${renderPredicate(where, row)}`

/** The number in what `renderEstimate` answers. */
export const plannedRows = (row: { 'QUERY PLAN': readonly { Plan: { 'Plan Rows': number } }[] }): number =>
  row['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0

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
