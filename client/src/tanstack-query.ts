/**
 * Keys and options for TanStack Query: `tessera-client/tanstack-query`. It imports nothing from that library:
 * its results fit `useQuery`, `useInfiniteQuery` and `queryClient.fetchQuery` of every framework.
 */
import type { CallOptions } from './connection/transport.ts'
import type { Page } from './records/pages.ts'

/** The argument that the library passes to a query function. */
interface QueryContext {
  signal: AbortSignal
}

/**
 * Creates the keys and options of a table. `name` begins every key, such as `['shop', 'products']`. The
 * caller writes the reads with the client, so that their types are exact; `what` identifies a read and is a
 * part of the key.
 */
export function tableQueries<Calls extends object>(table: Calls, name: readonly string[]) {
  const lists = [...name, 'list'] as const
  const records = [...name, 'record'] as const
  const listKey = (what: unknown) => [...lists, what] as const
  const recordKey = (key: unknown, ...what: unknown[]) => [...records, key, ...what] as const
  return {
    /** The keys of the table and of its queries, to invalidate them after a write. */
    keys: { all: name, lists, list: listKey, records, record: recordKey },
    /** `list({ where }, (products, options) => products.list({ where, ...options }))` */
    list: <Item>(what: unknown, read: (table: Calls, options: CallOptions) => Promise<Item>) =>
      queryOf(listKey(what), (options) => read(table, options)),
    /** `record(3, (products, options) => products.get(3, options))` */
    record: <Item>(
      key: unknown,
      read: (table: Calls, options: CallOptions) => Promise<Item>,
      ...what: unknown[]
    ) => queryOf(recordKey(key, ...what), (options) => read(table, options)),
    /** Pages by cursors, for `useInfiniteQuery`. `read` gets `after`, the cursor of the page. */
    infinite: <Item>(
      what: unknown,
      read: (table: Calls, options: CallOptions & { after: string }) => Promise<Page<Item>>,
    ) => ({
      queryKey: [...lists, 'infinite', what],
      queryFn: ({ signal, pageParam }: QueryContext & { pageParam: string }) =>
        read(table, { signal, after: pageParam }),
      initialPageParam: '',
      getNextPageParam: (page: Page<Item>) => page.next,
    }),
  }
}

const queryOf = <Item>(queryKey: readonly unknown[], read: (options: CallOptions) => Promise<Item>) => ({
  queryKey,
  queryFn: ({ signal }: QueryContext): Promise<Item> => read({ signal }),
})
