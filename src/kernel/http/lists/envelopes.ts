/** Builds the answer of a list: a page with links, a page with `items`, or a bare array. W2, W6. */
import type { BatchRows } from '../../db/batch.ts'
import { invalidPage } from '../../errors.ts'
import type { List, ListQuery, PageBatch } from './list.ts'
import { type BoundedRange, boundedRangeOf } from './range.ts'

export interface Page<Item> {
  /** The number of items on all pages. */
  count: number
  /** The URL of the next page; null on the last one. */
  next: string | null
  /** The URL of the previous page; null on the first one. */
  previous: string | null
  results: Item[]
}

/**
 * Builds the page from the rows of `selectPage`. `url` is the URL of the request: links differ from it only
 * in the page or the offset. Throws 404 for a page beyond the last one; an offset beyond the end gives an
 * empty page.
 */
export function pageOf<Row, Item>(
  { count: counted, page }: PageRows<Row>,
  url: string,
  list: List,
  query: ListQuery,
  view: (row: Row) => Item,
): Page<Item> {
  const { count } = counted.one
  const range = boundedRangeOf(query, list)
  if (range.by === 'page' && range.offset > 0 && range.offset >= count) throw invalidPage()
  return { count, ...linksOf(url, range, count), results: page.all.map(view) }
}

/** The rows of the statements of `selectPage`. */
type PageRows<Row> = BatchRows<PageBatch<Row>>

function linksOf(
  url: string,
  { by, limit, offset }: BoundedRange,
  count: number,
): Pick<Page<never>, 'next' | 'previous'> {
  const link = (target: number) => {
    const address = new URL(url)
    address.searchParams.set(by, String(by === 'page' ? Math.floor(target / limit) + 1 : target))
    return address.href
  }
  return {
    next: offset + limit < count ? link(offset + limit) : null,
    previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
  }
}

/** A page whose list is called `items`, for example of secrets and their types. W2. */
export type ItemsPage<Item> = Omit<Page<Item>, 'results'> & { items: Item[] }

/** Renames `results` to `items`. */
export const asItems = <Item>({ results, ...page }: Page<Item>): ItemsPage<Item> => ({
  items: results,
  ...page,
})

/** A list, or a part of one, whose answer is a bare array. */
export interface BareList<Item> {
  items: Item[]
  /** The number of items of the whole list. */
  total: number
}

/** Builds a bare list from the rows of `selectPage`. */
export function bareListOf<Row, Item>(
  { count, page }: PageRows<Row>,
  view: (row: Row) => Item,
): BareList<Item> {
  return { items: page.all.map(view), total: count.one.count }
}

/**
 * Returns the reply to a request for the list. The header `X-Total-Count` contains the number of items of the
 * whole list.
 */
export const bareListReply = <Item extends object>({ items, total }: BareList<Item>) => ({
  200: items,
  headers: { 'X-Total-Count': String(total) },
})
