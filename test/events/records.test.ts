/** The events of records, from the write to the last attempt. Spec: Events, rules 1, 3 and 4; E1, E5. */
import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/db/client.ts'
import { asService } from '../../src/kernel/db/tenant.ts'
import { configOf } from '../../src/kernel/env.ts'
import { expandRow } from '../../src/runtime/outbox/store.ts'
import worker from '../../src/worker.ts'
import { checkPayloads, createEventful, type Eventful, eventfulShop, fail, noop } from '../support/events.ts'
import { scaled } from '../support/scaled.ts'
import { until } from '../support/until.ts'

let one: Eventful
let two: Eventful

/** Paths in the API of the shop. */
const makers = '/apps/shop/datatables/makers/data/'
const products = '/apps/shop/datatables/products/data/'

beforeAll(async () => {
  one = await createEventful('one')
  two = await eventfulShop(one.app, 'two', one.queue)
})

const tick = async () => {
  const ctx = createExecutionContext()
  await worker.scheduled(createScheduledController(), one.app.env)
  await waitOnExecutionContext(ctx)
}
const later = (seconds: number) =>
  one.app.sql(
    `with o as (update tenant._deliveries set due_at = due_at - make_interval(secs => ${seconds}))
     update tenant._invocations set due_at = due_at - make_interval(secs => ${seconds}), leased_until = leased_until - make_interval(secs => ${seconds})`,
  )
const settled = async () => {
  await one.queue.drain(one.app.env)
  expect(await one.app.sql(`select * from tenant._deliveries`)).toEqual([])
}

