/**
 * Renders the plan of a list as a statement whose answer is one row of text and numbers.
 */
import { DataSql, emptySql, identifier, join, type Sql, sql, withData } from '../../../db/sql.ts'
import { searchColumn } from '../../model/search-vector.ts'
import type { StoredField } from '../../model/storage.ts'
import type { Keyset } from '../plan/keyset.ts'
import type { ReadPlan } from '../plan/plan.ts'
import { row } from '../row.ts'
import { joins } from './joins.ts'
import { type PlainRecord, plainRecord } from './plain-record.ts'
import { annotationsBeside, fieldsUsed } from './render-annotations.ts'
import { termsRead, zonesAfter } from './render-keyset.ts'
import { renderOrder, termsOf } from './render-order.ts'
import { foundColumns } from './render-search.ts'
import { type PageText, recordsText } from './render-text.ts'
import { countedSource, type Source, type Sources, sourcesOf, withSql } from './source.ts'

/**
 * The most bytes of JSON in an answer. Assembling an answer takes five times its size, and an isolate has 128
 * MB.
 */
export const answerBytesMax = 16 * 1024 * 1024

/** Returns the column `data`: the text, or null if it is too long. */
export const dataWithinLimit = (data: Sql, bytesMax = answerBytesMax): Sql =>
  sql`case when octet_length(${data}) <= ${bytesMax} then ${data} end as data`

/** Further columns of the records in a list. */
export interface ExtraColumns {
  /** The columns, each after a comma. */
  columns: Sql
  /** The SQL after the rows of the page, `_row`, in the `from` clause. */
  from: Sql
}

/** No further columns. */
export const noExtra: ExtraColumns = { columns: emptySql, from: emptySql }

/** The form of an answer with an envelope. */
const inEnvelope: PageText = { form: 'json', bytesMax: answerBytesMax }

/** The limit up to which records are counted for an estimated total. R1. */
export const countedMax = 10_000

/** The answer of a list. */
export interface ListRow {
  /** The records of the page as text, usually of a JSON array; null if it is too long. */
  data: string | null
  /** Null if the records were not counted, or exceed the limit. */
  total: number | null
  /**
   * Whether there are records after the page (before it, if it ends at a position). Null if the total tells
   * this.
   */
  has_more: boolean | null
  /** For a page at a position: the values that sort its first and its last record. */
  ends?: readonly [first: Ends, last: Ends]
}

/** The values that sort a record; null if there is no record. */
export type Ends = readonly (string | null)[] | null

/**
 * Renders a list. For `parts?price__gt=5&_sort=code` the statement is:
 *
 *     select case when _page.n < 20 and (_page.n > 0 or 0 = 0) then 0 + _page.n
 *                 else (select count(*) from site_7.shop_parts _row where _row.price > 5) end as total,
 *            null as has_more, case when octet_length(_page.data) <= 16777216 then _page.data end as data
 *       from (select count(*) as n, coalesce(json_agg(_record), '[]')::text as data
 *               from (select id, code, about
 *                       from (select _row.* from site_7.shop_parts _row where _row.price > 5
 *                              order by _row.code, _row.id limit 20 offset 0) _row) _record) _page
 *
 * Without `about`, which is an object, the page is selected by `renderPlain`.
 */
export function renderList(plan: ReadPlan, extra = noExtra, as = inEnvelope): Sql<ListRow> {
  const page: Page = { extra, as }
  if (!plan.countOnly && plan.keyset)
    return withData(renderAtPosition(plan, plan.keyset, sourcesOf(plan), page), ['total', 'has_more', 'ends'])
  const plain = isBare(plan, page) ? plainRecord(plan.table, plan.fields) : undefined
  if (plain) return renderPlain(plan, plain, as.bytesMax)
  return withData(renderFromStart(plan, page), ['total', 'has_more'])
}

/** Tells whether a page has only the fields of its records, in columns, and is counted in the usual way. */
const isBare = (plan: ReadPlan, { extra, as }: Page): boolean =>
  as.form === 'json' &&
  extra === noExtra &&
  !plan.countOnly &&
  (plan.total === 'exact' || plan.total === 'none') &&
  plan.populate.length === 0 &&
  !plan.found &&
  !plan.annotations &&
  plan.table.storage.hasColumns

/**
 * Renders a page of plain columns, which Postgres plans in half the time. Without a total, it selects one row
 * more than the page has, to see whether more records follow. The Worker removes this row, or Postgres does
 * if the text would be too long with it.
 */
