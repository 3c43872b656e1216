/** `tessera schema advice`: the indexes that slow lists of an app's tables lacked. */
import type { Context } from '../context.ts'

interface Advice {
  index: { name: string; fields: string[] }
  count: number
  max_ms: number
}

/** Prints the advice for one table, or for all tables of the app. */
export async function advice(
  context: Context,
  _options: object,
  app: string,
  table: string | undefined,
): Promise<void> {
  const { output } = context
  const client = context.client()
  const tables = `/api/apps/${encodeURIComponent(app)}/datatables/`
  const names = table
    ? [table]
    : (await client.request<{ name: string }[]>({ path: tables })).map(({ name }) => name)
  const found: (Advice & { table: string })[] = []
  for (const name of names) {
    const { indexes } = await client.request<{ indexes: Advice[] }>({
      path: `${tables}${encodeURIComponent(name)}/advice/`,
    })
    found.push(...indexes.map((one) => ({ table: name, ...one })))
  }
  output.result(found, () => {
    if (found.length === 0) return output.line('No slow list of the last week lacked an index.')
    output.table(
      ['TABLE', 'INDEX', 'SLOW LISTS', 'UP TO MS'],
      found.map((one) => [one.table, JSON.stringify(one.index), one.count, Math.round(one.max_ms)]),
    )
    output.line('Add an index to "indexes" in the file of its table, and push it: tessera schema push.')
  })
}