describe('RECORD_CREATE', () => {
  const params = (recordId: unknown, data: unknown, more = {}) => ({
    type: 'RECORD_CREATE',
    app_slug: 'shop',
    datatable: 'makers',
    record_id: recordId,
    data,
    ...more,
  })

  it('writes nothing to the outbox if no function is subscribed', async () => {
    expect((await one.owner.post(makers, { id: 1, name: 'a' })).status).toBe(201)
    expect(await one.app.sql(`select * from tenant._deliveries`)).toEqual([])
    expect(one.queue.waiting).toEqual([])
  })

  it('fires once for a record, in one round trip; the invocations have the trigger type event', async () => {
    await one.listener('echo', ['RECORD_CREATE'])
    await one.listener('nothing', ['RECORD_CREATE'], noop)
    await one.owner.post(makers, { id: 2, name: 'b' })
    await one.owner.post(makers, { id: 3, name: 'c' })
    const again = await one.owner.post(makers, { id: 4, name: 'd' })
    expect(again.headers.get('server-timing')).toContain('desc="1"')
    await settled()
    expect((await one.runs('echo')).map(({ params }) => params)).toEqual([
      params(2, { id: 2, name: 'b' }),
      params(3, { id: 3, name: 'c' }),
      params(4, { id: 4, name: 'd' }),
    ])
    expect((await one.runs('echo'))[0]).toMatchObject({
      trigger_type: 'event',
      event: 'RECORD_CREATE',
      status: 'SUCCESS',
      attempts: 1,
      result: params(2, { id: 2, name: 'b' }),
    })
    expect(await one.runs('nothing')).toHaveLength(3)
  })

  it('tells in each invocation what was published, with the failures to start', async () => {
    const ids = [
      await one.listener('told a', ['RECORD_CREATE'], noop),
      await one.listener('told b', ['RECORD_CREATE'], noop),
    ]
    await one.owner.post(makers, { id: 77, name: 'told' })
    const [row] = await one.app.sql<{ id: string }>(`select id from tenant._deliveries`)
    const siteId = Number(one.shop.schema.slice('site_'.length))
    await asService(openDatabase(configOf(one.app.env)), siteId, { made: expandRow(Number(row?.id), 100) })
    await one.app.sql(`delete from tenant._functions where slug = 'told-b'`)
    await settled()
    const [a] = await one.runs('told-a')
    const [b] = await one.runs('told-b')
    expect(b).toMatchObject({ status: 'FAILURE', started_at: null, error: 'The function has been deleted.' })
    const publish = {
      event: 'RECORD_CREATE',
      task_ids: expect.arrayContaining([
        { function_id: ids[0], function_name: 'told a', task_id: expect.any(String), invocation_id: a.id },
        {
          function_id: ids[1],
          function_name: 'told b',
          task_id: null,
          invocation_id: b.id,
          status: 'error',
          error: 'The function has been deleted.',
        },
      ]),
    }
    expect([a.publish, b.publish]).toMatchObject([publish, publish])
    expect(a.publish.total_subscribers).toBe(a.publish.task_ids.length)
    expect((await one.owner.post('/apps/shop/functions/echo/execute/', {})).body.invocation.publish).toBe(
      null,
    )
    await one.app.sql(`delete from tenant._functions where slug = 'told-a'`)
  })

  it('has the plain key as record_id, and an array for a composite key', async () => {
    const schema = (primaryKey: string | string[]) => ({
      fields: [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'string' },
      ],
      primaryKey,
    })
    const resources = [
      { name: 'one', schema: schema('a') },
      { name: 'two', schema: schema(['a', 'b']) },
    ]
    expect(
      (await one.owner.post('/apps/shop/datatables/create_schema/?materialize=true', { resources })).status,
    ).toBe(201)
    const before = (await one.runs('echo')).length
    const record = { a: 'x,"y"', b: '' }
    for (const table of ['one', 'two'])
      expect((await one.owner.post(`/apps/shop/datatables/${table}/data/`, record)).status).toBe(201)
    await settled()
    const told = (await one.runs('echo'))
      .slice(before)
      .map(({ params: { datatable, record_id } }) => [datatable, record_id])
    expect(told).toEqual([
      ['one', 'x,"y"'],
      ['two', ['x,"y"', '']],
    ])
  })

  it('fires once for each record of a bulk, and for each record that an upsert creates', async () => {
    const before = (await one.runs('echo')).length
    await one.owner.post(makers, [
      { id: 10, name: 'j' },
      { id: 11, name: 'k' },
    ])
    await one.owner.post(`${makers}upsert/?unique_fields=id`, [
      { id: 11, name: 'K' },
      { id: 12, name: 'l' },
    ])
    await settled()
    expect(
      (await one.runs('echo')).slice(before).map(({ params: { record_id, data } }) => [record_id, data.name]),
    ).toEqual([
      [10, 'j'],
      [11, 'k'],
      [12, 'l'],
    ])
  })

  it('does not fire for rejected writes: an invalid record in a bulk, or a duplicate value', async () => {
    const before = (await one.runs('echo')).length
    expect((await one.owner.post(makers, [{ id: 20, name: 't' }, { id: 21 }])).status).toBe(400)
    expect(
      (
        await one.owner.post(makers, [
          { id: 20, name: 't' },
          { id: 2, name: 'u' },
        ])
      ).status,
    ).toBe(409)
    await settled()
    expect(await one.runs('echo')).toHaveLength(before)
  })

  it('runs only functions of its own app', async () => {
    const before = (await one.runs('echo')).length
    await one.owner.post('/apps/', { name: 'other' })
    const { body } = await one.owner.post('/apps/other/functions/', { name: 'of another app', ...noop })
    await one.subscribe('RECORD_CREATE', body.id)
    await two.listener('of another site', ['RECORD_CREATE'], noop)
    await one.owner.post(makers, { id: 30, name: 'ad' })
    await settled()
    expect([
      (await one.runs('echo')).length,
      (await one.runs('of-another-app')).length,
      (await two.runs('of-another-site')).length,
    ]).toEqual([before + 1, 0, 0])
  })

  it('has the user of an API key as its cause', async () => {
    await one.listener('who', ['RECORD_CREATE'], {
      code: 'export default (params, { user }) => user.username',
    })
    const { body } = await one.owner.post('/api-keys/', { name: 'ci' })
    const headers = { authorization: `Api-Key ${body.key}` }
    expect(
      (await one.app.request('POST', one.shop.data('makers'), { headers, body: { id: 40, name: 'an' } }))
        .status,
    ).toBe(201)
    await settled()
    expect((await one.runs('who')).map(({ result }) => result)).toEqual(['one-owner'])
  })

  it('does not run functions that are unsubscribed, inactive or deleted', async () => {
    const left = await one.listener('left', ['RECORD_CREATE'], noop)
    await one.listener('asleep', ['RECORD_CREATE'], { ...noop, is_active: false })
    await one.listener('gone', ['RECORD_CREATE'], noop)
    await one.unsubscribe('RECORD_CREATE', left)
    expect((await one.owner.delete('/apps/shop/functions/gone/')).status).toBe(204)
    await one.owner.post(makers, { id: 50, name: 'ax' })
    await settled()
    for (const slug of ['left', 'asleep', 'gone']) expect(await one.runs(slug)).toEqual([])
  })

  it('skips a function that is deactivated between the event and the attempt', async () => {
    await one.listener('tired', ['RECORD_CREATE'], noop)
    await one.owner.post(makers, { id: 60, name: 'bh' })
    await one.owner.patch('/apps/shop/functions/tired/', { is_active: false })
    await settled()
    expect((await one.runs('tired')).map(({ status, error }) => [status, error])).toEqual([
      ['SKIPPED', 'The function is not active.'],
    ])
  })
})

