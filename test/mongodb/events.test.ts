/** The events of records in MongoDB: none is lost, and each is once in the outbox. E1, E5. */
import { createScheduledController } from 'cloudflare:test'
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import worker from '../../src/worker.ts'
import { siteIdOf, startApp } from '../support/app.ts'
import { noop } from '../support/events.ts'
import { type HeldQueue, heldQueue } from '../support/queue.ts'
import { until } from '../support/until.ts'
import { createDesk, type Desk, databaseOf, run } from './desk.ts'

let desk: Desk
let jobs: HeldQueue
let queue: HeldQueue

const site = 'desk-events'
const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string', constraints: { required: true } },
    { name: 'code', type: 'string', constraints: { unique: true } },
    { name: 'stock', type: 'integer', default: 0 },
    { name: 'about', type: 'object' },
    { name: 'is_deleted', type: 'boolean' },
  ],
  primaryKey: 'id',
}
const all = ['RECORD_CREATE', 'RECORD_UPDATE', 'RECORD_DELETE']

async function listener(name: string, events: readonly string[], fields: object = noop): Promise<number> {
  const { body } = await desk.ask('POST', '/apps/shop/functions/', { name, ...fields })
  for (const event of events) {
    const answer = await desk.ask('POST', `/cloud/events/${event}/subscribe/`, { function_id: body.id })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  }
  return body.id
}

/** Brings the notes to the outbox, and runs what waits there. */
async function settle(): Promise<void> {
  await jobs.drain(desk.app.env)
  await queue.drain(desk.app.env)
}

interface Invoked {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert whole bodies
  params: any
}

/** Returns the parameters of the runs of a function, in the order of the outbox. */
const invoked = (slug: string, table: string) =>
  desk.app.sql<Invoked>(
    `select event, params from tenant._invocations
      where site_id = $1 and function_slug = $2 and params ->> 'datatable' = $3 order by event_id, place, id`,
    [siteIdOf(desk), slug, table],
  )
/** Announces a write of which nobody knows whether it was made. Omitted: by the present connection. */
const announce = (generation: string | null = null) =>
  desk.app.sql(
    `insert into tenant._awaited_notes (site_id, id, datasource_id, generation, depth, due_at)
     select d.site_id, gen_random_uuid(), d.id, $1, 1, now() from tenant._datasources d where d.slug = 'docs'`,
    [generation],
  )
/** Runs the schedule when the announcements are of some age; omitted: as they are. */
async function sweep(age = '0'): Promise<void> {
  await desk.app.sql(
    `update tenant._awaited_notes set due_at = now(), created_at = least(created_at, now() - $1::interval)`,
    [age],
  )
  await worker.scheduled(createScheduledController(), desk.app.env)
  await settle()
}
const awaited = async () =>
  Number((await desk.app.sql<{ n: number }>('select count(*)::int as n from tenant._awaited_notes'))[0]?.n)
const notes = async () =>
  (await run(site, { find: 'tessera_notes', filter: { of: { $exists: true } } })).cursor.firstBatch

beforeAll(async () => {
  jobs = heldQueue()
  queue = heldQueue()
  const app = await startApp({ ALLOW_PRIVATE_HOSTS: 'true' })
  app.env.JOBS = jobs.binding
  app.env.EVENTS = queue.binding
  desk = await createDesk(app, site)
  await desk.ask('POST', '/apps/shop/datasources/', {
    name: 'Flat',
    slug: 'flat',
    provider_type: 'flat_table',
  })
  await desk.ask('POST', '/apps/shop/datasources/flat/datatables/?materialize=true', {
    name: 'plain',
    json_schema: schema,
  })
  await desk.table('things', schema)
  await listener('heard', all)
})

beforeEach(() => {
  jobs.lose = false
  queue.lose = false
})

