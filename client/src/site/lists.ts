/**
 * Lists of resources other than records: sites, functions, secrets and others.
 * docs/guide/conventions.md#lists.
 */
import type { CallOptions, Query, Transport } from '../connection/transport.ts'

/** The page and the order of a list. */
export interface ItemOptions extends CallOptions {
  page?: number | undefined
  /** At most 100. */
  pageSize?: number | undefined
  search?: string | undefined
  ordering?: readonly string[] | undefined
}

/** A page of a list. */
export interface Items<Item> {
  data: Item[]
  total: number
}

/** Reads a page. `filters`: the list's own filters. */
export async function readItems<Item>(
  transport: Transport,
  path: string,
  { page, pageSize, search, ordering, signal }: ItemOptions = {},
  filters: Query = {},
): Promise<Items<Item>> {
  const query = { ...filters, page, page_size: pageSize, search, ordering: ordering?.join(',') }
  const answer = await transport.send({ path, query, signal })
  const body = (await answer.json()) as WireItems<Item> | Item[]
  return Array.isArray(body)
    ? { data: body, total: Number(answer.headers.get('x-total-count')) }
    : { data: body.results ?? body.items ?? [], total: body.count }
}

/**
 * Secrets are in `items`; domains are an array, and a header has their number; all others are in `results`.
 */
interface WireItems<Item> {
  results?: Item[]
  items?: Item[]
  count: number
}
