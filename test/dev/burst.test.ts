/** More requests of a site than it has places, in a running Worker: requests wake each other there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { medianOf, openLoop } from '../support/open-loop.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'
import { admin, type Service, startService } from '../support/service.ts'
import { timeLimit } from '../support/time-limit.ts'

let service: Service
let authorization: string
const tables = '/api/apps/shop/datatables/'
beforeAll(async () => {
  service = await startService([])
  const { client } = service
  await client.request('POST', '/api/apps/', { name: 'shop' })
  const schema = { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' }
  const resources = ['items', 'locked'].map((name) => ({ name, schema }))
  await client.request('POST', `${tables}create_schema/?materialize=true`, { resources })
  for (const { name } of resources) await client.request('POST', `${tables}${name}/data/`, { id: 1 })
  const answer = await fetch(`${service.origin}/api/auth/jwt/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: admin.email, password: admin.password }),
  })
  const { access } = (await answer.json()) as { access: string }
  authorization = `Bearer ${access}`
})
afterAll(() => service?.stop())

async function read(table = 'items', signal?: AbortSignal): Promise<number> {
  const response = await fetch(`${service.origin}${tables}${table}/data/1/`, {
    headers: { authorization },
    ...(signal ? { signal } : {}),
  })
  await response.arrayBuffer()
  return response.status
}

/** Returns how many requests a second the Worker answers now, on a machine that others use, too. */
async function capacity(): Promise<number> {
  const [clients, each] = [8, 40]
  const ask = async () => {
    for (let index = 0; index < each; index++) await read()
  }
  await Promise.all(Array.from({ length: clients }, ask))
  const began = performance.now()
  await Promise.all(Array.from({ length: clients }, ask))
  return (1000 * clients * each) / (performance.now() - began)
}

describe('a Worker with more requests of a site than places', () => {
  // Another load of the machine changes the capacity meanwhile.
  const rates = [60, 140, 200].slice(0, runs(0, 3))

  it.each(rates)(
    'lets a burst of 200 pass within five seconds at half of the capacity, with %d a second',
    async (rate) => {
      const perSecond = Math.min(rate, (await capacity()) / 2)
      const load = { perSecond, seconds: 11, burst: { count: 200, afterSeconds: 4 } }
      const answered = await openLoop(() => read(), load)
      expect(answered.filter(({ status }) => status !== 200)).toEqual([])
      const [before, after] = [medianOf(answered, 1_000, 4_000), medianOf(answered, 9_000, 11_000)]
      console.log(JSON.stringify({ rate: Math.round(perSecond), before, after }))
      expect(after).toBeLessThan(2 * before + (await timeLimit(20)))
    },
  )

  it('answers all requests that a run of a function sends at once, also those that wait for a place', async () => {
    const { client } = service
    const code = `export default async (params, { client }) => {
      const send = () => client.fetch('${tables}items/data/')
      const all = await Promise.all(Array.from({ length: 40 }, send))
      return all.map(({ status }) => status)
    }`
    await client.request('POST', '/api/apps/shop/functions/', { name: 'crowd', code })
    const answer = await client.request('POST', '/api/apps/shop/functions/crowd/execute/', { params: {} })
    expect(answer).toMatchObject({ data: Array.from({ length: 40 }, () => 200) })
  })

  it('gives the places of cancelled requests to others within two seconds', async () => {
    const { postgres } = service
    const waiting: Promise<unknown>[] = []
    const cancelled = new AbortController()
    await onConnection(postgres.superuserUrl('tessera'), async (sql) => {
      const { rows } = await sql.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where tablename like '%locked%'`,
      )
      expect(rows).toHaveLength(1)
      await sql.query('begin')
      await sql.query(`lock table ${rows[0]?.name} in access exclusive mode`)
      for (let place = 0; place < 16; place++) waiting.push(read('locked'))
      await new Promise((done) => setTimeout(done, scaled(500)))
      for (let index = 0; index < 200; index++)
        waiting.push(read('items', cancelled.signal).catch(() => undefined))
      await new Promise((done) => setTimeout(done, scaled(500)))
      cancelled.abort()
      await new Promise((done) => setTimeout(done, 50))
      await sql.query('rollback')
    })
    const began = performance.now()
    expect(await read()).toBe(200)
    expect(performance.now() - began).toBeLessThan(await timeLimit(2_000))
    await Promise.all(waiting)
  })
})
