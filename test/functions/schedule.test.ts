/** Functions that run on a schedule, at most once for each tick. E3. */
import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/worker.ts'
import { createEventful, type Eventful } from '../support/events.ts'

let one: Eventful

const functions = '/apps/shop/functions/'
const code =
  'export default (params, context) => ({ params, trigger: context.trigger_type, user: context.user })'

beforeAll(async () => {
  one = await createEventful('ticks')
})

const make = (name: string, more: object) => one.owner.post(functions, { name, code, ...more })

/** Processes the messages that are due now. Messages for later ticks stay in the queue. */
const work = () => one.queue.drain(one.app.env)

/** Fires the cron trigger, and processes the messages that it queues. */
async function tick(): Promise<void> {
  const ctx = createExecutionContext()
  await worker.scheduled(createScheduledController(), one.app.env)
  await waitOnExecutionContext(ctx)
  await work()
}

interface Row {
  slug: string
  tick: string | null
  seconds: number
}

/** Returns the rows that wait for ticks. */
const waiting = () =>
  one.app.sql<Row>(
    `select f.slug, d.scheduled_at as tick, extract(epoch from d.scheduled_at - now())::integer as seconds
       from tenant._deliveries d join tenant._functions f on f.id = d.schedule_of
      order by f.slug`,
  )

/** A schedule that does not tick during a test, so that only `pass` makes a tick due. */
const yearly = '0 0 1 1 *'

/** Lets time pass, so that the next tick of a function was a number of seconds ago. */
const pass = (slug: string, seconds: number) =>
  one.app.sql(
    `update tenant._deliveries d
        set scheduled_at = date_trunc('minute', now()) - make_interval(secs => ${seconds}),
            due_at = now() - interval '1 second'
       from tenant._functions f where f.id = d.schedule_of and f.slug = $1`,
    [slug],
  )

describe('a schedule', () => {
  it.each<[string, object, object]>([
    [
      'is invalid',
      { schedule: 'hourly' },
      { schedule: [expect.stringContaining('A schedule has five fields')] },
    ],
    ['never ticks', { schedule: '0 0 30 2 *' }, { schedule: ['There is no such day.'] }],
    [
      'has an unknown time zone',
      { schedule: '* * * * *', schedule_zone: 'Mars/Base' },
      { schedule_zone: ['A zone is one of the IANA database, for example Europe/Berlin, or UTC.'] },
    ],
    [
      'belongs to a function with the rights of its caller',
      { schedule: '* * * * *', as: 'caller' },
      { schedule: ['A schedule has no caller: only functions with "as": "service" can have one.'] },
    ],
  ])('returns 400 if it %s', async (_what, more, detail) => {
    const rejected = await make('Wrong', more)
    expect([rejected.status, rejected.body]).toEqual([400, detail])
  })

  it('runs nothing before its first tick, and waits for the tick in its zone', async () => {
    const created = await make('Daily', { schedule: '30 9 * * *', schedule_zone: 'Asia/Kolkata' })
    expect(created.body).toMatchObject({ schedule: '30 9 * * *', schedule_zone: 'Asia/Kolkata' })
    await work()
    const [row] = await waiting()
    expect(row?.tick && new Date(row.tick).toISOString()).toMatch(/T04:00:00.000Z$/)
    expect(row?.seconds).toBeGreaterThan(0)
    expect(await one.runs('daily')).toEqual([])
  })

  it('moves when it is changed, and ends when the schedule is removed or the function is deleted', async () => {
    await one.owner.patch(`${functions}daily/`, { schedule_zone: 'UTC' })
    await work()
    const [row] = await waiting()
    expect(row?.tick && new Date(row.tick).toISOString()).toMatch(/T09:30:00.000Z$/)
    await one.owner.patch(`${functions}daily/`, { timeout_seconds: 5 })
    expect(await waiting()).toMatchObject([{ tick: row?.tick }])
    await one.owner.patch(`${functions}daily/`, { schedule: '' })
    expect(await waiting()).toEqual([])
    await one.owner.patch(`${functions}daily/`, { schedule: '0 0 * * *' })
    expect(await waiting()).toHaveLength(1)
    await one.owner.delete(`${functions}daily/`)
    expect(await waiting()).toEqual([])
    await work()
    expect(await one.app.sql('select * from tenant._deliveries')).toEqual([])
  })

  it('runs once for a tick, even if its message and the sweep both come several times', async () => {
    await make('Often', { schedule: yearly })
    await work()
    await pass('often', 0)
    await Promise.all([tick(), tick()])
    await tick()
    const runs = await one.runs('often')
    expect(runs).toMatchObject([
      {
        trigger_type: 'schedule',
        event: null,
        status: 'SUCCESS',
        attempts: 1,
        result: { trigger: 'schedule', user: null },
      },
    ])
    const { params } = runs[0]
    expect(params).toEqual({ type: 'SCHEDULE', scheduled_at: expect.stringMatching(/:00\.000Z$/), missed: 0 })
    expect(runs[0].result.params).toEqual(params)
    const [row] = await waiting()
    expect(row?.seconds).toBeGreaterThanOrEqual(0)
    expect((await one.owner.get('/invocations/?trigger_type=schedule')).body.count).toBe(1)
  })

  it('runs only for the last of several missed ticks, and tells how many were missed', async () => {
    await one.owner.patch(`${functions}often/`, { schedule: '* * * * *' })
    await pass('often', 600)
    await tick()
    await one.owner.patch(`${functions}often/`, { schedule: yearly })
    const runs = await one.runs('often')
    expect(runs).toHaveLength(2)
    expect(runs[1].params.missed).toBeGreaterThanOrEqual(10)
    expect(Date.now() - Date.parse(runs[1].params.scheduled_at)).toBeLessThan(120_000)
  })

  it('does not run an inactive function, and continues when the function is active again', async () => {
    const before = (await one.runs('often')).length
    await one.owner.patch(`${functions}often/`, { is_active: false })
    await pass('often', 0)
    await tick()
    expect(await one.runs('often')).toHaveLength(before)
    await one.owner.patch(`${functions}often/`, { is_active: true })
    await pass('often', 0)
    await tick()
    expect(await one.runs('often')).toHaveLength(before + 1)
  })

  it('does not run again for a tick whose run has failed', async () => {
    await one.owner.patch(`${functions}often/`, { code: 'export default () => { throw new Error("no") }' })
    const before = (await one.runs('often')).length
    await pass('often', 0)
    await tick()
    const failed = (await one.runs('often')).at(-1)
    expect(failed).toMatchObject({ status: 'FAILURE', attempts: 1, error: 'Error: no' })
    expect(await one.runs('often')).toHaveLength(before + 1)
  })
})
