/** What clients see when Postgres is silent, slow or killed: the Worker on workerd, a real Postgres, and signals. W1. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { freeze } from '../support/processes.ts'
import { admin, type Service, startService } from '../support/service.ts'

const tables = '/api/apps/shop/datatables'
const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'text', type: 'string' },
  ],
  primaryKey: 'id',
}
const unavailable = { detail: 'The service is temporarily unavailable. Try again in a moment.' }
/** What a machine that several share may add to what is promised. */
const slackMs = 500
const soon = { ms: expect.toSatisfy((ms: number) => ms < slackMs) }
const within3s = { ms: expect.toSatisfy((ms: number) => ms < 3_000 + slackMs) }

let service: Service
let token: string
let thaw = () => {}

beforeAll(async () => {
  service = await startService([], { RATE_LIMIT_SCALE: '100000', LARGE_TABLE_BYTES: '0' })
  const { client } = service
  await client.request('POST', '/api/apps/', { name: 'Shop' })
  await client.request('POST', `${tables}/create_schema/?materialize=true`, {
    resources: ['notes', 'slow'].map((name) => ({ name, schema })),
  })
  await client.request('POST', `${tables}/notes/data/`, { text: 'first' })
  await client.request('POST', '/api/secrets/', { key: 'KEY', secret_type: 'api-key', value: { key: 'abc' } })
  token = await newToken()
})

afterEach(async () => {
  thaw()
  await recovered()
})

afterAll(() => service?.stop())

interface Answer {
  status: number
  retryAfter: string | null
  body: unknown
  ms: number
}

interface Call {
  path: string
  /** Omitted: POST where there is a body, else GET. */
  method?: string
  body?: unknown
  signal?: AbortSignal
}

