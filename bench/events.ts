/**
 * Measures events: how much a subscriber slows down writes, how soon functions start, and how fast many runs
 * finish.
 */
import { median, report, type Stack, withStack } from './stack.ts'

const rows = 10_000
const rounds = 9
const singles = 50

/** The number of the next created object. */
let next = 0

await withStack(async (stack) => {
  const { client, api } = stack
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'sku', type: 'string', constraints: { required: true, unique: true } },
    { name: 'price', type: 'number' },
    { name: 'stock', type: 'integer' },
    { name: 'created_at', type: 'datetime' },
  ]
  await client.request('POST', `${api}/apps/bench/datatables/create_schema/?materialize=true`, {
    resources: [{ name: 'items', schema: { fields, primaryKey: 'id' } }],
  })
  const code = 'export default ({ record_id }) => record_id'
  const { id } = await client.request<{ id: number }>('POST', `${api}/apps/bench/functions/`, {
    name: 'listener',
    code,
  })
  const subscribed = (word: 'subscribe' | 'unsubscribe') =>
    client.request('POST', `${api}/cloud/events/RECORD_CREATE/${word}/`, { function_id: id })

  const times: Record<'without' | 'with', number[]> = { without: [], with: [] }
  await bulk(stack)
  for (let round = 0; round < rounds; round++) {
    times.without.push(await bulk(stack))
    await subscribed('subscribe')
    await client.request('GET', `${items(stack)}?page_size=1`)
    times.with.push(await bulk(stack))
    await subscribed('unsubscribe')
    await ended(stack, (round + 1) * rows)
    await client.request('GET', `${items(stack)}?page_size=1`)
  }
  const [without, withOne] = [median(times.without), median(times.with)]
  report(
    `a bulk of ${rows.toLocaleString('en')}, subscribed to`,
    `${withOne.toFixed(0)} ms, by nobody ${without.toFixed(0)} ms`,
    withOne / without,
    1.2,
  )

  await subscribed('subscribe')
  await client.request('GET', `${items(stack)}?page_size=1`)
  const began = performance.now()
  await bulk(stack)
  await ended(stack, (rounds + 1) * rows)
  const seconds = (performance.now() - began) / 1000
  report(
    `the ${rows.toLocaleString('en')} runs of a bulk`,
    `${seconds.toFixed(1)} s until the last has ended, ${Math.round(rows / seconds)} a second`,
    seconds,
    60,
  )

  for (let single = 0; single < singles; single++) {
    await client.request('POST', items(stack), { sku: `single-${single}` })
    await new Promise((next) => setTimeout(next, 20))
  }
  await ended(stack, (rounds + 1) * rows + singles)
  const { rows: waits } = await stack.sql.query<{ ms: string }>(
    `select extract(epoch from started_at - (params -> 'data' ->> 'created_at')::timestamptz) * 1000 as ms
       from tenant._invocations order by id desc limit ${singles}`,
  )
  const wait = median(waits.map(({ ms }) => Number(ms)))
  report('from the transaction to the beginning of the function', `median ${wait.toFixed(0)} ms`, wait, 1000)
})

function items({ api }: Stack): string {
  return `${api}/apps/bench/datatables/items/data/`
}

/** Returns the milliseconds until a bulk of new records is answered. */
async function bulk(stack: Stack): Promise<number> {
  const records = Array.from({ length: rows }, () => ({
    sku: `sku-${next++}`,
    price: next / 7,
    stock: next % 100,
  }))
  const began = performance.now()
  await stack.client.request('POST', items(stack), records)
  return performance.now() - began
}

/** Waits until this number of runs have succeeded. Throws if a run has another result. */
async function ended({ sql }: Stack, wanted: number): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const counted = await sql.query<{ ended: number; all: number }>(
      `select count(*) filter (where status = 'SUCCESS')::integer as ended, count(*)::integer as all from tenant._invocations`,
    )
    if (counted.rows[0]?.ended === wanted && counted.rows[0].all === wanted) return
    await new Promise((again) => setTimeout(again, 100))
  }
  throw new Error(`not all of ${wanted} runs have ended`)
}