describe('RECORD_UPDATE and RECORD_DELETE', () => {
  it('have the record in their payload; updates also have the record before the change', async () => {
    await one.listener('changes', ['RECORD_UPDATE', 'RECORD_DELETE'], noop)
    await one.owner.patch(`${makers}10/`, { name: 'jj' })
    await one.owner.patch(makers, [
      { id: 12, name: 'll' },
      { id: 11, name: 'kk' },
    ])
    await one.owner.post(`${makers}upsert/?unique_fields=id`, [
      { id: 70, name: 'br' },
      { id: 10, name: 'jjj' },
    ])
    await one.owner.delete(`${makers}10/`)
    await one.owner.delete(`${makers}?ids=11,12`)
    await settled()
    const shown = (await one.runs('changes')).map(({ params: { type, record_id, data, previous } }) => [
      type,
      record_id,
      data.name,
      previous?.name,
    ])
    expect(shown).toEqual([
      ['RECORD_UPDATE', 10, 'jj', 'j'],
      ['RECORD_UPDATE', 12, 'll', 'l'],
      ['RECORD_UPDATE', 11, 'kk', 'K'],
      ['RECORD_UPDATE', 10, 'jjj', 'jj'],
      ['RECORD_DELETE', 10, 'jjj', undefined],
      ['RECORD_DELETE', 11, 'kk', undefined],
      ['RECORD_DELETE', 12, 'll', undefined],
    ])
  })

  it('include the soft deletion of a record', async () => {
    const { body } = await one.owner.post(products, { sku: 'A-1' })
    await one.owner.delete(`${products}${body.data.id}/`)
    await settled()
    expect((await one.runs('changes')).at(-1)).toMatchObject({
      event: 'RECORD_DELETE',
      params: { datatable: 'products', record_id: body.data.id, data: { sku: 'A-1', is_deleted: true } },
    })
  })
})

