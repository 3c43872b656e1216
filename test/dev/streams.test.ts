/**
 * A large table as CSV from the Worker in a separate process: its memory, a slow client, and a Postgres that
 * is killed.
 */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { runs } from '../support/runs.ts'
import { admin, type Service, startService } from '../support/service.ts'

let service: Service
let token: string
const count = runs(150_000, 1_000_000)
const things = '/api/apps/shop/datatables/things/data/'

beforeAll(async () => {
  service = await startService([])
  const { client, postgres } = service
  await client.request('POST', '/api/apps/', { name: 'shop' })
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
    { name: 'price', type: 'number' },
    { name: 'about', type: 'object' },
  ]
  await client.request('POST', '/api/apps/shop/datatables/create_schema/?materialize=true', {
    resources: [{ name: 'things', schema: { fields, primaryKey: 'id' } }],
  })
  await onConnection(postgres.superuserUrl('tessera'), async (sql) => {
    const { rows } = await sql.query<{ id: string }>(`select id from sites where slug = 'demo'`)
    const table = `site_${rows[0]?.id}.shop_things`
    await sql.query(`
      insert into ${table} (id, name, price, about)
      select n, 'Thing, "' || n || '"', n / 100.0, jsonb_build_object('n', n, 'colour', 'red')
        from generate_series(1, ${count}) n`)
    await sql.query(`vacuum analyze ${table}`)
  })
  const signedIn = await fetch(`${service.origin}/api/auth/jwt/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: admin.email, password: admin.password }),
  })
  token = ((await signedIn.json()) as { access: string }).access
})
afterAll(() => service?.stop())

const open = (accept: string) =>
  fetch(`${service.origin}${things}`, { headers: { accept, authorization: `Bearer ${token}` } })

/** Returns the resident memory of workerd in MiB. */
function resident(): number {
  const processes = execFileSync('ps', ['-A', '-o', 'ppid=,rss=,comm='], { encoding: 'utf8' }).split('\n')
  const own = processes
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent, , name]) => parent === String(process.pid) && name?.includes('workerd'))
  return Math.max(...own.map(([, kilobytes]) => Number(kilobytes) / 1024))
}

/** Counts the lines of a body, with a pause of `pauseMs` after each part. */
async function linesOf(response: Response, pauseMs = 0, onPart: () => void = () => {}): Promise<number> {
  let lines = 0
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines++
    onPart()
    if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs))
  }
  return lines
}

describe('a CSV stream of a table that is much larger than a page', () => {
  it('takes less than 64 MiB of the Worker, and is complete', async () => {
    await linesOf(await open('text/csv;q=0.1, application/json'))
    const before = resident()
    let most = before
    let parts = 0
    const measure = () => {
      if (parts++ % 50 === 0) most = Math.max(most, resident())
    }
    expect(await linesOf(await open('text/csv'), 0, measure)).toBe(count + 1)
    expect(await linesOf(await open('application/x-ndjson'), 0, measure)).toBe(count)
    console.log(`workerd grew by ${(most - before).toFixed(1)} MiB over ${parts} parts`)
    expect(most - before).toBeLessThan(64)
  })

  it('is read no faster than the client reads', async () => {
    /** Returns how often the table was read. Postgres updates the counter within a second. */
    const queries = () =>
      onConnection(service.postgres.superuserUrl('tessera'), async (sql) => {
        const { rows } = await sql.query<{ n: number }>(
          `select (seq_scan + coalesce(idx_scan, 0))::integer as n from pg_stat_user_tables
            where relname = 'shop_things'`,
        )
        return rows[0]?.n ?? 0
      })
    const response = await open('text/csv')
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await new Promise((done) => setTimeout(done, 2_000))
    const before = await queries()
    await new Promise((done) => setTimeout(done, 3_000))
    expect((await queries()) - before).toBe(0)
    await reader.cancel()
  })

  it('closes the connection if Postgres is killed in the middle', async () => {
    const response = await open('text/csv')
    expect(response.status).toBe(200)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    process.kill(service.postgres.pid() as number, 'SIGKILL')
    const rest = (async () => {
      for (;;) if ((await reader.read()).done) return 'complete'
    })()
    await expect(rest).rejects.toThrow()
  })
})
