/**
 * Crashes between commit and queue, and a queue that delivers twice: each function runs once for each event.
 * E5. The server that the functions call counts the calls. `npm run soak` has 10,000 crashes.
 */
import { createScheduledController } from 'cloudflare:test'
import { expect, inject, it } from 'vitest'
import worker from '../../src/worker.ts'
import { createEventful, noop } from '../support/events.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'
import type { Received } from '../support/webhook-server.ts'

const crashes = runs(60, 2_000, 10_000)
const clients = 16

it(
  `each function runs once for each event, with ${crashes} crashes and messages that arrive twice`,
  async () => {
    const one = await createEventful('one', { ALLOW_PRIVATE_HOSTS: 'true' })
    const path = `/json/crashes-${crypto.randomUUID()}`
    await one.listener('witnessed', ['RECORD_CREATE'], {
      execution_mode: 'proxy',
      webhook_url: `${inject('webhookServer')}${path}`,
    })
    await one.listener('silent', ['RECORD_CREATE'], noop)

    // Each request ends as if the Worker crashed after the commit: nothing is queued.
    one.queue.lose = true
    let next = 1
    const client = async () => {
      for (let id = next++; id <= crashes; id = next++) {
        const { status } = await one.owner.post('/apps/shop/datatables/makers/data/', {
          id,
          name: `maker ${id}`,
        })
        if (status !== 201) throw new Error(`record ${id}: ${status}`)
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    expect(one.queue.waiting).toEqual([])
    one.queue.lose = false
    expect(await one.app.sql('select count(*)::integer as count from tenant._deliveries')).toEqual([
      { count: crashes },
    ])

    // The sweep queues several thousand rows a minute.
    while ((await one.app.sql('select from tenant._deliveries limit 1')).length > 0) {
      await one.app.sql('update tenant._deliveries set due_at = now()')
      await worker.scheduled(createScheduledController(), one.app.env)
      await one.queue.drain(one.app.env, { copies: 2, atOnce: 4 })
    }

    const wanted = Array.from({ length: crashes }, (_, n) => n + 1)
    const calls: Received[] = await (await fetch(`${inject('webhookServer')}/received${path}`)).json()
    const seen = calls.map(({ body }) => JSON.parse(body).data.record_id as number).sort((a, b) => a - b)
    expect(seen).toEqual(wanted)
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(crashes)
    for (const slug of ['witnessed', 'silent']) {
      const rows = await one.app.sql<{ id: number; status: string; attempts: number }>(
        `select (params ->> 'record_id')::integer as id, status, attempts from tenant._invocations where function_slug = $1 order by 1`,
        [slug],
      )
      expect(rows.map(({ id }) => Number(id))).toEqual(wanted)
      expect(rows.filter(({ status, attempts }) => status !== 'SUCCESS' || Number(attempts) !== 1)).toEqual(
        [],
      )
    }
  },
  scaled(60_000 + 100 * crashes),
)
