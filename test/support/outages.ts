/** A service whose Postgres a test freezes, continues and kills, and the responses to its clients. */
import { expect } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { freeze } from './processes.ts'
import { scaled } from './scaled.ts'
import { admin, type Service, startService } from './service.ts'
import { until } from './until.ts'

export const tables = '/api/apps/shop/datatables'
export const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'text', type: 'string' },
  ],
  primaryKey: 'id',
}
export const unavailable = {
  detail: 'The service is temporarily unavailable. Try again in a moment.',
  code: 'unavailable',
}

/** The time that the machine may add to a documented limit. */
export const slackMs = () => scaled(1_500)
export const soon = { ms: expect.toSatisfy((ms: number) => ms < slackMs()) }
export const within3s = { ms: expect.toSatisfy((ms: number) => ms < 3_000 + slackMs()) }

export interface Answer {
  status: number
  retryAfter: string | null
  body: unknown
  ms: number
}

export interface Call {
  path: string
  /** The default is POST if there is a body, and GET otherwise. */
  method?: string
  body?: unknown
  signal?: AbortSignal
}

export const signIn: Call = {
  path: '/api/auth/jwt/token/',
  body: { username: admin.email, password: admin.password },
}
export const list: Call = { path: `${tables}/notes/data/` }

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

export interface Outages {
  service: Service
  send(call: Call): Promise<Answer>
  sql<Row extends object>(text: string): Promise<Row[]>
  /** Returns the name of an app's table in Postgres. */
  tableOf(name: string): Promise<string>
  freezePostgres(): void
  thaw(): void
  /** Freezes Postgres, and sends requests until they are refused at once. */
  openBreaker(): Promise<void>
  /** Sends requests until one returns 200. Returns the time in milliseconds. */
  recovered(): Promise<number>
}

/**
 * Starts a service with a secret and an app that has the tables `notes`, with one record, and `slow`, without
 * records.
 */
export async function startOutages(): Promise<Outages> {
  const service = await startService([], { RATE_LIMIT_SCALE: '100000', LARGE_TABLE_BYTES: '0' })
  let token = ''

  async function send({ path, body, method = body ? 'POST' : 'GET', signal }: Call): Promise<Answer> {
    const started = performance.now()
    const response = await fetch(`${service.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    })
    const answer = await response.json()
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: answer,
      ms: performance.now() - started,
    }
  }

  const sql = <Row extends object>(text: string): Promise<Row[]> =>
    onConnection(
      service.postgres.superuserUrl('tessera'),
      async (client) => (await client.query<Row>(text)).rows,
    )

  const outages: Outages = {
    service,
    send,
    sql,
    async tableOf(name) {
      const [site] = await sql<{ id: string }>(`select id from sites where slug = 'demo'`)
      return `site_${site?.id}.shop_${name}`
    },
    freezePostgres() {
      outages.thaw = freeze(service.postgres.pid() as number)
    },
    thaw: () => {},
    async openBreaker() {
      outages.freezePostgres()
      const answers = await Promise.all([0, 1_100, 2_200].map((ms) => pause(ms).then(() => send(list))))
      for (const answer of answers) expect(answer).toMatchObject({ status: 503, ...within3s })
      // A busy machine may still wait for the last of the three probes. The breaker opens when that ends.
      let answer = await send(list)
      if (answer.ms >= slackMs()) answer = await send(list)
      expect(answer).toMatchObject({ status: 503, ...soon })
    },
    async recovered() {
      const started = performance.now()
      await until(
        async () => (await send(list)).status === 200,
        () => 'a recovery',
      )
      return performance.now() - started
    },
  }

  const { client } = service
  await client.request('POST', '/api/apps/', { name: 'Shop' })
  await client.request('POST', `${tables}/create_schema/?materialize=true`, {
    resources: ['notes', 'slow'].map((name) => ({ name, schema })),
  })
  await client.request('POST', `${tables}/notes/data/`, { text: 'first' })
  await client.request('POST', '/api/secrets/', { key: 'KEY', secret_type: 'api-key', value: { key: 'abc' } })
  token = ((await send(signIn)).body as { access: string }).access
  return outages
}