describe('the events of records in MongoDB', () => {
  it('are those of a flat table, with the earlier state of updates', async () => {
    const write = async (table: string) => {
      const path = desk.data(table)
      const answers = [
        await desk.ask('POST', path, { id: 1, name: 'one', about: { n: 1, $x: [1, null] } }),
        await desk.ask('POST', path, [
          { id: 2, name: 'two', code: 'b' },
          { id: 3, name: 'three' },
        ]),
        await desk.ask('PATCH', `${path}1/`, { stock: 5 }),
        await desk.ask('PUT', `${path}2/`, { name: 'TWO' }),
        await desk.ask('DELETE', `${path}1/`),
        await desk.ask('DELETE', `${path}2/?hard_delete=true`),
        await desk.ask('POST', path, { id: 4, name: 'again' }),
        await desk.ask('PATCH', `${path}9/`, { name: 'nobody' }),
        await desk.ask('POST', `${path}?dry_run=true`, { id: 5, name: 'never' }),
      ]
      return answers.map(({ status }) => status)
    }
    expect(await write('things')).toEqual(await write('plain'))
    await settle()
    const [ours, theirs] = [await invoked('heard', 'things'), await invoked('heard', 'plain')]
    const plain = (all: Invoked[]) =>
      all.map(({ event, params: { datatable: _, ...params } }) => ({ event, params }))
    expect(plain(ours)).toEqual(plain(theirs))
    expect(ours.map(({ event, params }) => [event, params.record_id, params.previous?.name])).toEqual([
      ['RECORD_CREATE', 1, undefined],
      ['RECORD_CREATE', 2, undefined],
      ['RECORD_CREATE', 3, undefined],
      ['RECORD_UPDATE', 1, 'one'],
      ['RECORD_UPDATE', 2, 'two'],
      ['RECORD_DELETE', 1, undefined],
      ['RECORD_DELETE', 2, undefined],
      ['RECORD_CREATE', 4, undefined],
    ])
    expect(await notes()).toEqual([])
  })

  it('are not raised by a write that is refused, which withdraws its announcement', async () => {
    const before = (await invoked('heard', 'things')).length
    expect((await desk.ask('POST', desk.data('things'), { id: 4, name: 'taken' })).status).toBe(409)
    await until(
      async () => (await awaited()) === 0,
      () => 'no announcement',
    )
    expect((await invoked('heard', 'things')).length).toBe(before)
  })

  it('are not waited for longer than ten minutes if nobody knows whether the write was made', async () => {
    await announce()
    await sweep()
    expect(await awaited()).toBe(1)
    await sweep('11 minutes')
    expect(await awaited()).toBe(0)
  })

  it('are waited for if the datasource was changed in the meantime, and come when it is changed back', async () => {
    const to = (database: string) =>
      desk.ask('PATCH', '/apps/shop/datasources/docs/', { provider_config: { secret: 'MONGO', database } })
    jobs.lose = true
    expect((await desk.ask('POST', desk.data('things'), { id: 40, name: 'moved' })).status).toBe(201)
    jobs.lose = false
    expect((await to(databaseOf('desk-events-other'))).status).toBe(200)
    await sweep('11 minutes')
    expect(await awaited()).toBe(1)
    expect((await to(databaseOf(site))).status).toBe(200)
    await sweep()
    expect((await invoked('heard', 'things')).at(-1)?.params.record_id).toBe(40)
    expect([await awaited(), await notes()]).toEqual([0, []])
  })

  it('are waited for 30 days at most', async () => {
    await announce('another connection')
    await sweep('29 days')
    expect(await awaited()).toBe(1)
    await sweep('31 days')
    expect(await awaited()).toBe(0)
  })

  it('are not announced for long by writes to a server that does not answer', async () => {
    const keep = (url: string) => desk.ask('PUT', '/secrets/MONGO/', { value: { url } })
    expect((await keep('mongodb://127.0.0.1:1/')).status).toBe(200)
    for (let n = 0; n < 4; n++)
      expect((await desk.ask('POST', desk.data('things'), { id: 50 + n, name: 'down' })).status).toBe(503)
    await until(
      async () => (await awaited()) === 0,
      () => 'no announcement',
    )
    expect((await keep(inject('mongodbUrl'))).status).toBe(200)
  })

  it('come also where the table is older than the notes, whose indexes the next write makes', async () => {
    await run(site, { dropIndexes: 'tessera_notes', index: '*' })
    const path = '/apps/shop/datasources/docs/'
    expect((await desk.ask('PATCH', path, { description: 'another object' })).status).toBe(200)
    expect((await desk.ask('POST', desk.data('things'), { id: 60, name: 'indexed' })).status).toBe(201)
    const { cursor } = await run(site, { listIndexes: 'tessera_notes' })
    expect(cursor.firstBatch.map(({ name }) => name).sort()).toEqual(['_id_', 'expires', 'of'])
    await settle()
  })

  it('come by the schedule if the Worker ends after the write', async () => {
    jobs.lose = true
    expect((await desk.ask('POST', desk.data('things'), { id: 20, name: 'late' })).status).toBe(201)
    jobs.lose = false
    expect((await notes()).length).toBe(1)
    await sweep()
    expect((await invoked('heard', 'things')).at(-1)?.params.record_id).toBe(20)
    expect([await awaited(), await notes()]).toEqual([0, []])
  })

  it('are not what somebody else writes into the notes', async () => {
    const of = await ownerOfNotes()
    const before = (await invoked('heard', 'things')).length
    const note = { of, n: { $numberLong: '1' }, table: { $numberLong: '1' }, key: ['id'] }
    const events = [{ event: 'RECORD_CREATE', records: '[{"id": 666}]', previous: null }]
    await run(site, {
      insert: 'tessera_notes',
      documents: [
        { _id: crypto.randomUUID(), ...note, events },
        { _id: 'no uuid', ...note, events },
      ],
    })
    await desk.ask('POST', desk.data('things'), { id: 21, name: 'real' })
    await settle()
    const after = await invoked('heard', 'things')
    expect(after.slice(before).map(({ params }) => params.record_id)).toEqual([21])
    expect(await notes()).toEqual([])
  })
})

