/** Invocations that have failed for good are listed, explained, and replayed by filter. E5. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createEventful, type Eventful, fail, noop } from '../support/events.ts'

let one: Eventful
const makers = '/apps/shop/datatables/makers/data/'
const deadLetters = '/dead-letters/'

beforeAll(async () => {
  one = await createEventful('one')
  await one.listener('broken', ['RECORD_CREATE'], fail)
  await one.listener('deep', ['RECORD_DELETE'], noop)
  for (const id of [1, 2, 3]) await one.owner.post(makers, { id, name: `m${id}` })
  await one.queue.drain(one.app.env)
  // Skips to the last attempt.
  await one.app.sql(`update tenant._invocations set attempts = 5, due_at = now() where status = 'RETRY'`)
  await one.app.sql(`update tenant._deliveries set due_at = now()`)
  await one.queue.drain(one.app.env, { delayMax: 3600 })
})

describe('POST /api/dead-letters/replay/', () => {
  it('returns 400 for unknown members and unknown reasons', async () => {
    const unknown = await one.owner.post(`${deadLetters}replay/`, { dryrun: true })
    expect([unknown.status, unknown.body]).toEqual([
      400,
      { dryrun: ['Unknown field. Did you mean "dry_run"?'] },
    ])
    const reason = await one.owner.post(`${deadLetters}replay/`, { reason: 'bad luck' })
    expect(reason.status).toBe(400)
    expect(Object.keys(reason.body)).toEqual(['reason'])
  })

  it('with dry_run counts the invocations, and queues nothing', async () => {
    const { status, body } = await one.owner.post(`${deadLetters}replay/`, { dry_run: true, limit: 2 })
    expect([status, body]).toEqual([200, { matched: 3, replayed: 0, left: 3 }])
    expect(one.queue.waiting).toEqual([])
  })

  it('finds nothing with a filter that matches no invocation', async () => {
    for (const filter of [
      { function_slug: 'deep' },
      { event: 'RECORD_DELETE' },
      { trigger_type: 'schedule' },
      { reason: 'timeout' },
      { since: '2099-01-01T00:00:00Z' },
      { until: '2001-01-01T00:00:00Z' },
      { ids: [999_999] },
    ]) {
      const { body } = await one.owner.post(`${deadLetters}replay/`, { ...filter, dry_run: true })
      expect([filter, body]).toEqual([filter, { matched: 0, replayed: 0, left: 0 }])
    }
  })

  it('queues the oldest matching invocations up to the limit, with all of their attempts', async () => {
    await one.owner.patch('/apps/shop/functions/broken/', { system_function: 'noop' })
    const filter = { function_slug: 'broken', event: 'RECORD_CREATE', reason: 'error', limit: 2 }
    const { status, body } = await one.owner.post(`${deadLetters}replay/`, filter)
    expect([status, body]).toEqual([202, { matched: 3, replayed: 2, left: 1 }])
    // Both are in one outbox row, because they have the same cause.
    expect(one.queue.waiting).toHaveLength(1)
    await one.queue.drain(one.app.env)
    expect((await one.runs('broken')).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['SUCCESS', 1],
      ['SUCCESS', 1],
      ['FAILURE', 6],
    ])
    const rest = await one.owner.post(`${deadLetters}replay/`, {})
    expect([rest.status, rest.body]).toEqual([202, { matched: 1, replayed: 1, left: 0 }])
    await one.queue.drain(one.app.env)
    expect((await one.owner.get(deadLetters)).body.count).toBe(0)
  })
})

describe('GET /api/dead-letters/', () => {
  it('lists invocations that have failed for good, with their error, its reason and advice', async () => {
    const ran = await one.owner.post('/apps/shop/functions/', {
      name: 'Conditional',
      ...noop,
      filter_conditions: 'event.data.missing > 1',
    })
    await one.subscribe('RECORD_UPDATE', ran.body.id)
    await one.owner.patch(`${makers}1/`, { name: 'changed' })
    await one.queue.drain(one.app.env)
    const { status, body } = await one.owner.get(`${deadLetters}?reason=conditions`)
    expect([status, body.count]).toEqual([200, 1])
    expect(body.results).toEqual([
      {
        id: expect.any(Number),
        function: ran.body.id,
        function_name: 'Conditional',
        function_slug: 'conditional',
        trigger_type: 'event',
        event: 'RECORD_UPDATE',
        attempts: 1,
        error: expect.stringMatching(/^The filter conditions cannot be evaluated: /),
        reason: 'conditions',
        advice: 'Correct filter_conditions, then replay it.',
        created_at: expect.any(String),
        failed_at: expect.any(String),
      },
    ])
    expect((await one.owner.get(`${deadLetters}?reason=timeout`)).body.count).toBe(0)
  })
})
