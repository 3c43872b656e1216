/** Skipped runs: counted by function, reason and day; the newest ones are kept as invocations. E8. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepSite } from '../../src/operation/watching/sites/sweep.ts'
import { createEventful, type Eventful, noop } from '../support/events.ts'

let one: Eventful
const makers = '/apps/shop/datatables/makers/data/'
const today = new Date().toISOString().slice(0, 10)
const skipped = async (query = '') => (await one.owner.get(`/skipped-runs/?${query}`)).body
const sweep = () =>
  sweepSite(one.app.env, { kind: 'sweep-site', siteId: Number(one.shop.schema.slice('site_'.length)) })

beforeAll(async () => {
  one = await createEventful('one')
})

describe('skipped runs', () => {
  it('are 401 without credentials, and 400 for an unknown reason', async () => {
    expect((await one.app.request('GET', `${one.shop.api}/skipped-runs/`)).status).toBe(401)
    expect((await one.owner.get('/skipped-runs/?reason=none')).status).toBe(400)
  })

  it('are counted by function, reason and day, and the newest 20 of each are kept as invocations', async () => {
    await one.listener('picky', ['RECORD_CREATE'], { ...noop, filter_conditions: 'event.record_id < 3' })
    const id = await one.listener('asleep', ['RECORD_CREATE'], noop)
    for (let batch = 0; batch < 2; batch++) {
      await one.owner.post(
        makers,
        Array.from({ length: 16 }, (_, index) => ({ id: batch * 16 + index + 1, name: `${batch}-${index}` })),
      )
      if (batch === 1) await one.owner.patch('/apps/shop/functions/asleep/', { is_active: false })
      await one.queue.drain(one.app.env)
    }
    const named = (slug: string) => ({
      function: expect.any(Number),
      function_name: slug,
      function_slug: slug,
    })
    expect(await skipped('ordering=count')).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [
        { ...named('asleep'), function: id, reason: 'inactive', day: today, count: 16 },
        { ...named('picky'), reason: 'conditions', day: today, count: 30 },
      ],
    })
    expect((await skipped('function_slug=picky')).count).toBe(1)
    expect((await skipped('reason=inactive')).results[0].function_slug).toBe('asleep')
    const kept = (await one.runs('picky')).filter(({ status }) => status === 'SKIPPED')
    expect(kept.map(({ params }) => params.record_id)).toEqual(Array.from({ length: 20 }, (_, n) => n + 13))
    expect(await one.runs('asleep')).toHaveLength(32)
  })

  it('are counted where a request waits for the functions, too', async () => {
    const guard = await one.listener('guard', ['PRE_USER_CREATE'], { ...noop, filter_conditions: 'false' })
    const user = { username: 'eve', email: 'eve@example.com', password: 'Sail-away-1' }
    expect((await one.owner.post('/users/', user)).status).toBe(201)
    expect((await skipped('function_slug=guard')).results).toEqual([
      {
        ...{ function: guard, function_name: 'guard', function_slug: 'guard' },
        ...{ reason: 'conditions', day: today, count: 1 },
      },
    ])
    await one.unsubscribe('PRE_USER_CREATE', guard)
  })

  it('are kept for 7 days, and their counts as long as other invocations', async () => {
    const age = (days: number) =>
      one.app.sql(
        `with i as (update tenant._invocations set created_at = now() - interval '${days} days'
                     where status = 'SKIPPED' and function_slug = 'asleep')
         update tenant._skipped_runs set day = current_date - ${days} where function_slug = 'asleep'`,
      )
    const samples = async () => (await one.runs('asleep')).filter(({ status }) => status === 'SKIPPED').length
    await age(6)
    await sweep()
    expect(await samples()).toBe(16)
    await age(8)
    await sweep()
    expect([await samples(), (await skipped('function_slug=asleep')).count]).toEqual([0, 1])
    await age(91)
    await sweep()
    expect((await skipped('function_slug=asleep')).count).toBe(0)
  })
})
