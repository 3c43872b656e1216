/**
 * Measures live lists: the time from the answer to a write until the event, with many followers of one list.
 * docs/performance.md.
 */
import { parseArgs } from 'node:util'
import { follow } from '../test/support/follower.ts'
import { quantile } from './side-by-side/load.ts'
import { newToken, report, type Stack, withStack } from './stack.ts'

const { values } = parseArgs({
  options: {
    followers: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    'writes-per-second': { type: 'string', default: '2' },
  },
})
const [followers, seconds, perSecond] = [values.followers, values.seconds, values['writes-per-second']].map(
  Number,
) as [number, number, number]

/** The most milliseconds from a write to its event, at the 95th percentile. */
const goalMs = 500

await withStack(run, { ACCESS_TOKEN_SECONDS: '86400' })

async function run({ client, api, url }: Stack): Promise<void> {
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'n', type: 'integer' },
  ]
  await client.request('POST', `${api}/apps/bench/datatables/create_schema/?materialize=true`, {
    resources: [{ name: 'notes', schema: { fields, primaryKey: 'id' } }],
  })
  const data = `${api}/apps/bench/datatables/notes/data/`
  const headers = { authorization: `Bearer ${await newToken(url)}` }
  const all = []
  // Not all at once: each joins with a request of its own.
  while (all.length < followers) {
    const some = Math.min(50, followers - all.length)
    const started = await Promise.all(
      Array.from({ length: some }, () => follow(new URL(`${data}?ordering=-id`, url).href, { headers })),
    )
    await Promise.all(started.map((one) => one.next('ready')))
    all.push(...started)
  }
  const before = all.map(({ events }) => events.length)
  const written: number[] = []
  for (let n = 1; n <= seconds * perSecond; n++) {
    const due = performance.now() + 1000 / perSecond
    await client.request('POST', data, { id: n, n })
    written.push(performance.now())
    await new Promise((next) => setTimeout(next, Math.max(0, due - performance.now())))
  }
  await new Promise((settled) => setTimeout(settled, 2_000))
  const late = all.flatMap(({ events }, index) =>
    events
      .slice(before[index])
      .flatMap(({ data: { entered = [] }, at }) =>
        entered.map(({ record }: { record: { id: number } }) => at - (written[record.id - 1] ?? Number.NaN)),
      ),
  )
  late.sort((one, other) => one - other)
  const missing = all.length * written.length - late.length
  report('milliseconds from a write to its event, p95', `${late.length} events`, quantile(late, 0.95), goalMs)
  report('events that are missing', `${all.length} followers × ${written.length} writes`, missing, 0)
  console.log(
    `p50 ${quantile(late, 0.5).toFixed(0)} ms, changes a follower ${meanOf(all, before).toFixed(1)}`,
  )
  for (const one of all) one.close()
}

function meanOf(all: readonly { events: unknown[] }[], before: readonly number[]): number {
  return all.reduce((sum, { events }, index) => sum + events.length - (before[index] ?? 0), 0) / all.length
}
