/**
 * Reads from a replica that lags behind: the rights of callers, the age of responses, and the requests to the
 * primary.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { ensureSuperuser } from '../../dev/superuser.ts'
import { admin, type Service, startService } from '../support/service.ts'
import { type Standby, startStandby } from '../support/standby.ts'
import { until } from '../support/until.ts'

const tables = '/api/apps/shop/datatables'
const notes = `${tables}/notes/data/`
/** The delay of the replica in ms, longer than any test. */
const hour = 3_600_000
/** Allows responses of any age. */
const any = { 'cache-control': 'max-age=999999' }

let service: Service
let standby: Standby
let token: string

beforeAll(async () => {
  service = await startService([], async ({ server, urlsOf }) => {
    standby = await startStandby(server)
    const url = new URL(urlsOf('tessera').service)
    url.port = String(standby.server.port)
    return { READ_DATABASE_URL: url.href }
  })
  token = await signIn(admin.email, admin.password)
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'text', type: 'string' },
  ]
  const resources = [{ name: 'notes', schema: { primaryKey: 'id', fields, hierarchy: true, history: true } }]
  await post('/api/apps/', { name: 'shop' })
  await post(`${tables}/create_schema/?materialize=true`, { resources })
  await post(notes, [{ text: 'first' }, { text: 'second' }])
  await post(`${tables}/notes/edges/`, [{ from_id: 2, to_id: 1, type: 'parent' }])
})

afterAll(async () => {
  await service?.stop()
  await standby?.stop()
})

/** Lets the replica catch up, and then delays all further changes. */
beforeEach(async () => {
  await standby.delay(0)
  await until(standby.hasCaughtUp, () => 'a replica that has everything')
  await standby.delay(hour)
})

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests assert bodies of many shapes
  body: any
  text: string
  age: string | null
  /** The round trips to the primary and to the replica, as in Server-Timing. */
  trips: { db: number; replica: number }
}

async function ask(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer> {
  const answer = await fetch(`${service.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const timing = answer.headers.get('server-timing') ?? ''
  const tripsTo = (name: string) =>
    Number(new RegExp(`${name};dur=[\\d.]+;desc="(\\d+)"`).exec(timing)?.[1] ?? 0)
  return {
    status: answer.status,
    body: answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text,
    text,
    age: answer.headers.get('age'),
    trips: { db: tripsTo('db'), replica: tripsTo('replica') },
  }
}

async function post(path: string, body: unknown): Promise<Answer['body']> {
  const answer = await ask('POST', path, { body })
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body
}

async function signIn(username: string, password: string): Promise<string> {
  const answer = await fetch(`${service.origin}/api/auth/jwt/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return ((await answer.json()) as { access: string }).access
}

const onPrimary = (text: string) =>
  onConnection(service.postgres.superuserUrl('tessera'), (client) => client.query(text))

const read = (path = `${notes}1/`, headers: Record<string, string> = any) => ask('GET', path, { headers })

/** Asks until the replica answers. It is not used for a moment after a test in which it could not answer. */
async function readOld(path?: string, headers?: Record<string, string>): Promise<Answer> {
  let answer = await read(path, headers)
  await until(
    async () => {
      answer = await read(path, headers)
      return answer.age !== null
    },
    () => `no answer of the replica: ${answer.status} ${answer.text}`,
    30_000,
  )
  return answer
}

describe('a read from the replica uses the present rights of the caller', () => {
  it('and returns 401 for a deactivated account and 403 for an account without rights, although the replica does not know', async () => {
    await ensureSuperuser(service.postgres.superuserUrl('tessera'), 'second@example.com', 'Second-demo-1')
    const authorization = `Bearer ${await signIn('second@example.com', 'Second-demo-1')}`
    await standby.delay(0)
    await until(standby.hasCaughtUp, () => 'a replica that knows the account')
    await standby.delay(hour)
    const headers = { ...any, authorization }
    expect((await readOld(`${notes}1/`, headers)).status).toBe(200)
    await onPrimary(`update users set is_superuser = false where email = 'second@example.com'`)
    expect(await read(`${notes}1/`, headers)).toMatchObject({ status: 403, age: null })
    await onPrimary(`update users set is_active = false where email = 'second@example.com'`)
    expect(await read(`${notes}1/`, headers)).toMatchObject({ status: 401, age: null })
  })

  it('and returns 401 for a deleted API key', async () => {
    const scopes = [{ app: 'shop', tables: ['notes'], can: ['read'] }]
    const { id, key } = await post('/api/api-keys/', { name: 'reader', scopes })
    const headers = { ...any, authorization: `Api-Key ${key}` }
    const before = await readOld(`${notes}1/`, headers)
    expect([before.status, before.body.data.text]).toEqual([200, 'first'])
    expect((await ask('DELETE', `/api/api-keys/${id}/`)).status).toBe(204)
    expect(await read(`${notes}1/`, headers)).toMatchObject({ status: 401, age: null })
  })
})

describe('the primary answers', () => {
  it.each<Record<string, string>>([
    {},
    { 'cache-control': 'no-cache' },
    { 'cache-control': 'max-age=0' },
    { 'cache-control': 'max-age=30, no-cache' },
    { 'cache-control': 'max-age=soon' },
  ])('a request that allows no old response: %j', async (headers) => {
    const text = `asked with ${JSON.stringify(headers)}`
    await ask('PATCH', `${notes}1/`, { body: { text } })
    const answer = await read(`${notes}1/`, headers)
    expect([answer.status, answer.body.data.text, answer.age]).toEqual([200, text, null])
    expect(answer.trips).toEqual({ db: 1, replica: 0 })
  })

  it('if the replica is older than the request allows', async () => {
    await ask('PATCH', `${notes}1/`, { body: { text: 'newer' } })
    await until(
      async () => Number((await readOld()).age) > 1,
      () => 'no answer of more than a second',
    )
    const answer = await read(`${notes}1/`, { 'cache-control': 'max-age=1' })
    expect([answer.status, answer.body.data.text, answer.age]).toEqual([200, 'newer', null])
    expect(answer.trips).toEqual({ db: 2, replica: 1 })
    // A request that allows an older response gets it, and the others no longer try the replica.
    expect((await read()).trips).toEqual({ db: 1, replica: 1 })
  })

  it('if the schema of a table has changed and the replica has the old one', async () => {
    await readOld()
    const fields = [
      { name: 'id', type: 'integer' },
      { name: 'text', type: 'string' },
      { name: 'colour', type: 'string', default: 'blue' },
    ]
    const schema = { primaryKey: 'id', fields, hierarchy: true, history: true }
    const changed = await ask('PATCH', `${tables}/notes/`, { body: { json_schema: schema } })
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)])
    const answer = await read()
    expect([answer.status, answer.body.data.colour, answer.age]).toEqual([200, 'blue', null])
  })
})

