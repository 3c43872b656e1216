/** The code of `tessera data watch`. */
import type { Context } from '../context.ts'

/** Prints the answer to a list whenever it has changed. It ends with the list, or after the first one. */
export async function watch(
  context: Context,
  { once }: { once?: boolean },
  app: string,
  table: string,
  query = '',
): Promise<void> {
  const path = `/api/apps/${encodeURIComponent(app)}/datatables/${encodeURIComponent(table)}/data/`
  const live = context.client().live(query === '' ? path : `${path}?${query}`)
  for await (const { data, total, answer } of live) {
    context.output.line(JSON.stringify('total' in answer ? { ...answer, data, total } : answer))
    if (once) return
  }
}