describe('the outbox', () => {
  it('is swept by the cron trigger for rows whose message was lost in a crash', async () => {
    const before = (await one.runs('echo')).length
    one.queue.lose = true
    const created = await one.owner.post(makers, { id: 100, name: 'cv' })
    one.queue.lose = false
    expect([created.status, one.queue.waiting.length]).toEqual([201, 0])
    await tick()
    expect(one.queue.waiting).toHaveLength(0)
    await later(16)
    await tick()
    expect(one.queue.waiting).toHaveLength(1)
    await settled()
    expect(await one.runs('echo')).toHaveLength(before + 1)
  })

  it('has one row for a bulk, and creates its invocations in parts, each invocation once', async () => {
    const id = await one.listener('sliced', ['RECORD_CREATE'], noop)
    await one.owner.post(
      makers,
      Array.from({ length: 7 }, (_, n) => ({ id: 500 + n, name: `s${n}` })),
    )
    await one.unsubscribe('RECORD_CREATE', id)
    const [row] = await one.app.sql<{ id: string; functions: string }>(
      `select id, cardinality(functions) as functions from tenant._deliveries`,
    )
    expect(await one.app.sql('select from tenant._deliveries')).toHaveLength(1)
    const config = configOf(one.app.env)
    const siteId = Number(one.shop.schema.slice('site_'.length))
    const made: number[] = []
    for (let round = 0; round < 4; round++) {
      await asService(openDatabase(config), siteId, {
        expanded: expandRow(Number(row?.id), 3 * Number(row?.functions)),
      })
      const counted = `select count(*)::integer as count from tenant._invocations where function_slug = 'sliced'`
      made.push(Number((await one.app.sql<{ count: number }>(counted))[0]?.count))
    }
    expect(made).toEqual([3, 6, 7, 7])
    await settled()
    expect((await one.runs('sliced')).map(({ params, status }) => [params.record_id, status])).toEqual(
      Array.from({ length: 7 }, (_, n) => [500 + n, 'SUCCESS']),
    )
  })

  it('runs each function once even if a message arrives many times at once', async () => {
    const before = (await one.runs('echo')).length
    await one.owner.post(
      makers,
      Array.from({ length: 250 }, (_, n) => ({ id: 1000 + n, name: `n${n}` })),
    )
    await one.queue.drain(one.app.env, { copies: 4 })
    await settled()
    const [sum] = await one.app.sql<{ count: string; attempts: string }>(
      `select count(*), sum(attempts) as attempts from tenant._invocations where function_slug = 'echo' and status = 'SUCCESS'`,
    )
    expect([Number(sum?.count), Number(sum?.attempts)]).toEqual([before + 250, before + 250])
  })

  it('retries a failure after 1 s, 10 s, 1 min, 10 min and 1 h, and the invocation can then be replayed', async () => {
    const id = await one.listener('failing', ['RECORD_CREATE'], fail)
    await one.owner.post(makers, { id: 200, name: 'gr' })
    await one.unsubscribe('RECORD_CREATE', id)
    const delays: unknown[] = []
    await one.queue.drain(one.app.env)
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await one.runs('failing')).toMatchObject([
        {
          status: 'RETRY',
          attempts: attempt,
          error: expect.stringContaining('always fails'),
          finished_at: null,
        },
      ])
      expect(one.queue.waiting).toHaveLength(1)
      const [message] = one.queue.waiting.splice(0)
      delays.push(message?.delaySeconds)
      // Nothing happens before the delay is over.
      one.queue.waiting.push({ body: message?.body })
      await one.queue.drain(one.app.env)
      expect(await one.runs('failing')).toMatchObject([{ attempts: attempt }])
      await later(3600)
      one.queue.waiting.push({ body: message?.body })
      await one.queue.drain(one.app.env)
    }
    expect(delays).toEqual([1, 10, 60, 600, 3600])
    const [dead] = await one.runs('failing')
    expect(dead).toMatchObject({ status: 'FAILURE', attempts: 6, finished_at: expect.stringMatching(/Z$/) })
    await settled()
    expect(
      (await one.owner.get('/invocations/?status=FAILURE&trigger_type=event&function_slug=failing')).body
        .count,
    ).toBe(1)
    await one.owner.patch('/apps/shop/functions/failing/', { system_function: 'noop' })
    expect((await one.owner.post(`/invocations/${dead.id}/replay/`)).status).toBe(202)
    await settled()
    expect(await one.runs('failing')).toMatchObject([{ status: 'SUCCESS', attempts: 1 }])
  })

  it('records finished attempts while slower ones continue, and runs none of them twice', async () => {
    const ids = [
      await one.listener('short', ['RECORD_CREATE'], { ...noop, timeout_seconds: 1 }),
      await one.listener('long', ['RECORD_CREATE'], {
        code: `export default () => new Promise((done) => setTimeout(done, ${scaled(3000)}))`,
        timeout_seconds: 100,
      }),
    ]
    await one.owner.post(makers, { id: 600, name: 'wb' })
    for (const id of ids) await one.unsubscribe('RECORD_CREATE', id)
    const drained = one.queue.drain(one.app.env)
    await until(
      async () => (await one.runs('short'))[0]?.status === 'SUCCESS',
      () => 'the end of the short one',
    )
    const [lease] = await one.app.sql<{ seconds: string }>(
      `select extract(epoch from leased_until - now()) as seconds from tenant._invocations where function_slug = 'long'`,
    )
    expect([(await one.runs('short'))[0].status, (await one.runs('long'))[0].status]).toEqual([
      'SUCCESS',
      'STARTED',
    ])
    expect(Number(lease?.seconds)).toBeGreaterThan(180)
    await drained
    expect((await one.runs('long'))[0]).toMatchObject({ status: 'SUCCESS', attempts: 1 })
    await settled()
  })

  it('does not count an attempt for which no process was free, and repeats it later', async () => {
    const id = await one.listener('patient', ['RECORD_CREATE'])
    await one.owner.post(makers, { id: 700, name: 'wt' })
    await one.unsubscribe('RECORD_CREATE', id)
    const busy = () => new Response('No process was free.', { status: 503 })
    const asked = new Set<string | null>()
    const fetch = async (_address: string, { headers }: RequestInit) => {
      const isolate = new Headers(headers).get('x-isolate')
      if (asked.has(isolate)) return new Response('{"result":1,"logs":[]}')
      asked.add(isolate)
      return busy()
    }
    try {
      one.app.env.FUNCTION_PROCESSES = { fetch } as unknown as Fetcher
      await settled()
      expect(await one.runs('patient')).toMatchObject([
        { status: 'SUCCESS', attempts: 1, result: 1, error: null },
      ])
      one.app.env.FUNCTION_PROCESSES = { fetch: async () => busy() } as unknown as Fetcher
      const { body } = await one.owner.post('/apps/shop/functions/patient/execute/', {})
      expect(body.invocation).toMatchObject({ status: 'FAILURE', attempts: 1, error: 'No process was free.' })
    } finally {
      delete one.app.env.FUNCTION_PROCESSES
    }
  })

  it('repeats an attempt of a lost worker when its lease ends', async () => {
    const id = await one.listener('lost', ['RECORD_CREATE'], noop)
    await one.owner.post(makers, { id: 300, name: 'kn' })
    await one.unsubscribe('RECORD_CREATE', id)
    await one.queue.drain(one.app.env)
    // The state that a worker leaves if it crashes during an attempt.
    const [row] = await one.app.sql<{ delivery_id: string }>(
      `with i as (update tenant._invocations set status = 'STARTED', finished_at = null, leased_until = now() + interval '60 seconds'
                   where function_slug = 'lost' returning site_id, delivery_id, function_id),
            d as (insert into tenant._deliveries (site_id, id, functions, event, due_at) overriding system value
                  select site_id, delivery_id, array[function_id], 'RECORD_CREATE', now() + interval '90 seconds' from i)
       select delivery_id from i`,
    )
    expect(Number(row?.delivery_id)).toBeGreaterThan(0)
    await later(30)
    await tick()
    await one.queue.drain(one.app.env)
    expect(await one.runs('lost')).toMatchObject([{ status: 'STARTED', attempts: 1 }])
    await later(61)
    await tick()
    await settled()
    expect(await one.runs('lost')).toMatchObject([{ status: 'SUCCESS', attempts: 2 }])
  })
})

describe('the payloads of all events', () => {
  it('match the catalog of events', async () => {
    expect(await checkPayloads(one.app, one.shop)).toEqual({
      seen: ['RECORD_CREATE', 'RECORD_DELETE', 'RECORD_UPDATE'],
      problems: [],
    })
  })
})
