/** Large lists at once from the Worker in a separate process: its memory, and clients that stop reading. */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { admin, type Service, startService } from '../support/service.ts'

let service: Service
let token: string

beforeAll(async () => {
  service = await startService([])
  const { client, postgres } = service
  await client.request('POST', '/api/apps/', { name: 'shop' })
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
  ]
  await client.request('POST', '/api/apps/shop/datatables/create_schema/?materialize=true', {
    resources: [{ name: 'books', schema: { fields, primaryKey: 'id' } }],
  })
  // A character beyond Latin-1: with it, JavaScript stores every character of a text in two bytes.
  await onConnection(postgres.superuserUrl('tessera'), async (sql) => {
    const { rows } = await sql.query<{ id: string }>(`select id from sites where slug = 'demo'`)
    await sql.query(`
      insert into site_${rows[0]?.id}.shop_books (id, name)
      select n, repeat('a "page" ', 1100) || '€' from generate_series(1, 1000) n`)
  })
  const signedIn = await fetch(`${service.origin}/api/auth/jwt/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: admin.email, password: admin.password }),
  })
  token = ((await signedIn.json()) as { access: string }).access
})
afterAll(() => service?.stop())

/** Opens a list of 12 MB; again, if a busy machine makes Postgres too slow. */
async function openBooks(): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${service.origin}/api/apps/shop/datatables/books/data/?limit=1000`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (response.status !== 503 || attempt === 20) return response
    await response.text()
    await new Promise((done) => setTimeout(done, 1_000))
  }
}

/** Opens such a list, and reads it two seconds later. */
async function readBooks(): Promise<string> {
  const response = await openBooks()
  await new Promise((done) => setTimeout(done, 2_000))
  return response.text()
}

/** Returns the resident memory of workerd in MiB. */
function resident(): number {
  const processes = execFileSync('ps', ['-A', '-o', 'ppid=,rss=,comm='], { encoding: 'utf8' }).split('\n')
  const own = processes
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent, , name]) => parent === String(process.pid) && name?.includes('workerd'))
  return Math.max(...own.map(([, kilobytes]) => Number(kilobytes) / 1024))
}

describe('16 lists of 12 MB at once', () => {
  it('take less than 128 MiB of the Worker, whether they are read or not, and are complete', async () => {
    const one = await readBooks()
    expect([one.length > 11_000_000, one.slice(0, 17)]).toEqual([true, '{"data":[{"id":1,'])
    const before = resident()
    let most = before
    const watching = setInterval(() => {
      most = Math.max(most, resident())
    }, 100)
    const all = await Promise.all(Array.from({ length: 16 }, readBooks))
    clearInterval(watching)
    const complete = (text: string) => (text === one ? 'complete' : `${text.length}: ${text.slice(0, 120)}`)
    expect(all.map(complete)).toEqual(Array.from({ length: 16 }, () => 'complete'))
    console.log(`workerd: ${before.toFixed()} MiB, at most ${most.toFixed()}, then ${resident().toFixed()}`)
    expect(most - before).toBeLessThan(128)
    expect(resident() - before).toBeLessThan(64)
  })

  it('hold nothing for clients that read nothing for 30 seconds, which get no complete body', async () => {
    const response = await openBooks()
    expect(response.status).toBe(200)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await new Promise((done) => setTimeout(done, 32_000))
    const rest = (async () => {
      for (;;) if ((await reader.read()).done) return 'complete'
    })()
    await expect(rest).rejects.toThrow()
  })
})
