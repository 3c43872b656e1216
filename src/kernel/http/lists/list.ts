/**
 * Declares a list once, and derives its query parameters and its SQL from the declaration. For all lists
 * except records. W6.
 */
import * as z from 'zod'
import { rowBytesMax } from '../../db/answer-bytes.ts'
import { type Columns, join, literal, type Sql, sql } from '../../db/sql.ts'
import { type Column, type Ordered, orderBy, orderingBy, parseOrdering } from './ordering.ts'
import {
  type Paged,
  type Range,
  type RangeQuery,
  rangeOf,
  rangeParameters,
  rejectMixedPaging,
} from './range.ts'

/** The query parameters of a list. */
export interface ListForm extends Paged {
  /** The fields to sort by, in the parameter `ordering`. */
  orderings: readonly string[]
  /** The default of the parameter `ordering`. */
  ordering: string
  /** The names of the fields in which `search` looks, for its description. */
  searched: string
}

/** A list with the SQL for its query parameters. */
export type List<Form extends ListForm = ListForm> = Form &
  Paged & {
    /** The columns for the fields to sort by. */
    columns: Readonly<Record<Form['orderings'][number], Column>>
    /** A unique column that decides the order of rows that are equal in all others. */
    last: Sql
    /** The columns in which `search` looks. */
    texts: readonly Sql[]
  }

/** The query parameters of a list, parsed. */
export interface ListQuery extends RangeQuery {
  search?: string | undefined
  ordering?: readonly Ordered[] | undefined
}

/** Returns the schema of a list's query parameters: those of every list, and the list's own `filters`. */
export const listQuery = <Filters extends z.ZodRawShape>(list: ListForm, filters: Filters) =>
  z
    .object({
      ...rangeParameters(list),
      search: z
        .string()
        .optional()
        .meta({
          description: `Finds items that contain this text in ${list.searched}. Case does not matter.`,
        }),
      ordering: orderingBy(list.orderings, list.ordering),
      ...filters,
    })
    .superRefine(rejectMixedPaging)

/** The rows of a list before search, order and paging. */
export interface Selection<Row> {
  columns: Columns<Row>
  /** The text after `from`. */
  from: Sql
  where?: readonly Sql[]
  /** The bytes of the long values of a row. A page of too many is refused before its rows are made. */
  bytes?: Sql
}

/** The statements of a list: the number of rows on all pages, and the rows of one page. */
export type PageBatch<Row> = Readonly<{ count: Sql<{ count: number }>; page: Sql<Row> }>

/** Builds the two statements of a list. `Row` is the type of a row with `columns`. */
export function selectPage<Row>(
  list: List,
  query: ListQuery,
  { columns, from, where = [], bytes }: Selection<Row>,
): PageBatch<Row> {
  const conditions = matching(list, query, where)
  const rows = sql`from ${from} where ${conditions}`
  const { limit, offset } = rangeOf(query, list)
  const measured = bytes
    ? sql`, (select tessera.bytes_within(p.bytes, ${literal(rowBytesMax)})
               from (select ${bytes} as bytes ${rows} ${pageSql(list, query)}) p) as bytes`
    : sql``
  return {
    count: sql`select count(*) as count ${measured} ${rows}`,
    page: sql`select ${columns} from ${from} where ${conditions}
               order by ${orderOf(list, query)} limit ${limit} offset ${offset}`,
  }
}

/** Returns the conditions of a list, including its search. */
export const matching = (list: List, { search }: ListQuery, where: readonly Sql[]): Sql =>
  join([sql`true`, ...where, ...(search ? [contains(list.texts, search)] : [])], sql` and `)

/** Returns the end of a statement: the order, and the page or the range. */
export const pageSql = (list: List, query: ListQuery): Sql =>
  sql`order by ${orderOf(list, query)} ${rangeSql(rangeOf(query, list))}`

/** Returns the terms after `order by`. */
export const orderOf = (
  { columns, ordering: defaultOrdering, last }: List,
  { ordering = parseOrdering(defaultOrdering) }: ListQuery,
): Sql => orderBy(columns, ordering, last)

const rangeSql = ({ limit, offset }: Range): Sql => sql`limit ${limit} offset ${offset}`

/** Returns the condition that one of the texts contains another text, regardless of case. */
const contains = (texts: readonly Sql[], search: string): Sql =>
  sql`strpos(lower(concat_ws(E'\\n', ${join(texts)})), lower(${search})) > 0`
