/** What a page of a list is answered in: the envelope with its links; the same with `items`; and the bare array. W2, W6. */
import type { Context } from 'hono'
import type { Answers } from '../../db/batch.ts'
import { Results } from '../../db/results.ts'
import { invalidPage } from '../../errors.ts'
import type { List, ListQuery, PageBatch } from './list.ts'
import { type Part, partOf } from './range.ts'

export interface Page<Item> {
  count: number
  next: string | null
  previous: string | null
  results: Item[]
}

/**
 * The page that the statements of `selectPage` answered. `url` is the request's own address: the links differ from
 * it in their part of the list alone. 404 for a page beyond the last; beyond the last offset there is nothing.
 */
export function pageOf<Row, Item>(
  answered: PageAnswers<Row> | Results,
  url: string,
  list: List,
  query: ListQuery,
  view: (row: Row) => Item,
): Page<Item> {
  const { count, rows } = listed(answered)
  const part = partOf(query, list)
  if (part.by === 'page' && part.offset > 0 && part.offset >= count) throw invalidPage()
  return { count, ...linksOf(url, part, count), results: rows.map(view) }
}

/** What the statements of `selectPage` answered. */
type PageAnswers<Row> = Answers<PageBatch<Row>>

/** The same for the statements of `selectList`, which have no names. */
function listed<Row>(answered: PageAnswers<Row> | Results): { count: number; rows: readonly Row[] } {
  if (answered instanceof Results) return { count: answered.one<{ count: number }>(0).count, rows: answered.rows<Row>(1) }
  return { count: answered.count.one.count, rows: answered.page.all }
}

function linksOf(url: string, { by, limit, offset }: Part, count: number): Pick<Page<never>, 'next' | 'previous'> {
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

/** The same page where the list is called `items`: of secrets and their types. W2. */
export type ItemsPage<Item> = Omit<Page<Item>, 'results'> & { items: Item[] }

export const asItems = <Item>({ results, ...page }: Page<Item>): ItemsPage<Item> => ({ items: results, ...page })

/** A list that is answered as a bare array, or a part of one. */
export interface Bare<Item> {
  items: Item[]
  /** Of the whole list. */
  total: number
}

/** The list that the statements of `selectPage` answered. */
export function bareOf<Row, Item>(answered: PageAnswers<Row> | Results, view: (row: Row) => Item): Bare<Item> {
  const { count, rows } = listed(answered)
  return { items: rows.map(view), total: count }
}

/** The response, whose header `X-Total-Count` says what the array cannot. */
export function respondBare<Item extends object>(c: Context, { items, total }: Bare<Item>) {
  c.header('X-Total-Count', String(total))
  return c.json(items)
}
