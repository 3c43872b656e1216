/**
 * Every acknowledged record is stored, and every other batch is stored completely or not at all, however
 * often Postgres is killed: the server or one of its processes, with SIGKILL, while clients write many
 * records at a time.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'
import { type Service, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const kills = runs(4, 20, 100)
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
  onConnection(
    service.postgres.superuserUrl('tessera'),
    async (client) => (await client.query<Row>(text)).rows,
  )
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Kills the server, or one of its processes during a write. In both cases Postgres recovers from its log. */
async function kill(index: number): Promise<void> {
  const server = service.postgres.pid() as number
  if (index % 2 === 0) return void process.kill(server, 'SIGKILL')
  const [writer] = await sql<{ pid: number }>(
    `select pid from pg_stat_activity where usename = 'tessera_service' order by state = 'active' desc limit 1`,
  )
  if (writer) process.kill(writer.pid, 'SIGKILL')
}

const untilItAnswers = () =>
  until(
    async () => (await sql('select')).length === 1,
    () => 'an answer of Postgres',
  )

it(`after ${kills} kills of Postgres, no batch is partial, and every acknowledged record exists exactly once`, {
  timeout: scaled(60_000 + 20_000 * kills),
}, async () => {
  const { access } = (await service.client.request('POST', '/api/auth/jwt/token/', {
    username: 'admin@example.com',
    password: 'Admin-demo-1',
  })) as {
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
    // Each kill happens while clients are writing again.
    await until(
      () => acknowledged.length >= before + 3,
      () => 'writes that are acknowledged',
    )
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
  console.log(
    JSON.stringify({
      kills,
      acknowledged: acknowledged.length,
      refused: refused.length,
      ofThoseCommitted: ambiguous,
    }),
  )
})
