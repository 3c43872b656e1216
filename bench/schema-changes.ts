/**
 * Measures changes of large tables beside 20 requests a second: how long others wait, whether one is refused,
 * and whether a change that is killed three times is finished. D8.
 * `npm run bench -- schema-changes [--rows=1000000] [--only=flat_table] [--kills=3]`.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { newToken, report, type Stack, withStack } from './stack.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: 'flat_table,jsonb' },
    kills: { type: 'string', default: '3' },
  },
})
const [rows, kills] = [Number(values.rows), Number(values.kills)]
/** The requests a second to the table that is changed, and to another table of the site. */
const [rate, otherRate] = [20, 10]
const readMsMax = 300

const id = { name: 'id', type: 'integer' }
const name = { name: 'name', type: 'string' }
const n = { name: 'n', type: 'number' }
const code = { name: 'code', type: 'string' }
const unique = { ...code, constraints: { unique: true } }
const indexes = [{ name: 'by_name', fields: ['name'], method: 'trigram' }]
const start = { fields: [id, name, { name: 'n', type: 'integer' }, code, { name: 'note', type: 'string' }] }

/** The changes, in order. The first one is killed. */
const changes: [title: string, schema: object][] = [
  ['changes a type', { ...start, fields: [id, name, n, code, start.fields[4]] }],
  ['makes a field unique', { fields: [id, name, n, unique, start.fields[4]] }],
  ['adds a trigram index', { fields: [id, name, n, unique, start.fields[4]], indexes }],
  ['drops a field', { fields: [id, name, n, unique], indexes }],
  ['begins a history', { fields: [id, name, n, unique], indexes, history: true }],
]

interface Operation {
  id: number
  status: string
}

async function measure(stack: Stack, provider: string): Promise<void> {
  const { client, api, sql, schema } = stack
  const [table, other] = [`sales_${provider}`, `other_${provider}`]
  const path = `${api}/apps/bench/datatables/`
  await client.request('POST', `${api}/apps/bench/datasources/`, {
    name: provider,
    slug: provider.replace('_', '-'),
    provider_type: provider,
  })
  for (const [made, count] of [
    [table, rows],
    [other, 10_000],
  ] as const) {
    const query = `materialize=true&datasource=${provider.replace('_', '-')}`
    const resources = [{ name: made, schema: { ...start, primaryKey: 'id' } }]
    await client.request('POST', `${path}create_schema/?${query}`, { resources })
    const generated = `select i as id, 'name ' || md5(i::text) as name, i % 1000 as n, 'code ' || i as code,
                              'note' as note from generate_series(1, ${count}) i`
    const documents = `select to_jsonb(g) from (${generated}) g`
    await sql.query(`insert into ${schema}.bench_${made} ${provider === 'jsonb' ? documents : generated}`)
  }
  await sql.query('vacuum analyze')
  const data = (of: string) => `${path}${of}/data/`
  await client.request('GET', data(other))
  const quiet = await beside(stack, { table: data(table), other: data(other) }, async () => {
    await new Promise((done) => setTimeout(done, 5_000))
  })
  console.log(`${provider}: ${rows.toLocaleString('en')} records; when nothing changes, ${quiet.text}`)
  for (const [position, [title, json_schema]] of changes.entries()) {
    const worker = new Changer(stack, `${path}${table}/`)
    const seen = await beside(stack, { table: data(table), other: data(other) }, () =>
      worker.change({ ...json_schema, primaryKey: 'id' }, position === 0 ? kills : 0),
    )
    const ratio = seen.otherP95 / quiet.otherP95
    const figures = `${worker.said}; ${seen.text}; the other table's p95 × ${ratio.toFixed(2)}`
    report(`${provider}: ${title}`, figures, seen.longest / readMsMax, 1)
    if (seen.refused.length > 0 || ratio > 2) process.exitCode = 1
  }
}

/** Makes changes by a Worker of its own, which can be killed. */
class Changer {
  said = ''
  readonly #stack: Stack
  readonly #path: string

  constructor(stack: Stack, path: string) {
    this.#stack = stack
    this.#path = path
  }

