/**
 * The Worker under floods of HTTP requests, as a separate process: its memory, and the order in which
 * requests wait.
 */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'

let service: Service
const nodes = '/api/apps/shop/datatables/nodes/data/'
const count = 700

beforeAll(async () => {
  service = await startService([])
  const { client } = service
  await client.request('POST', '/api/apps/', { name: 'shop' })
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'text', type: 'string' },
  ]
  await client.request('POST', '/api/apps/shop/datatables/create_schema/?materialize=true', {
    resources: [{ name: 'nodes', schema: { fields, primaryKey: 'id', hierarchy: true } }],
  })
  // A character beyond Latin-1: with it, JavaScript stores every character of the text in two bytes.
  const text = `${'x'.repeat(10_000)}€`
  for (let first = 1; first <= count; first += 50) {
    await client.request(
      'POST',
      nodes,
      Array.from({ length: 50 }, (_, index) => ({ id: first + index, text })),
    )
  }
  const edges = Array.from({ length: count - 9 }, (_, index) => ({
    from_id: index + 10,
    to_id: Math.floor((index + 10) / 10),
    type: 'parent',
  }))
  await client.request('POST', '/api/apps/shop/datatables/nodes/edges/', edges)
})
afterAll(() => service?.stop())

/** Returns the resident memory of workerd in MB. */
function resident(): number {
  const processes = execFileSync('ps', ['-A', '-o', 'ppid=,rss=,comm='], { encoding: 'utf8' }).split('\n')
  const own = processes
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent, , name]) => parent === String(process.pid) && name?.includes('workerd'))
  return Math.max(...own.map(([, kilobytes]) => Number(kilobytes) / 1024))
}

async function get(path: string): Promise<{ status: number; bytes: number; retryAfter: string | null }> {
  const response = await fetch(service.origin + path, { headers: { authorization: `Bearer ${token}` } })
  return {
    status: response.status,
    bytes: (await response.arrayBuffer()).byteLength,
    retryAfter: response.headers.get('retry-after'),
  }
}
let token: string
beforeAll(async () => {
  const body = JSON.stringify({ username: 'admin@example.com', password: 'Admin-demo-1' })
  const answer = await fetch(`${service.origin}/api/auth/jwt/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  token = ((await answer.json()) as { access: string }).access
})

describe('20 large answers at once', () => {
  it.each(['tree', 'graph'])(
    'as a %s of 7 MB each are sent one after the other or get 503, within bounded memory',
    async (format) => {
      expect((await get(`${nodes}?format=${format}`)).status).toBe(200)
      const before = resident()
      let peak = before
      const watching = setInterval(() => {
        peak = Math.max(peak, resident())
      }, 50)
      const answers = await Promise.all(Array.from({ length: 20 }, () => get(`${nodes}?format=${format}`)))
      clearInterval(watching)
      const sent = answers.filter(({ status }) => status === 200)
      console.log(
        JSON.stringify({ format, sent: sent.length, before: Math.round(before), peak: Math.round(peak) }),
      )
      expect(sent.length).toBeGreaterThan(0)
      for (const { bytes } of sent) expect(bytes).toBeGreaterThan(7_000_000)
      for (const { status, retryAfter } of answers)
        if (status !== 200) expect([status, retryAfter]).toEqual([503, '2'])
      // Without the gate, it would be 700 MB, and with this character 1,700 MB.
      expect(peak - before).toBeLessThan(300)
    },
  )
})

describe('24 passwords at once', () => {
  it('are hashed in turn or get 503, and other requests are served in between', async () => {
    let flooding = true
    const waits: number[] = []
    const reading = (async () => {
      while (flooding) {
        const began = performance.now()
        expect((await get(`${nodes}1/`)).status).toBe(200)
        waits.push(performance.now() - began)
      }
    })()
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        fetch(`${service.origin}/api/users/`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            username: `made-${index}`,
            email: `made-${index}@example.org`,
            password: 'Correct-horse-1',
          }),
        }),
      ),
    )
    flooding = false
    await reading
    const made = answers.filter(({ status }) => status === 201).length
    console.log(JSON.stringify({ made, reads: waits.length, longest: Math.round(Math.max(...waits)) }))
    expect(made).toBeGreaterThan(0)
    for (const { status, headers } of answers)
      if (status !== 201) expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    expect(waits.length).toBeGreaterThanOrEqual(made / 2)
  })
})
