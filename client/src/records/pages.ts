/** Pages of records, and the iterators that walk them. */
import type { Transport } from '../connection/transport.ts'
import type { AnyListOptions } from './options.ts'
import { listQuery } from './query.ts'

/**
 * How a total was found: by counting, as the database expects it, or not at all. Without a total, `timeout`
 * means that it takes too long to count, and `more` that there are more records than are counted.
 */
type TotalKind = 'exact' | 'estimated' | 'none' | 'timeout' | 'more'

/** A page of a list. */
export interface Page<Item> {
  data: Item[]
  /** The number of all matching records; null if it is not known. */
  total: number | null
  totalIs: TotalKind
  /** The number of the page; null for a page by a cursor. */
  page: number | null
  pageSize: number
  hasMore: boolean
  /** The cursor of the next page; null if there is none, and for a page with a number. */
  next: string | null
  previous: string | null
}

interface WirePage<Item> {
  data: Item[]
  total: number | null
  page: number | null
  page_size: number
  meta: { has_more: boolean; total_is: TotalKind; next?: string | null; previous?: string | null }
}

/** The data for a list: a transport that checks the schema of the response, and the path of the records. */
export interface Records {
  transport: Transport
  /** For example `/api/apps/shop/datatables/products/data/`. */
  path: string
}

export async function readPage<Item>(
  { transport, path }: Records,
  options: AnyListOptions,
): Promise<Page<Item>> {
  const { signal } = options
  const { data, total, page, page_size, meta } = await transport.json<WirePage<Item>>({
    path,
    query: listQuery(options),
    signal,
  })
  const { has_more: hasMore, total_is: totalIs, next = null, previous = null } = meta
  return { data, total, totalIs, page, pageSize: page_size, hasMore, next, previous }
}

/** Yields one page after the other by cursors, which stay exact while others write. */
export async function* walkPages<Item>(
  records: Records,
  options: AnyListOptions,
): AsyncGenerator<Page<Item>> {
  let { after = '' } = options
  for (;;) {
    const page = await readPage<Item>(records, { ...options, after })
    if (page.data.length > 0 || after === '') yield page
    if (page.next === null) return
    after = page.next
  }
}

const eachPageSize = 500

/** Yields every record of a list, in pages that are not counted. */
export async function* walkRecords<Item>(records: Records, options: AnyListOptions): AsyncGenerator<Item> {
  const { pageSize = eachPageSize, total = 'none' } = options
  const all = { ...options, pageSize, total }
  for await (const { data } of walkPages<Item>(records, all)) yield* data
}
