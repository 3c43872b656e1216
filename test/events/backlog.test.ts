/**
 * A backlog of events is processed completely, even if functions fail. `npm run soak` uses 100,000 events.
 */
import { expect, it } from 'vitest'
import { createEventful, fail, noop } from '../support/events.ts'
import { runs } from '../support/runs.ts'

const makers = '/apps/shop/datatables/makers/data/'
const atOnce = 500

/** The maximum duration of the soak test in milliseconds. It allows 28 events a second. */
const soakMs = 3_600_000

const title = 'several workers process a backlog in order by record, and failures do not block other events'
it(title, { timeout: runs(120_000, 600_000, soakMs) }, async () => {
  const one = await createEventful('one')
  await one.listener('ordered', ['RECORD_CREATE', 'RECORD_UPDATE'], { ...noop, ordering: 'record' })
  await one.listener('fails', ['RECORD_UPDATE'], fail)
  const count = runs(1, 20, 200) * atOnce
  for (let from = 0; from < count; from += atOnce) {
    const ids = Array.from({ length: atOnce }, (_, index) => from + index + 1)
    const created = await one.owner.post(
      makers,
      ids.map((id) => ({ id, name: `created ${id}` })),
    )
    expect(created.status).toBe(201)
  }
  const changed = await one.owner.patch(
    makers,
    Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: `changed ${index + 1}` })),
  )
  expect(changed.status).toBe(200)
  // The changes come first. They have to wait for the creations of the same records.
  one.queue.waiting.reverse()
  const began = performance.now()
  await one.queue.drain(one.app.env, { atOnce: 4, delayMax: 1 })
  const seconds = (performance.now() - began) / 1000
  console.log(JSON.stringify({ events: count + 100, seconds, per_second: (count + 100) / seconds }))
  const [done] = await one.app.sql(
    `select count(*)::int as count, count(*) filter (where status = 'SUCCESS')::int as succeeded
       from tenant._invocations where function_slug = 'ordered'`,
  )
  expect(done).toEqual({ count: count + 100, succeeded: count + 100 })
  const late = await one.app.sql(
    `select c.id from tenant._invocations c join tenant._invocations u using (order_key)
      where c.event = 'RECORD_CREATE' and u.event = 'RECORD_UPDATE' and u.started_at < c.finished_at`,
  )
  expect(late).toEqual([])
  const failed = await one.runs('fails')
  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['RETRY']))
})
