/** A site that is paused does not act by itself: schedules, events, and functions that others wait for. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createEventful, type Eventful, noop } from '../support/events.ts'
import { grant } from '../support/fixtures.ts'

let one: Eventful
const makers = '/apps/shop/datatables/makers/data/'
const pause = (paused: boolean, token = one.shop.owner.token) =>
  one.app.request('PATCH', `/api/cloud/sites/${one.shop.slug}/`, { token, body: { paused } })
const work = () => one.queue.drain(one.app.env)
const make = async (id: number) => {
  expect((await one.owner.post(makers, [{ id, name: `maker ${id}` }])).status).toBe(201)
  await work()
}
const runs = async (slug: string) =>
  (await one.runs(slug)).map(({ trigger_type, status, error }) => [trigger_type, status, error])

beforeAll(async () => {
  one = await createEventful('rehearsal')
  await one.listener('watcher', ['RECORD_CREATE'])
})

describe('whether a site is paused', () => {
  it('is changed by owners and admins of the organization alone: 403', async () => {
    const manager = await one.app.user('site-manager')
    await grant(one.app, one.shop, manager, ['admin_site'])
    expect((await pause(true, manager.token)).status).toBe(403)
    expect((await pause(false, manager.token)).status).toBe(403)
  })

  it('is false for a new site, and true for one that is made as a preview', async () => {
    const read = await one.app.request('GET', `/api/cloud/sites/${one.shop.slug}/`, {
      token: one.shop.owner.token,
    })
    expect(read.body).toMatchObject({ environment: 'production', paused: false })
    const made = await one.app.request('POST', `/api/cloud/organizations/${one.shop.slug}-org/sites/`, {
      token: one.shop.owner.token,
      body: { name: 'Try', environment: 'preview' },
    })
    expect([made.status, made.body.environment, made.body.paused]).toEqual([201, 'preview', true])
  })
})

describe('a paused site', () => {
  it('skips runs by events, counts them, and never makes up for them', async () => {
    expect((await pause(true)).body.paused).toBe(true)
    await make(1)
    expect(await runs('watcher')).toEqual([['event', 'SKIPPED', 'The site is paused.']])
    const { body } = await one.owner.get('/skipped-runs/?reason=paused')
    expect(body.results).toMatchObject([{ function_slug: 'watcher', reason: 'paused', count: 1 }])
    await pause(false)
    await work()
    await make(2)
    expect((await runs('watcher')).map(([, status]) => status)).toEqual(['SKIPPED', 'SUCCESS'])
  })

  it('does not tick, and ticks that it missed are not run later', async () => {
    await one.owner.post('/apps/shop/functions/', { name: 'Clock', ...noop, schedule: '0 0 1 1 *' })
    await work()
    const pass = () =>
      one.app.sql(
        `update tenant._deliveries d
            set scheduled_at = date_trunc('minute', now()) - interval '1 minute',
                due_at = now() - interval '1 second'
           from tenant._functions f where f.id = d.schedule_of and f.slug = 'clock'
         returning d.id::float8 as id`,
      ) as Promise<{ id: number }[]>
    const tick = async () => {
      const [row] = await pass()
      await one.queue.binding.send({
        kind: 'process-outbox-row',
        siteId: Number(one.shop.schema.slice('site_'.length)),
        rowId: Number(row?.id),
      })
      await work()
    }
    await pause(true)
    await tick()
    expect(await runs('clock')).toEqual([])
    await pause(false)
    await work()
    expect(await runs('clock')).toEqual([])
    await tick()
    expect((await runs('clock')).map(([trigger, status]) => [trigger, status])).toEqual([
      ['schedule', 'SUCCESS'],
    ])
  })

  it('runs a function that somebody runs', async () => {
    await pause(true)
    const { status, body } = await one.owner.post('/apps/shop/functions/watcher/execute/', {
      params: { by: 'hand' },
    })
    expect([status, body.data]).toEqual([200, { by: 'hand' }])
  })

  it('refuses accounts that a function would have to allow: 422, and nothing is made', async () => {
    const user = { username: 'eve', email: 'eve@example.com', password: 'Sail-away-1' }
    const guard = await one.listener('guard', ['PRE_USER_CREATE'], noop)
    await pause(true)
    expect(await one.owner.post('/users/', user)).toMatchObject({
      status: 422,
      body: {
        code: 'site_paused',
        detail: 'The site is paused, and one of its functions would have to allow this account.',
      },
    })
    expect(await one.app.sql(`select id from users where username = 'eve'`)).toEqual([])
    expect(await runs('guard')).toEqual([])
    await one.unsubscribe('PRE_USER_CREATE', guard)
    expect((await one.owner.post('/users/', user)).status).toBe(201)
    await pause(false)
  })
})
