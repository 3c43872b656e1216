/**
 * However often the Worker, the object and the server of MongoDB are killed while clients write: each change of a
 * record has one event, in the order of the changes. E1, E5.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onConnection } from '../../../dev/connection.ts'
import { type MongodbServer, startMongodbServer } from '../../../dev/mongodb-server.ts'
import { temporaryFolder } from '../../../dev/temporary-folder.ts'
import { follow } from '../../support/follower.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'
import { admin, type Service, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const events = runs(300, 10_000)
const kills = runs(6, 60)
const writers = 8
/**
 * Few, so that writers meet at one record. A transaction whose object was killed keeps its record for a minute,
 * as in MongoDB.
 */
const records = 40

const folder = temporaryFolder('mongodb-kills')
const path = '/api/apps/shop/datatables/things/data/'

let mongodb: MongodbServer
let service: Service
let token = ''

async function startMongodb(port?: number): Promise<MongodbServer> {
  const started = await startMongodbServer({ dataFolder: join(folder, 'data'), ...(port && { port }) })
  if ('reason' in started) throw new Error(started.reason)
  return started
}

beforeAll(async () => {
  mongodb = await startMongodb()
  service = await startService([], { RATE_LIMIT_SCALE: '100000' })
  const post = (where: string, body: unknown) => service.client.request('POST', `/api/${where}`, body)
  await post('apps/', { name: 'shop' })
  await post('secret-types/', { name: 'connection', sensitivity_level: 'sensitive' })
  await post('secrets/', { key: 'MONGO', secret_type: 'connection', value: { url: mongodb.url } })
  await post('apps/shop/datasources/', {
    name: 'Documents',
    slug: 'docs',
    provider_type: 'mongodb',
    provider_config: { secret: 'MONGO', database: 'kills' },
  })
  await post('apps/shop/datasources/docs/datatables/?materialize=true', {
    name: 'things',
    json_schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'mark', type: 'integer' },
      ],
      primaryKey: 'id',
    },
  })
  const { id } = (await post('apps/shop/functions/', {
    name: 'heard',
    execution_mode: 'system',
    system_function: 'noop',
  })) as { id: number }
  for (const event of ['RECORD_CREATE', 'RECORD_UPDATE', 'RECORD_DELETE'])
    await post(`cloud/events/${event}/subscribe/`, { function_id: id })
  const { access } = (await post('auth/jwt/token/', { username: admin.email, password: admin.password })) as {
    access: string
  }
  token = access
})
afterAll(async () => {
  await service?.stop()
  await mongodb?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const sql = <Row extends object>(text: string): Promise<Row[]> =>
  onConnection(
    service.postgres.superuserUrl('tessera'),
    async (client) => (await client.query<Row>(text)).rows,
  )
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Sends a request. Returns its status; 0: the connection was lost. */
async function send(method: string, where: string, body?: unknown): Promise<number> {
  try {
    const response = await fetch(`${service.origin}${where}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(scaled(30_000)),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/** What is killed, by turns. */
const killings: readonly (() => Promise<unknown>)[] = [
  // It ends its connections in the middle of writes, and keeps what it has acknowledged. After a SIGKILL the
  // test server forgets transactions that it has acknowledged, with their records and notes alike.
  async () => {
    await mongodb.stop()
    await pause(300)
    mongodb = await startMongodb(mongodb.port)
  },
  // The object ends with the process of the Worker.
  () => service.worker.restart(),
  // The next request has a new object, while the one before writes.
  () => send('PATCH', '/api/apps/shop/datasources/docs/', { description: `${Math.random()}` }),
]

interface Change {
  record: number
  event: string
  mark: number
  previous: number | null
}

/** Returns the events in the order of the outbox. */
const heard = () =>
  sql<Change>(
    `select (params ->> 'record_id')::int as record, event, (params -> 'data' ->> 'mark')::int as mark,
            (params -> 'previous' ->> 'mark')::int as previous
       from tenant._invocations where function_slug = 'heard' order by event_id, place, id`,
  )

/** Brings all notes to the outbox, and runs what waits there. */
async function settle(): Promise<void> {
  // An object that still tries a write ends, so that no announcement waits for a write in progress. Those of
  // earlier connections would be waited for 30 days.
  await service.worker.restart()
  await sql(`update tenant._awaited_notes set created_at = now() - interval '31 days'`)
  await until(
    async () => {
      await sql('update tenant._awaited_notes set due_at = now()')
      await sql('update tenant._deliveries set due_at = now()')
      await service.worker.tick()
      const [left] = await sql<{ notes: number; rows: number }>(
        `select (select count(*) from tenant._awaited_notes)::int as notes,
                (select count(*) from tenant._deliveries)::int as rows`,
      )
      return left?.notes === 0 && left.rows === 0
    },
    () => 'an outbox without rows',
    scaled(60_000 + 60 * events),
  )
}

/** A write of a record: of 10, one deletes, three create, and the others change. */
type Write = (id: number, mark: number) => Promise<number>
const writes = [
  [0.1, (id) => send('DELETE', `${path}${id}/?hard_delete=true`)],
  [0.4, (id, mark) => send('POST', path, { id, mark })],
  [1, (id, mark) => send('PATCH', `${path}${id}/`, { mark })],
] as const satisfies readonly (readonly [below: number, Write])[]
const pick = (chance: number): Write => (writes.find(([below]) => chance < below) ?? writes[2])[1]

it('a list that is followed hears of what MongoDB has written', async () => {
  const follower = await follow(`${service.origin}${path}?id__gte=1000`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await follower.next('ready')
  await pause(1_500)
  expect(await send('POST', path, { id: 1000, mark: 1 })).toBe(201)
  await until(
    () => follower.records().length === 1,
    () => 'the new record',
  )
  expect([follower.records(), follower.total()]).toEqual([[{ id: 1000, mark: 1 }], 1])
  expect(await send('DELETE', `${path}1000/`)).toBe(204)
  await until(
    () => follower.records().length === 0,
    () => 'no record',
  )
  follower.close()
})

it(`${events} events under ${kills} kills: none is lost, none comes twice, and those of a record are in order`, {
  timeout: scaled(120_000 + 20_000 * kills + 120 * events),
}, async () => {
  const answers = new Map<string, number>()
  const acknowledged: number[] = []
  let next = 1
  let over = false
  const writer = async () => {
    while (!over) {
      const mark = next++
      const id = 1 + Math.floor(Math.random() * records)
      const status = await pick(Math.random())(id, mark)
      answers.set(String(status), (answers.get(String(status)) ?? 0) + 1)
      if (status === 200 || status === 201) acknowledged.push(mark)
      if (status === 0 || status === 503) await pause(50)
    }
  }
  const all = Promise.all(Array.from({ length: writers }, writer))
  for (let index = 0; index < kills; index++) {
    const wanted = acknowledged.length + Math.ceil(events / (kills + 1))
    await until(
      () => acknowledged.length >= wanted,
      () => `writes after ${index} kills: ${JSON.stringify([...answers])}`,
    )
    await killings[index % killings.length]?.()
  }
  await until(
    () => acknowledged.length >= events,
    () => `${events} writes: ${JSON.stringify([...answers])}`,
  )
  over = true
  await all
  await settle()

  const changes = await heard()
  const states = new Map<number, number | null>()
  const wrong = changes.filter(({ record, event, mark, previous }) => {
    const state = states.get(record) ?? null
    states.set(record, event === 'RECORD_DELETE' ? null : mark)
    if (event === 'RECORD_CREATE') return state !== null
    return state !== (event === 'RECORD_UPDATE' ? previous : mark)
  })
  expect(wrong).toEqual([])
  const { data } = await service.client.request<{ data: { id: number; mark: number }[] }>(
    'GET',
    `${path}?page_size=${records}`,
  )
  expect(new Map(data.map(({ id, mark }) => [id, mark]))).toEqual(
    new Map([...states].filter(([, mark]) => mark !== null).sort(([a], [b]) => a - b)),
  )
  const marks = new Set(changes.filter(({ event }) => event !== 'RECORD_DELETE').map(({ mark }) => mark))
  expect(acknowledged.filter((mark) => !marks.has(mark))).toEqual([])
  expect(
    [...answers.keys()].filter((status) => !['0', '200', '201', '204', '404', '409', '503'].includes(status)),
  ).toEqual([])
})