async function send({ path, body, method = body ? 'POST' : 'GET', signal }: Call): Promise<Answer> {
  const started = performance.now()
  const response = await fetch(`${service.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  })
  const answer = await response.json()
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: answer, ms: performance.now() - started }
}

const signIn: Call = { path: '/api/auth/jwt/token/', body: { username: admin.email, password: admin.password } }
const list: Call = { path: `${tables}/notes/data/` }
const p99 = (times: number[]) => times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] as number
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

async function newToken(): Promise<string> {
  return ((await send(signIn)).body as { access: string }).access
}

/** Asks until the answer is 200; how many milliseconds that took. */
async function recovered(): Promise<number> {
  for (const started = performance.now(); ; await pause(50)) {
    if ((await send(list)).status === 200) return performance.now() - started
    if (performance.now() - started > 30_000) throw new Error('no recovery in 30 s')
  }
}

const freezePostgres = () => {
  thaw = freeze(service.postgres.pid() as number)
}

/** Freezes Postgres, and asks until requests are refused at once. */
async function openBreaker(): Promise<void> {
  freezePostgres()
  const answers = await Promise.all([0, 1_100, 2_200].map((ms) => pause(ms).then(() => send(list))))
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, ...within3s })
  expect(await send(list)).toMatchObject({ status: 503, ...soon })
}

const sql = <Row extends object>(text: string): Promise<Row[]> =>
  onConnection(service.postgres.superuserUrl('tessera'), async (client) => (await client.query<Row>(text)).rows)

/** A table of the app in Postgres. */
async function tableOf(name: string): Promise<string> {
  const [site] = await sql<{ id: string }>(`select id from sites where slug = 'demo'`)
  return `site_${site?.id}.shop_${name}`
}

const probeConnections = async (): Promise<number> =>
  (await sql<{ pid: number }>(`select pid from pg_stat_activity where application_name = 'tessera-probe'`)).length

describe('a frozen Postgres', () => {
  it('is 503 {detail} with Retry-After within 3 s for every kind of request, and /healthz does not notice', async () => {
    const kinds: Record<string, Call> = {
      'list records': list,
      'read a record': { path: `${tables}/notes/data/1/` },
      'create a record': { path: `${tables}/notes/data/`, body: { text: 'second' } },
      'create many records': { path: `${tables}/notes/data/`, body: Array.from({ length: 1000 }, () => ({ text: 'many' })) },
      'compute with records': { path: `${tables}/notes/data/?_aggregate=count(*)` },
      'sign in': signIn,
      'list organizations': { path: '/api/cloud/organizations/' },
      'list secrets': { path: '/api/secrets/' },
      'read a secret': { path: '/api/secrets/KEY/' },
      'create a table': { path: `${tables}/create_schema/?materialize=true`, body: { resources: [{ name: 'more', schema: { fields: [] } }] } },
      'list functions': { path: '/api/apps/shop/functions/' },
      'whether it is ready': { path: '/readyz' },
    }
    freezePostgres()
    const answers = await Promise.all(Object.entries(kinds).map(async ([kind, call]) => [kind, await send(call)] as const))
    for (const [kind, answer] of answers) {
      expect([kind, answer]).toEqual([kind, { status: 503, retryAfter: '2', body: unavailable, ...within3s }])
    }
    expect(await send({ path: '/healthz' })).toMatchObject({ status: 200, ...soon })
  })

  it('is 503 at once after three silent probes, and 200 within 2 s when it goes on', async () => {
    await openBreaker()
    const refusals: number[] = []
    const machine: number[] = []
    for (let count = 0; count < 200; count++) {
      const answer = await send(count % 10 === 0 ? { path: '/readyz' } : list)
      expect(answer).toEqual({ status: 503, retryAfter: '2', body: unavailable, ms: expect.any(Number) })
      refusals.push(answer.ms)
      machine.push((await send({ path: '/healthz' })).ms)
    }
    // What a request takes that asks nobody is the noise of the machine.
    expect(p99(refusals)).toBeLessThan(50 + 2 * p99(machine))
    thaw()
    expect(await recovered()).toBeLessThan(2_000)
  })

  it('is asked again, and not refused from memory, by a request that comes after a pause', async () => {
    await openBreaker()
    await pause(4_500)
    thaw()
    await pause(200)
    expect(await send(list)).toMatchObject({ status: 200 })
  })

  it('is noticed by requests whose clients hang up, too', async () => {
    freezePostgres()
    for (let count = 0; count < 3; count++) {
      await expect(send({ ...list, signal: AbortSignal.timeout(2_300) })).rejects.toThrow()
    }
    await pause(1_000)
    expect(await send(list)).toMatchObject({ status: 503, ...soon })
  })

  it('ends a change of a schema that it interrupts, once three probes in a row were silent', async () => {
    await onConnection(service.postgres.superuserUrl('tessera'), async (writer) => {
      await writer.query(`begin; insert into ${await tableOf('notes')} (text) values ('not committed')`)
      // An index that is built while others write waits for them.
      const indexed = { ...schema, indexes: [{ name: 'by_text', fields: ['text'] }] }
      const change = send({ path: `${tables}/notes/`, method: 'PUT', body: { json_schema: indexed } })
      await pause(1_000)
      const frozen = performance.now()
      freezePostgres()
      expect(await change).toMatchObject({ status: 503, retryAfter: '2', body: unavailable })
      expect(performance.now() - frozen).toBeGreaterThan(3_000)
      expect(performance.now() - frozen).toBeLessThan(6_000 + slackMs)
      thaw()
      await writer.query('rollback')
    })
  })

  it('ends a change of a schema that gets no connection of its own, within 3 s', async () => {
    // Postgres goes on serving the connections that it has, and makes no new ones: not for probes either.
    await send(list)
    await sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tessera-probe'`)
    const pid = service.postgres.pid() as number
    process.kill(pid, 'SIGSTOP')
    thaw = () => void process.kill(pid, 'SIGCONT')
    const changed = { ...schema, fields: [...schema.fields, { name: 'more', type: 'string', constraints: { unique: true } }] }
    const change = await send({ path: `${tables}/notes/`, method: 'PUT', body: { json_schema: changed } })
    expect(change).toEqual({ status: 503, retryAfter: '2', body: unavailable, ...within3s })
  })

  it('has 8 s to wake, when the isolate has never had an answer of it', async () => {
    freezePostgres()
    await service.worker.reload()
    const [silent, together] = await Promise.all([send(list), pause(500).then(() => send(list))])
    expect([silent?.status, together?.status]).toEqual([503, 503])
    expect(silent?.ms).toBeGreaterThan(7_500)
    expect(silent?.ms).toBeLessThan(8_000 + slackMs)
    expect(together?.ms).toBeLessThan(silent?.ms as number)

    await service.worker.reload()
    const waking = send(list)
    await pause(5_000)
    thaw()
    expect(await waking).toMatchObject({ status: 200 })

    // It has answered: from now on it is not asleep.
    freezePostgres()
    expect(await send(list)).toMatchObject({ status: 503, ...within3s })
  })
})

