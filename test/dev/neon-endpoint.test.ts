/** The local Neon endpoint must not make requests wait in ways that the proxy of Neon does not. */
import { neon, neonConfig } from '@neondatabase/serverless'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { type NeonEndpoint, startNeonEndpoint } from '../../dev/neon-endpoint.ts'
import { type PostgresServer, startPostgres } from '../../dev/postgres.ts'
import { freeze } from '../support/processes.ts'
import { scaled } from '../support/scaled.ts'
import { timeLimit } from '../support/time-limit.ts'
import { until } from '../support/until.ts'

let postgres: PostgresServer
let endpoint: NeonEndpoint

beforeAll(async () => {
  postgres = await startPostgres({ settings: ['fsync=off'] })
  endpoint = await startNeonEndpoint()
  neonConfig.fetchEndpoint = endpoint.url
  await rows('create table notes (text text)')
})

afterAll(async () => {
  await endpoint?.close()
  await postgres?.stop()
})

const rows = (text: string) =>
  onConnection(postgres.superuserUrl(), async (client) => (await client.query(text)).rows)
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Runs statements as one transaction. */
function batch(texts: string[], signal?: AbortSignal): Promise<unknown> {
  const sql = neon(postgres.superuserUrl())
  return sql.transaction(
    texts.map((text) => sql.query(text)),
    signal ? { fetchOptions: { signal } } : {},
  )
}

/** Probes like the Worker, with a connection string of its own. Returns the time in ms. */
async function probeMs(): Promise<number> {
  const started = performance.now()
  await neon(`${postgres.superuserUrl()}?application_name=tessera-probe`).query('select 1', [], {
    fetchOptions: { signal: AbortSignal.timeout(scaled(20_000)) },
  })
  return performance.now() - started
}

const countNotes = async (text: string) => (await rows(`select from notes where text = '${text}'`)).length

describe('more concurrent requests than connections', () => {
  it('do not delay probes; they wait for each other without limit, and requests of disconnected clients are not run', async () => {
    const all = await onConnection(postgres.superuserUrl(), async (holder) => {
      await holder.query('begin; lock table notes in access exclusive mode')
      const all = Promise.all(Array.from({ length: 60 }, () => batch(["insert into notes values ('slow')"])))
      await until(
        async () => (await rows(`select from pg_stat_activity where wait_event = 'relation'`)).length === 50,
        () => 'no connection that is free',
      )
      const gone = batch(["insert into notes values ('gone')"], AbortSignal.timeout(500))
      await expect(gone).rejects.toThrow()
      expect(await probeMs()).toBeLessThan(await timeLimit(1_000))
      await holder.query('commit')
      return all
    })
    expect(all).toHaveLength(60)
    await pause(200)
    expect([await countNotes('slow'), await countNotes('gone')]).toEqual([60, 0])
  })
})

describe('a frozen Postgres', () => {
  it('runs no requests of disconnected clients later, and answers new ones at once when it continues', async () => {
    await Promise.all(Array.from({ length: 5 }, () => batch(['select pg_sleep(0.1)'])))
    const thaw = freeze(postgres.pid() as number)
    try {
      // Five use an open connection, the others try to open one.
      const asked = Array.from({ length: 60 }, () =>
        batch(["insert into notes values ('frozen')"], AbortSignal.timeout(1_000)),
      )
      for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected')
    } finally {
      thaw()
    }
    const started = performance.now()
    await batch(["insert into notes values ('thawed')"])
    expect(performance.now() - started).toBeLessThan(await timeLimit(2_000))
    await pause(500)
    expect([await countNotes('frozen'), await countNotes('thawed')]).toEqual([0, 1])
  })
})
