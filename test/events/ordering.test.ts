/** Functions with the ordering `record`: the events of a record run in order, one at a time. */
import { beforeAll, describe, expect, it } from 'vitest'
import { consume } from '../../src/jobs.ts'
import { createEventful, type Eventful, fail, noop } from '../support/events.ts'
import { runs } from '../support/runs.ts'

let one: Eventful
const makers = '/apps/shop/datatables/makers/data/'

beforeAll(async () => {
  one = await createEventful('one')
})

const invocations = (slug: string) =>
  one.app.sql<{ record: string; name: string; status: string; from: number; to: number }>(
    `select params #>> '{record_id}' as record, params #>> '{data,name}' as name, status,
            extract(epoch from started_at)::float as from, extract(epoch from finished_at)::float as to
       from tenant._invocations where function_slug = '${slug}' order by event_id, place`,
  )

/** Delivers the waiting messages in reverse order. */
async function drainBackwards(): Promise<void> {
  one.queue.waiting.reverse()
  await one.queue.drain(one.app.env, { delayMax: 1, atOnce: 3 })
}

describe('a function with the ordering "record"', () => {
  it('accepts no other ordering than none and record', async () => {
    const { status, body } = await one.owner.post('/apps/shop/functions/', {
      name: 'Wrong',
      ...noop,
      ordering: 'table',
    })
    expect([status, Object.keys(body)]).toEqual([400, ['ordering']])
  })

  it('runs the events of a record in the order of the changes, even if the messages arrive in another order', async () => {
    await one.listener('ordered', ['RECORD_CREATE', 'RECORD_UPDATE'], { ...noop, ordering: 'record' })
    for (const id of [1, 2, 3]) await one.owner.post(makers, { id, name: `v0 of ${id}` })
    const changes = runs(3, 20)
    for (let version = 1; version <= changes; version++)
      await one.owner.patch(
        makers,
        [1, 2, 3].map((id) => ({ id, name: `v${version} of ${id}` })),
      )
    await drainBackwards()
    const all = await invocations('ordered')
    expect(all.filter(({ status }) => status !== 'SUCCESS')).toEqual([])
    for (const id of ['1', '2', '3']) {
      const ofRecord = all.filter(({ record }) => record === id)
      expect(ofRecord.map(({ name }) => name)).toEqual(
        Array.from({ length: changes + 1 }, (_, version) => `v${version} of ${id}`),
      )
      // Each run begins after the previous one has finished.
      for (const [index, run] of ofRecord.entries())
        expect(run.from).toBeGreaterThanOrEqual(ofRecord[index - 1]?.to ?? 0)
    }
    expect(await one.app.sql(`select id from tenant._deliveries`)).toEqual([])
  })

  it('holds back later events of a record while an event of it is retried, but not events of other records', async () => {
    const id = await one.listener('stumbles', ['RECORD_UPDATE'], {
      code: `export default ({ data }) => { if (data.name === 'poison') throw new Error('no'); return data.name }`,
      ordering: 'record',
    })
    await one.owner.patch(`${makers}1/`, { name: 'poison' })
    await one.owner.patch(`${makers}1/`, { name: 'after' })
    await one.owner.patch(`${makers}2/`, { name: 'other' })
    await one.queue.drain(one.app.env)
    const states = async () => (await invocations('stumbles')).map(({ name, status }) => [name, status])
    expect(await states()).toEqual([
      ['poison', 'RETRY'],
      ['after', 'PENDING'],
      ['other', 'SUCCESS'],
    ])
    // Skips to the last attempt of the first event.
    await one.app.sql(`update tenant._invocations set attempts = 5, due_at = now() where status = 'RETRY'`)
    await one.queue.drain(one.app.env, { delayMax: 10 })
    expect(await states()).toEqual([
      ['poison', 'FAILURE'],
      ['after', 'SUCCESS'],
      ['other', 'SUCCESS'],
    ])
    await one.unsubscribe('RECORD_UPDATE', id)
  })

  it('does not wait for a row whose message the queue has given up', async () => {
    await one.owner.patch(`${makers}3/`, { name: 'stuck' })
    const [stuck] = one.queue.waiting.splice(0)
    await one.owner.patch(`${makers}3/`, { name: 'free' })
    await one.queue.drain(one.app.env)
    const last = async () => (await invocations('ordered')).at(-1)
    expect(await last()).toMatchObject({ name: 'free', status: 'PENDING' })
    const message = { id: crypto.randomUUID(), body: stuck?.body, attempts: 1, ack() {}, retry() {} }
    await consume(
      { queue: 'tessera-dead-jobs', messages: [message] } as unknown as MessageBatch<unknown>,
      one.app.env,
    )
    await one.queue.drain(one.app.env, { delayMax: 1 })
    expect(await last()).toMatchObject({ name: 'free', status: 'SUCCESS' })
  })

  it('does not order the events of functions without it', async () => {
    await one.listener('unordered', ['RECORD_DELETE'], fail)
    await one.owner.delete(`${makers}1/`)
    await one.queue.drain(one.app.env)
    const [row] = await one.app.sql(
      `select order_key from tenant._invocations where function_slug = 'unordered'`,
    )
    expect(row).toEqual({ order_key: null })
  })
})
