/**
 * Measures the responses to clients while Postgres is silent for long or slow: the Worker on workerd, a real
 * Postgres, and signals. W1.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import {
  type Call,
  list,
  type Outages,
  pause,
  schema,
  slackMs,
  soon,
  startOutages,
  tables,
  unavailable,
  within3s,
} from '../support/outages.ts'
import { until } from '../support/until.ts'

let outages: Outages

beforeAll(async () => {
  outages = await startOutages()
})

afterEach(async () => {
  outages.thaw()
  await outages.recovered()
})

afterAll(() => outages?.service.stop())

const probeConnections = async (): Promise<number> =>
  (await outages.sql(`select pid from pg_stat_activity where application_name = 'tessera-probe'`)).length
const waitingIndex = `
  select from pg_stat_activity where query ilike '%index concurrently%' and wait_event_type = 'Lock'`

const p99 = (times: number[]) => times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] as number

describe('while Postgres is frozen', () => {
  it('the service returns 503 after three silent probes, about as fast as /healthz', async () => {
    await outages.openBreaker()
    const refusals: number[] = []
    const machine: number[] = []
    for (let count = 0; count < 200; count++) {
      const answer = await outages.send(count % 10 === 0 ? { path: '/readyz' } : list)
      expect(answer).toEqual({ status: 503, retryAfter: '2', body: unavailable, ms: expect.any(Number) })
      refusals.push(answer.ms)
      machine.push((await outages.send({ path: '/healthz' })).ms)
    }
    expect(p99(refusals)).toBeLessThan(50 + 2 * p99(machine))
  })

  it('a request after a pause asks Postgres again instead of using the last result', async () => {
    await outages.openBreaker()
    await pause(4_500)
    outages.thaw()
    await pause(200)
    expect(await outages.send(list)).toMatchObject({ status: 200 })
  })

  it('requests whose clients hang up also count', async () => {
    outages.freezePostgres()
    for (let count = 0; count < 3; count++) {
      await expect(outages.send({ ...list, signal: AbortSignal.timeout(2_300) })).rejects.toThrow()
    }
    await pause(1_000)
    expect(await outages.send(list)).toMatchObject({ status: 503, ...soon })
  })

  it('a schema change that is interrupted ends after three silent probes in a row', async () => {
    await onConnection(outages.service.postgres.superuserUrl('tessera'), async (writer) => {
      await writer.query(
        `begin; insert into ${await outages.tableOf('notes')} (text) values ('not committed')`,
      )
      // An index that is built concurrently waits for open writes.
      const indexed = { ...schema, indexes: [{ name: 'by_text', fields: ['text'] }] }
      const change = outages.send({ path: `${tables}/notes/`, method: 'PUT', body: { json_schema: indexed } })
      await until(
        async () => (await outages.sql(waitingIndex)).length > 0,
        () => 'an index that waits',
      )
      const frozen = performance.now()
      outages.freezePostgres()
      expect(await change).toMatchObject({ status: 503, retryAfter: '2', body: unavailable })
      expect(performance.now() - frozen).toBeGreaterThan(3_000)
      expect(performance.now() - frozen).toBeLessThan(6_000 + slackMs())
      outages.thaw()
      await writer.query('rollback')
    })
  })

  it('a schema change that gets no connection ends within 3 s', async () => {
    // Postgres still serves its open connections, but accepts no new ones, not even for probes.
    await outages.send(list)
    await outages.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tessera-probe'`,
    )
    const pid = outages.service.postgres.pid() as number
    process.kill(pid, 'SIGSTOP')
    outages.thaw = () => void process.kill(pid, 'SIGCONT')
    const changed = {
      ...schema,
      fields: [...schema.fields, { name: 'more', type: 'string', constraints: { unique: true } }],
    }
    const change = await outages.send({
      path: `${tables}/notes/`,
      method: 'PUT',
      body: { json_schema: changed },
    })
    expect(change).toEqual({ status: 503, retryAfter: '2', body: unavailable, ...within3s })
  })

  it('the first request of an isolate waits up to 8 s for Postgres', async () => {
    outages.freezePostgres()
    await outages.service.worker.restart()
    const [silent, together] = await Promise.all([
      outages.send(list),
      pause(500).then(() => outages.send(list)),
    ])
    expect([silent?.status, together?.status]).toEqual([503, 503])
    expect(silent?.ms).toBeGreaterThan(7_500)
    expect(silent?.ms).toBeLessThan(8_000 + slackMs())
    expect(together?.ms).toBeLessThan(silent?.ms as number)

    await outages.service.worker.restart()
    const waking = outages.send(list)
    await pause(5_000)
    outages.thaw()
    expect(await waking).toMatchObject({ status: 200 })

    // Postgres has answered. From now on the isolate does not wait for it to wake.
    outages.freezePostgres()
    expect(await outages.send(list)).toMatchObject({ status: 503, ...within3s })
  })
})

describe('while Postgres answers other statements, a slow statement', () => {
  it('ends after 5 s with 422, or with 503 if it waited too long; 20 at once open no breaker', async () => {
    const slow = await outages.tableOf('slow')
    await outages.sql(`
      insert into ${slow} (id, text) values (1, 'x');
      create function public.work_hard() returns boolean language plpgsql as
        'begin perform pg_sleep(10); return true; end';
      create policy hard on ${slow} using (public.work_hard());
      alter table ${slow} enable row level security;
      alter table ${slow} force row level security`)
    const count: Call = { path: `${tables}/slow/data/?_aggregate=count(*)` }
    const all = Promise.all(Array.from({ length: 20 }, () => outages.send(count)))
    await until(
      async () => (await probeConnections()) > 0,
      () => 'a probe',
    )
    expect(await outages.send(list)).toMatchObject({ status: 200 })
    const answers = await all
    expect(answers.filter(({ status }) => status === 422).length).toBeGreaterThanOrEqual(4)
    for (const answer of answers.filter(({ status }) => status === 422))
      expect(answer).toMatchObject({ body: { error: 'Query too complex', code: 'time_limit_exceeded' } })
    for (const answer of answers.filter(({ status }) => status !== 422))
      expect(answer).toMatchObject({ status: 503, retryAfter: expect.any(String) })
    expect(await outages.send(list)).toMatchObject({ status: 200 })
  })

  it('is waited for: a bulk write of 4 s succeeds', async () => {
    const slow = await outages.tableOf('slow')
    await outages.sql(`
      alter table ${slow} disable row level security;
      create function public.take_time() returns trigger language plpgsql as 'begin perform pg_sleep(4); return null; end';
      create trigger slowly before insert on ${slow} for each statement execute function public.take_time()`)
    const written = await outages.send({
      path: `${tables}/slow/data/`,
      body: Array.from({ length: 100 }, (_, index) => ({ id: index + 100 })),
    })
    expect([written.status, (written.body as { data: unknown[] }).data.length]).toEqual([201, 100])
    expect(written.ms).toBeGreaterThan(4_000)
    expect(await probeConnections()).toBeGreaterThan(0)
  })
})
