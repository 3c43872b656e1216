/** Renders the plan of a list as a statement whose answer is one row of text and numbers. */
import { answerBytesMax } from '../../../kernel/db/answer-bytes.ts'
import { aggregateWithin, textWithin } from '../../../kernel/db/answer-size.ts'
import { DataSql, withData } from '../../../kernel/db/data-sql.ts'
import type { LongText } from '../../../kernel/db/long-text.ts'
import { emptySql, identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
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
import { type Counted, countedColumn, countedMax, renderTotal } from './render-total.ts'
import { selectInOrder, selectZones } from './render-zones.ts'
import { type CountedSource, type Source, sourcesOf, withSql } from './source.ts'

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
const noExtra: ExtraColumns = { columns: emptySql, names: [], from: emptySql }

/** The form of an answer with an envelope. */
const inEnvelope: PageText = { form: 'json', bytesMax: answerBytesMax }

/** The answer of a list. */
export interface ListRow {
  /** The records of the page as text, usually of a JSON array. */
  data: string
  /** What follows `data`, if the statement may have a long answer in parts. */
  rest?: LongText
  /**
   * The number of records that were found for the page, which is one more than it has if others follow (come
   * before it, if it ends at a position). Null: they were only counted.
   */
  found: number | null
  /** Null if the page shows the total, or if none is wanted. */
  counted: Counted | null
  /**
   * For a page at a position: the values that sort its first and its last record, or with `hasAllKeys` those
   * of each of its records.
   */
  ends?: readonly Ends[]
}

/** The values that sort a record; null if there is no record. */
export type Ends = readonly (string | null)[] | null

/** How a list becomes an answer. */
export interface ListOptions {
  extra?: ExtraColumns
  as?: PageText
  /**
   * The most matches that are counted if the client has not said how to find the total. Null: none are
   * counted, whatever it said.
   */
  exactMax?: number | null
  /** Whether the page was too long with the record after it, which is removed before the text is made. */
  isLong?: boolean
  /** Whether `ends` has the values that sort each record, for merging pages. */
  hasAllKeys?: boolean
}

/**
 * Renders a list. It reads one record more than the page has, to see whether others follow. For
 * `parts?price__gt=5&_sort=code` the statement is:
 *
 *     select _page.n as found,
 *            case when _page.n > 20 then tessera.count_rows('select from …', …) end as counted,
 *            case when octet_length(_page.data) <= 12582912 then _page.data … end as data
 *       from (select count(*) as n, coalesce(json_agg(_record), '[]')::text as data
 *               from (select id, code, about
 *                       from site_7.shop_parts _row where _row.price > 5
 *                      order by _row.code, _row.id limit 21) _record) _page
 */
export function renderList(
  plan: ReadPlan,
  {
    extra = noExtra,
    as = inEnvelope,
    exactMax = countedMax,
    isLong = false,
    hasAllKeys = false,
  }: ListOptions = {},
): Sql<ListRow> {
  if (plan.countOnly) return withData(renderCount(plan, exactMax), ['found', 'counted'])
  const page: Page = { extra, as, exactMax, isLong, hasAllKeys }
  const plain = isBare(plan, page) ? plainRecord(plan.table, plan.fields) : undefined
  if (plain) return renderPlain(plan, plain, page)
  return plan.keyset
    ? withData(renderAtPosition(plan, plan.keyset, page), ['found', 'counted', 'ends'])
    : withData(renderFromStart(plan, page), ['found', 'counted'])
}

/** The parts of a page other than its rows. */
type Page = Required<ListOptions>

/** Tells whether a page has only the fields of its records, in columns. */
const isBare = (plan: ReadPlan, { extra, as, isLong }: Page): boolean =>
  !isLong &&
  as.form === 'json' &&
  extra === noExtra &&
  !plan.keyset &&
  plan.populate.length === 0 &&
  !plan.found &&
  !plan.annotations &&
  plan.table.storage.hasColumns

function renderCount(plan: ReadPlan, exactMax: number | null): Sql<ListRow> {
  const { counted } = sourcesOf(plan)
  return sql<ListRow>`
    select null::bigint as found, ${renderTotal(plan, counted, exactMax)} as counted, '[]' as data`
}

/**
 * Renders a page of plain columns, which Postgres plans in half the time. The Worker removes the record after
 * the page. Fails if the text is too long with it.
 */
function renderPlain(plan: ReadPlan, plain: PlainRecord, { as, exactMax }: Page): Sql<ListRow> {
  const { limit, table } = plan
  const { bytesMax } = as
  const { page, counted } = sourcesOf(plan)
  const [item, rows] = [sql`_record`, limit + 1]
  const measure = measureRecords(table, { fields: plan.fields, populate: [] }, { of: item, rows })
  const records = aggregateWithin(sql`json_agg(_record)`, { measure, item, rows, bytesMax })
  return new DataSql<ListRow>(
    sql<ListRow>`
      select _page.n as found, ${countedColumn(plan, counted, sql`_page.n`, exactMax)},
             ${dataWithin(sql`_page.data`, bytesMax)}
        from (select count(*) as n, coalesce(${records}, '[]')::text as data
                from ${renderPage(plan, page, plain.columns)} _record) _page`,
    ['found', 'counted'],
    ({ rest, ...row }) =>
      rest
        ? { ...row, rest: { ...rest, parts: plain.reformParts(rest.parts, limit) } }
        : { ...row, data: plain.reformAll(row.data, limit) },
  )
}

/** Selects the page first, as plain columns, so that only its rows become JSON. */
function renderFromStart(plan: ReadPlan, page: Page): Sql<ListRow> {
  const { shared, page: source, counted } = sourcesOf(plan)
  const found = sql`_page as materialized ${renderPage(plan, source)}`
  const rows = plan.table.storage.rows(sql`(select * from _page limit ${plan.limit})`)
  return renderFound(plan, page, { with: [...shared, found], rows, counted })
}

/** The parts of a statement that has found its page as `_page`. */
interface Found {
  with: readonly Sql[]
  /** The rows of the page. */
  rows: Sql
  counted: CountedSource
  /** Further columns, each with a comma after it. */
  columns?: Sql
}

function renderFound(plan: ReadPlan, { extra, as, exactMax }: Page, found: Found): Sql<ListRow> {
  const { records, text } = renderRecords(plan, found.rows, extra, as)
  return sql<ListRow>`
    ${withSql(found.with)}
    select _found.n as found, ${countedColumn(plan, found.counted, sql`_found.n`, exactMax)},
           ${found.columns ?? emptySql}${dataWithin(sql`_records.data`, as.bytesMax)}
      from (select count(*) as n from _page) _found,
           (select ${text} as data from ${records}) _records`
}

/**
 * Selects a page at a position. `_n` counts the rows in the order in which they are read. `_keys` contains
 * the values that sort them.
 */
function renderAtPosition(plan: ReadPlan, keyset: Keyset, page: Page): Sql<ListRow> {
  const { limit, table } = plan
  const { shared, page: source, counted } = sourcesOf(plan)
  const found = sql`_page as materialized (${renderPositioned(plan, keyset, source)})`
  const order = keyset.isBackward ? sql`_n desc` : sql`_n`
  const rows = table.storage.rows(sql`(select * from _page where _n <= ${limit} order by ${order})`)
  const keysAt = (place: Sql) => sql`(select _keys from _page where _n <= ${limit} order by ${place} limit 1)`
  const ends = [keysAt(order), keysAt(keyset.isBackward ? sql`_n` : sql`_n desc`)]
  const all = sql`(select coalesce(json_agg(_keys order by ${order}), '[]')::jsonb
                     from _page where _n <= ${limit})`
  const columns = sql`${page.hasAllKeys ? all : sql`json_build_array(${join(ends)})`} as ends, `
  return renderFound(plan, page, { with: [...shared, found], rows, counted, columns })
}

/** Selects the rows of a page at a position, and one more. The offset counts from the position. */
function renderPositioned(plan: ReadPlan, keyset: Keyset, { rows, where }: Source): Sql {
  const { table, offset, limit } = plan
  const joined = joins()
  const terms = termsRead(termsOf(plan.order, joined), keyset)
  const names = terms.map((_, index) => identifier(`_key${index}`))
  const keys = terms.map(({ value }, index) => sql`${value} as ${names[index] as Sql}`)
  const columns = sql`${table.storage.sourceColumns(row.alias, fieldsRead(plan))}, ${join(keys)}`
  const from = sql`${rows} ${row.alias}${joined.sql()}`
  const page = selectZones(zonesAfter(terms, keyset), { columns, from, where, limit: limit + 1, offset })
  const byKeys = renderOrder(terms.map((term, index) => ({ ...term, value: names[index] as Sql })))
  const texts = join(names.map((name) => sql`${name}::text`))
  return sql`select *, row_number() over (order by ${byKeys}) as _n, array[${texts}] as _keys
               from (${page}) _positioned`
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

/** Selects the rows of a page from the start, and one more. */
function renderPage(
  plan: ReadPlan,
  { rows, where }: Source,
  columns = plan.table.storage.sourceColumns(row.alias, fieldsRead(plan)),
): Sql {
  const { order, offset, limit } = plan
  const joined = joins()
  const terms = termsOf(order, joined)
  const from = sql`${rows} ${row.alias}${joined.sql()}`
  return sql`(${selectInOrder(terms, { columns, from, where, limit: limit + 1, offset })})`
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
