/** Reads lists of the service whole. */
import type { Items } from '../../client/src/site/lists.ts'

const pageSize = 100

/** Returns the items of all pages. `read` reads one. */
export async function allItems<Item>(
  read: (options: { page: number; pageSize: number }) => Promise<Items<Item>>,
): Promise<Item[]> {
  const found: Item[] = []
  for (let page = 1; ; page++) {
    const { data, total } = await read({ page, pageSize })
    found.push(...data)
    if (data.length === 0 || page * pageSize >= total) return found
  }
}