/** Returns the text by which notes say whose they are. */
async function ownerOfNotes(): Promise<string> {
  jobs.lose = true
  await desk.ask('POST', desk.data('things'), { id: 30, name: 'of whom' })
  jobs.lose = false
  const [{ of } = {}] = await notes()
  await sweep()
  return String(of)
}

describe('a write to MongoDB with an Idempotency-Key', () => {
  const post = (body: unknown, key: string, more = '') =>
    desk.ask('POST', `${desk.data('things')}${more}`, body, { 'idempotency-key': key })
  const shown = ({ status, text, headers }: Awaited<ReturnType<typeof post>>) => ({
    status,
    text,
    etag: headers.get('etag'),
  })
  const isReplayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true'

  it('is done once, and answers the same again', async () => {
    const key = crypto.randomUUID()
    const first = await post({ name: 'keyed' }, key)
    const second = await post({ name: 'keyed' }, key)
    expect(first.status).toBe(201)
    expect([isReplayed(first), isReplayed(second), shown(second)]).toEqual([false, true, shown(first)])
    const { body } = await desk.ask('GET', `${desk.data('things')}?name=keyed`)
    expect(body.data).toHaveLength(1)
  })

  it('returns 409 for another request with the key, and writes nothing', async () => {
    const key = crypto.randomUUID()
    expect((await post({ name: 'first' }, key)).status).toBe(201)
    const other = await post({ name: 'second' }, key)
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
    expect((await desk.ask('GET', `${desk.data('things')}?name=second`)).body.data).toEqual([])
  })

  it('repeats the error that the first request has got', async () => {
    const key = crypto.randomUUID()
    const taken = { id: 9031, name: 'taken' }
    expect((await post(taken, crypto.randomUUID())).status).toBe(201)
    const first = await post(taken, key)
    expect(first.status).toBe(409)
    await desk.ask('DELETE', `${desk.data('things')}9031/?hard_delete=true`)
    const second = await post(taken, key)
    expect([isReplayed(second), shown(second)]).toEqual([true, shown(first)])
  })

  it('is done once by many requests at the same time', async () => {
    const key = crypto.randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post({ name: 'together', code: 't' }, key)),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    await settle()
    const heard = await invoked('heard', 'things')
    expect(heard.filter(({ params }) => params.data.name === 'together')).toHaveLength(1)
  })
})
