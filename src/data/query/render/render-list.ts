/** Renders the plan of a list as a statement whose answer is one row of text and numbers. */
import { answerBytesMax } from '../../../kernel/db/answer-bytes.ts'
import { aggregateWithin, textWithin } from '../../../kernel/db/answer-size.ts'
import {
  DataSql,
  emptySql,
  identifier,
  join,
  literal,
  type Sql,
  sql,
  withData,
} from '../../../kernel/db/sql.ts'
import { searchColumn } from '../../model/search-vector.ts'
import type { StoredField } from '../../model/storage.ts'
import type { Keyset } from '../plan/keyset.ts'
import type { ReadPlan } from '../plan/plan.ts'
import { row } from '../row.ts'
import { measureRecords } from './answer-size.ts'
import { joins } from './joins.ts'
import { type PlainRecord, plainRecord } from './plain-record.ts'
import { annotationsBeside, fieldsUsed } from './render-annotations.ts'
import { termsRead, zonesAfter } from './render-keyset.ts'
import { renderOrder, termsOf } from './render-order.ts'
import { selectedRecords } from './render-record.ts'
import { foundColumns } from './render-search.ts'
import { type PageText, recordsText } from './render-text.ts'
import { renderTotal, totalColumn } from './render-total.ts'
import { countedSource, type Source, type Sources, sourcesOf, withSql } from './source.ts'

/** Returns the column `data`: the text. Fails if it is too long. */
export const dataWithin = (data: Sql, bytesMax = answerBytesMax): Sql =>
  sql`${textWithin(data, bytesMax)} as data`

/** Further columns of the records in a list. */
export interface ExtraColumns {
  /** The columns, each after a comma. */
  columns: Sql
  /** Their names. */
  names: readonly string[]
  /** The SQL after the rows of the page, `_row`, in the `from` clause. */
  from: Sql
}

/** No further columns. */
export const noExtra: ExtraColumns = { columns: emptySql, names: [], from: emptySql }

/** The form of an answer with an envelope. */
const inEnvelope: PageText = { form: 'json', bytesMax: answerBytesMax }

/** The answer of a list. */
export interface ListRow {
  /** The records of the page as text, usually of a JSON array. */
  data: string
  /** Null if the records were not counted, or exceed the limit. */
  total: number | null
  /**
   * Whether there are records after the page (before it, if it ends at a position). Null if the total tells
   * this. Omitted for aggregations.
   */
  has_more?: boolean | null
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
 *            null::boolean as has_more, case when octet_length(_page.data) <= 12582912 then _page.data …
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
  const { limit, offset, table } = plan
  const { page, counted } = sourcesOf(plan)
  const [item, shown] = [sql`_record`, { fields: plan.fields, populate: [] }]
  const pageOf = (rows: number, most: number) => {
    const measure = measureRecords(table, shown, { of: item, rows })
    const records = aggregateWithin(sql`json_agg(_record)`, {
      measure,
      item,
      rows,
      bytesMax: most,
    })
    return sql`
    (select count(*) as n, coalesce(${records}, '[]')::text as data
       from ${renderPage(plan, page, rows, plain.columns)} _record) _page`
  }
  if (plan.total === 'exact') {
    const total = totalColumn(plan, sql`_page.n < ${limit}::bigint`, sql`_page.n`, renderTotal(plan, counted))
    return new DataSql<Pick<ListRow, 'total' | 'data'>, ListRow>(
      sql`
        select ${total}, ${dataWithin(sql`_page.data`, bytesMax)} from ${pageOf(limit, bytesMax)}`,
      ['total'],
      ({ total, data }) => ({
        total,
        has_more: null,
        data: plain.reformAll(data, limit),
      }),
    )
  }
  const most = literal(bytesMax)
  const first = sql`tessera.first_members(_page.data, ${limit}, ${most})`
  return new DataSql<{ n: number; data: string }, ListRow>(
    sql`
      select _page.n, case when octet_length(_page.data) <= ${bytesMax} then _page.data
                           else coalesce(${first}, tessera.refuse_answer(${most})) end as data
        from ${pageOf(limit + 1, 2 * bytesMax)}`,
    ['n'],
    ({ n, data }) => ({
      total: n <= limit && (n > 0 || offset === 0) ? offset + n : null,
      has_more: n > limit,
      data: plain.reformAll(data, limit),
    }),
  )
}

function renderFromStart(plan: ReadPlan, page: Page): Sql<ListRow> {
  if (plan.countOnly) {
    const { shared, counted } = countedSource(plan)
    return sql<ListRow>`
      ${withSql(shared)}
      select (${renderTotal(plan, counted)}) as total, null::boolean as has_more, '[]' as data`
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
           null::boolean as has_more, ${dataWithin(sql`_page.data`, as.bytesMax)}
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
           _found.n > ${limit}::bigint as has_more, ${dataWithin(sql`_records.data`, as.bytesMax)}
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
           ${dataWithin(sql`_records.data`, as.bytesMax)}
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

/** Selects the records of a page as `_record`, and returns how they become text. */
function renderRecords(plan: ReadPlan, page: Sql, extra: ExtraColumns, as: PageText) {
  const found = plan.found ? foundColumns(plan.found, row) : undefined
  const selected = selectedRecords(plan.table, plan, {
    beside: sql`${join(found?.columns.map((column) => sql`, ${column}`) ?? [], emptySql)}${extra.columns}`,
    more: [...(found?.json ?? []), ...extra.names],
  })
  const { columns, text } = recordsText(plan.table, plan, selected, {
    ...as,
    rows: plan.limit,
  })
  const beside = plan.annotations ? annotationsBeside(plan.annotations) : emptySql
  const from = sql`${page} ${row.alias}${beside}${extra.from}`
  return {
    text,
    records: sql`(select ${columns} from ${from} offset 0) _record`,
  }
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
