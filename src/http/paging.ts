/** Pages of small resources: the query parameters, and the envelope with its links. W2. */
import { z } from 'zod'
import type { Results } from '../db/results.ts'
import { invalidPage } from '../errors.ts'

const pageSizeMax = 100
const number = (of: string) => z.string().regex(/^[1-9]\d{0,8}$/, `A ${of} is a whole number from 1.`)

/** `page` counts from 1; a larger `page_size` than the maximum is the maximum. */
export const pageQueryOf = (usualSize: number) =>
  z.object({
    page: number('page').default('1').transform(Number),
    page_size: number('page size')
      .default(String(usualSize))
      .transform((size) => Math.min(Number(size), pageSizeMax)),
  })
export const pageQuery = pageQueryOf(20)
export type PageQuery = z.infer<typeof pageQuery>

export interface Page<Item> {
  count: number
  next: string | null
  previous: string | null
  results: Item[]
}

/** The rows a page begins after. */
export const offsetOf = ({ page, page_size }: PageQuery): number => (page - 1) * page_size

/**
 * The page that two statements answered: one that counts, one that selects. `url` is the request's own address: the
 * links differ from it in their page alone. 404 beyond the last page.
 */
export function pageOf<Row, Item>(results: Results, url: string, { page, page_size }: PageQuery, view: (row: Row) => Item): Page<Item> {
  const { count } = results.one<{ count: number }>(0)
  const last = Math.max(1, Math.ceil(count / page_size))
  if (page > last) throw invalidPage()
  const link = (target: number) => {
    const address = new URL(url)
    address.searchParams.set('page', String(target))
    return address.href
  }
  return {
    count,
    next: page < last ? link(page + 1) : null,
    previous: page > 1 ? link(page - 1) : null,
    results: results.rows<Row>(1).map(view),
  }
}

/** The same page where the list is called `items`: of secrets and their types. W2. */
export type ItemsPage<Item> = Omit<Page<Item>, 'results'> & { items: Item[] }

export const asItems = <Item>({ results, ...page }: Page<Item>): ItemsPage<Item> => ({ items: results, ...page })