function renderPlain(plan: ReadPlan, plain: PlainRecord, bytesMax: number): Sql<ListRow> {
  const { limit, offset } = plan
  const { page, counted } = sourcesOf(plan)
  const pageOf = (rowsMax: number) => sql`
    (select count(*) as n, coalesce(json_agg(_record), '[]')::text as data
       from ${renderPage(plan, page, rowsMax, plain.columns)} _record) _page`
  const reformed = (data: string | null) => data && plain.reformAll(data, limit)
  if (plan.total === 'exact') {
    const total = totalColumn(plan, sql`_page.n < ${limit}::bigint`, sql`_page.n`, renderTotal(plan, counted))
    return new DataSql<Pick<ListRow, 'total' | 'data'>, ListRow>(
      sql`
        select ${total}, ${dataWithinLimit(sql`_page.data`, bytesMax)} from ${pageOf(limit)}`,
      ['total'],
      ({ total, data }) => ({ total, has_more: null, data: reformed(data) }),
    )
  }
  return new DataSql<{ n: number; data: string | null }, ListRow>(
    sql`
      select _page.n, case when octet_length(_page.data) <= ${bytesMax} then _page.data
                           else tessera.first_members(_page.data, ${limit}, ${bytesMax}) end as data
        from ${pageOf(limit + 1)}`,
    ['n'],
    ({ n, data }) => ({
      total: n <= limit && (n > 0 || offset === 0) ? offset + n : null,
      has_more: n > limit,
      data: reformed(data),
    }),
  )
}

function renderFromStart(plan: ReadPlan, page: Page): Sql<ListRow> {
  if (plan.countOnly) {
    const { shared, counted } = countedSource(plan)
    return sql<ListRow>`
      ${withSql(shared)} select (${renderTotal(plan, counted)}) as total, null as has_more, '[]' as data`
  }
  const sources = sourcesOf(plan)
  return plan.total === 'exact'
    ? renderWithTotal(plan, sources, page)
    : renderWithHasMore(plan, sources, page)
}

/** The parts of a page other than its rows. */
interface Page {
  extra: ExtraColumns
  as: PageText
}

/**
 * Selects the page first, as plain columns, so that only its rows become JSON. The last page needs no count.
 */
function renderWithTotal(plan: ReadPlan, sources: Sources, { extra, as }: Page): Sql<ListRow> {
  const { limit } = plan
  const total = renderTotal(plan, sources.counted)
  const page = plan.table.storage.rows(renderPage(plan, sources.page, limit))
  const { records, text } = renderRecords(plan, page, extra, as)
  const isLastPage = sql`_page.n < ${limit}::bigint`
  return sql<ListRow>`
    ${withSql(sources.shared)}
    select ${totalColumn(plan, isLastPage, sql`_page.n`, total)},
           null as has_more, ${dataWithinLimit(sql`_page.data`, as.bytesMax)}
      from (select count(*) as n, ${text} as data
              from ${records}) _page`
}

/** Selects one row more than the page has, to see whether more records follow. */
function renderWithHasMore(plan: ReadPlan, sources: Sources, { extra, as }: Page): Sql<ListRow> {
  const { limit } = plan
  const total = renderTotal(plan, sources.counted)
  const found = sql`_page as materialized (${renderPage(plan, sources.page, limit + 1)})`
  const page = plan.table.storage.rows(sql`(select * from _page limit ${limit})`)
  const { records, text } = renderRecords(plan, page, extra, as)
  const isLastPage = sql`_found.n <= ${limit}::bigint`
  return sql<ListRow>`
    ${withSql([...sources.shared, found])}
    select ${totalColumn(plan, isLastPage, sql`_found.n`, total)},
           _found.n > ${limit}::bigint as has_more, ${dataWithinLimit(sql`_records.data`, as.bytesMax)}
      from (select count(*) as n from _page) _found,
           (select ${text} as data from ${records}) _records`
}

/**
 * Selects a page at a position, and one row more. `_n` counts the rows in the order in which they are read.
 * `_keys` contains the values that sort them.
 */
function renderAtPosition(
  plan: ReadPlan,
  keyset: Keyset,
  sources: Sources,
  { extra, as }: Page,
): Sql<ListRow> {
  const { limit, table } = plan
  const total = renderTotal(plan, sources.counted)
  const found = sql`_page as materialized (${renderPositioned(plan, keyset, sources.page, limit + 1)})`
  const order = keyset.isBackward ? sql`_n desc` : sql`_n`
  const page = table.storage.rows(sql`(select * from _page where _n <= ${limit} order by ${order})`)
  const { records, text } = renderRecords(plan, page, extra, as)
  const keysAt = (place: Sql) => sql`(select _keys from _page where _n <= ${limit} order by ${place} limit 1)`
  return sql<ListRow>`
    ${withSql([...sources.shared, found])}
    select (${total}) as total, _found.n > ${limit}::bigint as has_more,
           json_build_array(${keysAt(order)}, ${keysAt(keyset.isBackward ? sql`_n` : sql`_n desc`)}) as ends,
           ${dataWithinLimit(sql`_records.data`, as.bytesMax)}
      from (select count(*) as n from _page) _found,
           (select ${text} as data from ${records}) _records`
}

/**
 * Selects the rows of a page at a position: from each zone of the order, as many as the page may need. The
 * offset counts from the position.
 */