  /** Changes the schema. Its Worker is killed some times, each time after it has gone on for a while. */
  async change(json_schema: object, times: number): Promise<void> {
    const began = performance.now()
    let worker = await this.#stack.startAnother()
    const headers = {
      authorization: `Bearer ${await newToken(worker.url)}`,
      'content-type': 'application/json',
    }
    const answer = await fetch(new URL(`${this.#path}?allow_data_loss=true`, worker.url), {
      method: 'PUT',
      headers,
      body: JSON.stringify({ json_schema }),
    })
    const body = (await answer.json()) as { operation?: Operation }
    if (!answer.ok) throw new Error(`${answer.status}: ${JSON.stringify(body)}`)
    for (let killed = 0; killed < times && (await this.#status(body.operation)) === 'running'; killed++) {
      await new Promise((done) => setTimeout(done, 2_000))
      await worker.stop()
      worker = await this.#stack.startAnother()
      // As if it were two minutes later.
      await this.#stack.sql.query(`update tenant._schema_jobs set queued_at = now() - interval '3 minutes'`)
      await worker.tick()
      const done = async () => (await this.#progress()) ?? 0
      const from = await done()
      while ((await done()) === from && (await this.#status(body.operation)) === 'running')
        await new Promise((wait) => setTimeout(wait, 500))
    }
    while ((await this.#status(body.operation)) === 'running')
      await new Promise((wait) => setTimeout(wait, 500))
    const status = (await this.#status(body.operation)) ?? 'success'
    if (status !== 'success') throw new Error(`The change has the status ${status}.`)
    await worker.stop()
    this.said = `${answer.status}, ${((performance.now() - began) / 1000).toFixed(1)} s`
  }

  async #status(operation: Operation | undefined): Promise<string | undefined> {
    if (!operation) return undefined
    const { rows: found } = await this.#stack.sql.query<Operation>(
      'select status from tenant._operations where id = $1',
      [operation.id],
    )
    return found[0]?.status
  }

  async #progress(): Promise<string | undefined> {
    const { rows: found } = await this.#stack.sql.query<{ at: string }>(
      `select done || ' ' || rows as at from tenant._schema_jobs where ended_at is null`,
    )
    return found[0]?.at
  }
}

/**
 * Sends requests to both tables at fixed times while `work` runs, whether earlier ones are answered or not.
 */
async function beside(
  { client }: Stack,
  { table, other }: { table: string; other: string },
  work: () => Promise<void>,
) {
  const reads: number[] = []
  const writes: number[] = []
  const others: number[] = []
  const refused: string[] = []
  const pending = new Set<Promise<void>>()
  const send = (times: number[], request: () => Promise<unknown>) => {
    const began = performance.now()
    const one: Promise<void> = request()
      .then(
        () => void times.push(performance.now() - began),
        (error: unknown) => void refused.push(String(error).replace(/.* answered/, '')),
      )
      .finally(() => pending.delete(one))
    pending.add(one)
  }
  const some = (most: number) => 1 + Math.floor(Math.random() * most)
  let count = 0
  const main = setInterval(() => {
    count++
    const key = some(rows)
    if (count % 4 === 0) send(writes, () => client.request('PATCH', `${table}${key}/`, { n: some(1000) }))
    else if (count % 4 === 1)
      send(reads, () => client.request('GET', `${table}?id__gte=${key}&page_size=20&_total=none`))
    else send(reads, () => client.request('GET', `${table}${key}/`))
  }, 1000 / rate)
  const side = setInterval(
    () => send(others, () => client.request('GET', `${other}${some(10_000)}/`)),
    1000 / otherRate,
  )
  try {
    await work()
  } finally {
    clearInterval(main)
    clearInterval(side)
    await Promise.all(pending)
  }
  const longest = Math.max(...reads)
  const otherP95 = quantile(others)
  for (const reason of new Set(refused)) console.log(`    refused: ${reason}`)
  return {
    longest,
    refused,
    otherP95,
    text:
      `${reads.length} reads, p95 ${quantile(reads).toFixed()}, longest ${longest.toFixed()} ms; ` +
      `${writes.length} writes, longest ${Math.max(...writes).toFixed()} ms; ${refused.length} refused; ` +
      `load ${loadavg()[0]?.toFixed(1)}`,
  }
}

function quantile(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] as number
}

await withStack(
  async (stack) => {
    for (const provider of values.only.split(',')) await measure(stack, provider)
  },
  { CHANGE_WAIT_MS: '0', LARGE_TABLE_BYTES: '1000000', SITE_CONCURRENCY: '16' },
)
