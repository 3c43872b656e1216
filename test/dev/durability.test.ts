/**
 * What was acknowledged is there, and what was not is whole or not there at all, however often Postgres is killed: the
 * server, or one of its processes, with SIGKILL, while clients write many records at a time. KILLS sets how often.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { type Service, startService } from '../support/service.ts'

const kills = Number(process.env.KILLS ?? 20)
const rows = 200

let service: Service
beforeAll(async () => {
  service = await startService([], { RATE_LIMIT_SCALE: '100000' })
  const fields = [
    { name: 'batch', type: 'integer', constraints: { required: true } },
    { name: 'n', type: 'integer', constraints: { required: true } },
  ]
  await service.client.request('POST', '/api/apps/', { name: 'Ledger' })
  await service.client.request('POST', '/api/apps/ledger/datatables/create_schema/?materialize=true', {
    resources: [{ name: 'entries', schema: { fields } }],
  })
})
afterAll(() => service?.stop())

const sql = <Row extends object>(text: string): Promise<Row[]> =>
  onConnection(service.postgres.superuserUrl('tessera'), async (client) => (await client.query<Row>(text)).rows)
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Ends the server, or a process of it that is at a write. Either way Postgres recovers from its log. */
async function kill(index: number): Promise<void> {
  const server = service.postgres.pid() as number
  if (index % 2 === 0) return void process.kill(server, 'SIGKILL')
  const [writer] = await sql<{ pid: number }>(
    `select pid from pg_stat_activity where usename = 'tessera_service' order by state = 'active' desc limit 1`,
  )
  if (writer) process.kill(writer.pid, 'SIGKILL')
}

async function untilItAnswers(): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; await pause(50)) {
    try {
      await sql('select')
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

it(`${kills} kills: no batch in part, none lost that was acknowledged, none twice`, { timeout: 600_000 }, async () => {
  const { access } = (await service.client.request('POST', '/api/auth/jwt/token/', { username: 'admin@example.com', password: 'Admin-demo-1' })) as {
    access: string
  }
  const acknowledged: number[] = []
  const refused: number[] = []
  const statuses = new Set<number>()
  let next = 1
  let over = false
  const client = async () => {
    while (!over) {
      const batch = next++
      const response = await fetch(`${service.origin}/api/apps/ledger/datatables/entries/data/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
        body: JSON.stringify(Array.from({ length: rows }, (_, n) => ({ batch, n }))),
      })
      await response.arrayBuffer()
      statuses.add(response.status)
      if (response.status === 201) acknowledged.push(batch)
      else {
        refused.push(batch)
        await pause(50)
      }
    }
  }
  const clients = Promise.all(Array.from({ length: 4 }, client))
  for (let index = 0; index < kills; index++) {
    const before = acknowledged.length
    // Each kill meets clients that write again.
    for (const deadline = Date.now() + 20_000; acknowledged.length < before + 3 && Date.now() < deadline; ) await pause(20)
    await kill(index).catch(() => undefined)
    await untilItAnswers()
  }
  over = true
  await clients
  await untilItAnswers()

  const kept = await sql<{ batch: number; count: number; numbers: number }>(
    `select batch::int, count(*)::int as count, count(distinct n)::int as numbers
       from site_${(await sql<{ id: string }>(`select id from sites where slug = 'demo'`))[0]?.id}.ledger_entries group by batch`,
  )
  const there = new Set(kept.map(({ batch }) => batch))
  expect(kept.filter(({ count, numbers }) => count !== rows || numbers !== rows)).toEqual([])
  expect(acknowledged.filter((batch) => !there.has(batch))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(kills)
  expect(refused.length).toBeGreaterThan(0)
  expect([...statuses].sort()).toEqual([201, 503])
  const ambiguous = refused.filter((batch) => there.has(batch)).length
  console.log(JSON.stringify({ kills, acknowledged: acknowledged.length, refused: refused.length, ofThoseCommitted: ambiguous }))
})