function renderPositioned(plan: ReadPlan, keyset: Keyset, { rows, where }: Source, limit: number): Sql {
  const { table, offset } = plan
  const before = offset === 0 ? emptySql : sql` offset ${offset}`
  const joined = joins()
  const terms = termsRead(termsOf(plan.order, joined), keyset)
  const names = terms.map((_, index) => identifier(`_key${index}`))
  const keys = terms.map(({ value }, index) => sql`${value} as ${names[index] as Sql}`)
  const columns = sql`${table.storage.sourceColumns(row.alias, fieldsRead(plan))}, ${join(keys)}`
  const zones = zonesAfter(terms, keyset).map(
    (zone) => sql`(select ${columns} from ${rows} ${row.alias}${joined.sql()}
       where ${where}${zone.where ? sql` and ${zone.where}` : emptySql}
       order by ${renderOrder(zone.terms)} limit ${offset + limit})`,
  )
  const byKeys = renderOrder(terms.map((term, index) => ({ ...term, value: names[index] as Sql })))
  const texts = join(names.map((name) => sql`${name}::text`))
  const skipped = offset === 0 ? emptySql : sql` - ${offset}`
  return sql`select *, row_number() over (order by ${byKeys})${skipped} as _n, array[${texts}] as _keys
               from (${join(zones, sql` union all `)}) _zones order by _n limit ${limit}${before}`
}

/**
 * Returns the column `total`. On the last page, its rows show the total; on earlier pages, `total` counts.
 */
function totalColumn({ offset }: ReadPlan, isLastPage: Sql, count: Sql, total: Sql): Sql {
  const isKnown = sql`${isLastPage} and (${count} > 0 or ${offset}::bigint = 0)`
  return sql`case when ${isKnown} then ${offset}::bigint + ${count} else (${total}) end as total`
}

/** Selects the records of a page as `_record`, and returns how they become text. */
function renderRecords(plan: ReadPlan, page: Sql, extra: ExtraColumns, { form }: PageText) {
  const found = plan.found ? foundColumns(plan.found, row).map((column) => sql`, ${column}`) : []
  const { columns, text } = recordsText(plan.table, plan, form, sql`${join(found, emptySql)}${extra.columns}`)
  const beside = plan.annotations ? annotationsBeside(plan.annotations) : emptySql
  return { text, records: sql`(select ${columns} from ${page} ${row.alias}${beside}${extra.from}) _record` }
}

function renderPage(
  plan: ReadPlan,
  { rows, where }: Source,
  limit: number,
  columns = plan.table.storage.sourceColumns(row.alias, fieldsRead(plan)),
): Sql {
  const { order, offset } = plan
  const joined = joins()
  const terms = renderOrder(termsOf(order, joined))
  const from = sql`${rows} ${row.alias}${joined.sql()}`
  return sql`(select ${columns} from ${from}
               where ${where} order by ${terms} limit ${limit} offset ${offset})`
}

/** Returns the fields that a page needs: those shown, the key, and those that lead to related records. */
function fieldsRead(plan: ReadPlan): ReadonlySet<StoredField> | undefined {
  const { table, populate, annotations, found } = plan
  if (!annotations && (found || !plan.fields)) return undefined
  const fields = found ? undefined : plan.fields
  // The search vector is not a field, but `found` needs its column.
  const vector = found ? [{ name: '', schema: { type: 'string' }, column: searchColumn(table.schema) }] : []
  const leading = populate.flatMap(({ relationship }) => relationship.pairs.map(({ near }) => near))
  const used = annotations ? fieldsUsed(annotations.shown) : []
  const all = [...table.primaryKey, ...(fields ?? table.fields.values()), ...leading, ...used]
  const computed = new Set(annotations?.all.map(({ field }) => field))
  return new Set([...all.filter((field) => !computed.has(field)), ...vector])
}

/** Returns a query for the number of records, up to the limit of the total's mode. */
function renderTotal({ total }: ReadPlan, { rows, where }: Source): Sql {
  const records = sql`from ${rows} ${row.alias} where ${where}`
  if (total === 'exact') return sql`select count(*) ${records}`
  if (total === 'none') return sql`null::bigint`
  const limit = countedMax + 1
  return sql`select nullif(count(*), ${limit}::bigint) from (select ${records} limit ${limit}) _some`
}

/** Renders a query for the number of records that Postgres expects. It reads no record. */
export function renderEstimate(plan: ReadPlan): Sql<EstimateRow> {
  const { shared, counted } = countedSource(plan)
  return sql`
    explain (format json) ${withSql(shared)} select from ${counted.rows} ${row.alias} where ${counted.where}`
}

/** The answer of `explain (format json)`. */
export interface EstimateRow {
  'QUERY PLAN': readonly { Plan: { 'Plan Rows': number } }[]
}

/** Returns the number of records that Postgres expects. */
export const plannedRows = (row: EstimateRow): number => row['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
