/** A list: what may be asked of it, declared once. The query parameters and the SQL of every list outside records come from here. W6. */
import { z } from 'zod'
import { join, type Sql, sql } from '../../db/sql.ts'
import { type Ordered, type Orderings, orderBy, orderingBy, parseOrdering } from './ordering.ts'
import { oneWay, type Range, type RangeQuery, rangeOf, rangeParameters } from './range.ts'

export interface List {
  /** What it can be sorted by, by the name that `ordering` has for it. */
  orderings: Orderings
  /** The order where none is asked for, as `ordering` says it. */
  ordering: string
  /** Tells rows apart that are equal in all of them: unique. */
  last: Sql
  /** The texts that `search` looks in, and what its description calls them. */
  search: { texts: readonly Sql[]; in: string }
  /** The size of a page where none is asked for. Omitted: 20. */
  pageSize?: number
  /** The answer is all of it, unless a page is asked for. */
  isWhole?: true
}

export interface ListQuery extends RangeQuery {
  search?: string | undefined
  ordering?: readonly Ordered[] | undefined
}

/** The query parameters: those of every list, and the list's own. */
export const listQuery = <Filters extends z.ZodRawShape>(list: List, filters: Filters) =>
  z
    .object({
      ...rangeParameters(list),
      search: z
        .string()
        .optional()
        .meta({ description: `A part of ${list.search.in}, in upper or lower case.` }),
      ordering: orderingBy(list.orderings, list.ordering),
      ...filters,
    })
    .superRefine(oneWay)

/** Which rows a list is of. */
export interface Selection {
  columns: Sql
  /** The text after `from`. */
  from: Sql
  where?: readonly Sql[]
}

/** The statements of a list: how many rows it has on all pages, and the rows of the page that was asked for. */
export type PageBatch<Row> = Readonly<{ count: Sql<{ count: number }>; page: Sql<Row> }>

/** `Row` is what `columns` selects. */
export function selectPage<Row>(list: List, query: ListQuery, { columns, from, where = [] }: Selection): PageBatch<Row> {
  const rows = sql`from ${from} where ${matching(list, query, where)}`
  return { count: sql`select count(*) as count ${rows}`, page: sql`select ${columns} ${rows} ${pageSql(list, query)}` }
}

/** The same two statements for a batch without names, `count` first. */
export function selectList(list: List, query: ListQuery, selection: Selection): [count: Sql, page: Sql] {
  const { count, page } = selectPage(list, query, selection)
  return [count, page]
}

/** All conditions of a list, the search among them. */
export const matching = (list: List, { search }: ListQuery, where: readonly Sql[]): Sql =>
  join([sql`true`, ...where, ...(search ? [contains(list.search.texts, search)] : [])], sql` and `)

/** The end of a statement: the order, and which part is asked for. */
export const pageSql = (list: List, query: ListQuery): Sql => sql`order by ${orderOf(list, query)} ${partSql(rangeOf(query, list))}`

export const orderOf = ({ orderings, ordering: usual, last }: List, { ordering = parseOrdering(usual) }: ListQuery): Sql =>
  orderBy(orderings, ordering, last)

const partSql = ({ limit, offset }: Range): Sql => sql`limit ${limit} offset ${offset}`

/** Whether one of the texts has another in it, in upper or lower case. */
const contains = (texts: readonly Sql[], search: string): Sql => sql`strpos(lower(concat_ws(E'\\n', ${join(texts)})), lower(${search})) > 0`