describe('a slow statement on a Postgres that answers others', () => {
  it('keeps its limit of 5 s and its 422, or waits its turn in vain and is 503, 20 of them at once, which opens no breaker', async () => {
    const slow = await tableOf('slow')
    await sql(`
      insert into ${slow} (id, text) values (1, 'x');
      create function public.work_hard() returns boolean language plpgsql as
        'declare until timestamptz := clock_timestamp() + interval ''10 s''; begin while clock_timestamp() < until loop end loop; return true; end';
      create policy hard on ${slow} using (public.work_hard());
      alter table ${slow} enable row level security;
      alter table ${slow} force row level security`)
    const count: Call = { path: `${tables}/slow/data/?_aggregate=count(*)` }
    const all = Promise.all(Array.from({ length: 20 }, () => send(count)))
    await pause(4_000)
    expect(await probeConnections()).toBeGreaterThan(0)
    expect(await send(list)).toMatchObject({ status: 200 })
    const answers = await all
    expect(answers.filter(({ status }) => status === 422).length).toBeGreaterThanOrEqual(4)
    for (const answer of answers.filter(({ status }) => status === 422)) expect(answer).toMatchObject({ body: { error: 'Query too complex' } })
    for (const answer of answers.filter(({ status }) => status !== 422)) expect(answer).toMatchObject({ status: 503, retryAfter: expect.any(String) })
    expect(await send(list)).toMatchObject({ status: 200 })
  })

  it('is waited for: a bulk write of 4 s succeeds', async () => {
    const slow = await tableOf('slow')
    await sql(`
      alter table ${slow} disable row level security;
      create function public.take_time() returns trigger language plpgsql as 'begin perform pg_sleep(4); return null; end';
      create trigger slowly before insert on ${slow} for each statement execute function public.take_time()`)
    const written = await send({ path: `${tables}/slow/data/`, body: Array.from({ length: 100 }, (_, index) => ({ id: index + 100 })) })
    expect([written.status, (written.body as { data: unknown[] }).data.length]).toEqual([201, 100])
    expect(written.ms).toBeGreaterThan(4_000)
    expect(await probeConnections()).toBeGreaterThan(0)
  })
})

describe('a Postgres that is killed', () => {
  it('is 503 until it is back, and never anything else, for 500 requests at work meanwhile', async () => {
    const killed = service.postgres.pid() as number
    setTimeout(() => process.kill(killed, 'SIGKILL'), 300)
    let left = 500
    const answers: Answer[] = []
    const client = async () => {
      for (; left > 0 || service.postgres.pid() === killed; left--)
        answers.push(await send(answers.length % 5 ? list : { path: '/api/cloud/organizations/' }))
    }
    await Promise.all(Array.from({ length: 25 }, client))
    expect(answers.length).toBeGreaterThanOrEqual(500)
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(answers.filter(({ status, retryAfter }) => status === 503 && retryAfter !== '2')).toEqual([])
    expect(answers.some(({ status }) => status === 503)).toBe(true)

    await onceItListens()
    expect(await recovered()).toBeLessThan(2_000)
  })
})

async function onceItListens(): Promise<void> {
  while (
    await sql('select').then(
      () => false,
      () => true,
    )
  )
    await pause(20)
}