describe('a read that allows old responses', () => {
  it('gets its response from the replica, with its age, while the primary checks the rights', async () => {
    const { data: before } = (await read(`${notes}2/`, {})).body
    const changed = await ask('PATCH', `${notes}2/`, { body: { text: 'not on the replica' } })
    expect(changed.status).toBe(200)
    const answer = await readOld(`${notes}2/`)
    expect([answer.status, answer.body.data]).toEqual([200, before])
    expect(Number(answer.age)).toBeGreaterThanOrEqual(1)
    expect(answer.trips).toEqual({ db: 1, replica: 1 })
  })

  it.each([
    ['a list', `${notes}?ordering=id&_total=exact`],
    ['aggregates', `${notes}?_aggregate=count(*)`],
    ['a walk', `${notes}1/?include=descendants`],
    ['a tree', `${notes}?format=tree`],
    ['edges', `${tables}/notes/edges/`],
    ['the history', `${notes}1/history/`],
  ])('works for %s', async (_name, path) => {
    const before = await read(path, {})
    await post(notes, { text: 'a third one' })
    await ask('PATCH', `${notes}1/`, { body: { text: `changed after ${path}` } })
    await post(`${tables}/notes/edges/`, [
      { from_id: (await read(notes, {})).body.data.at(-1).id, to_id: 1, type: 'parent' },
    ])
    const answer = await readOld(path)
    expect([answer.status, answer.text]).toEqual([200, before.text])
    expect((await read(path, {})).text).not.toBe(before.text)
  })

  it('works for a stream of JSON lines', async () => {
    const lines = { accept: 'application/x-ndjson' }
    const before = await read(notes, lines)
    await post(notes, { text: 'not in the stream' })
    const answer = await readOld(notes, { ...any, ...lines })
    expect([answer.status, answer.text]).toEqual([200, before.text])
  })

  it('gets the age 0 if the replica is up to date', async () => {
    // Postgres itself writes to the log now and then, and a replica is behind for a moment.
    let answer = await readOld()
    await until(
      async () => {
        answer = await readOld()
        return answer.age === '0'
      },
      () => `age 0, and not ${answer.age}`,
    )
    expect([answer.status, answer.age]).toEqual([200, '0'])
  })

  it('gets its response from the primary if the replica does not exist', async () => {
    await standby.server.stop()
    const answer = await read()
    expect([answer.status, answer.age]).toEqual([200, null])
  })
})
