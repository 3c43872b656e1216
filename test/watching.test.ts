/** The status of the service, its metrics, and dead jobs. */
import { beforeAll, describe, expect, it } from 'vitest'
import { consume } from '../src/jobs.ts'
import { siteIdOf, type User } from './support/app.ts'
import { createEventful, type Eventful, noop } from './support/events.ts'
import { heldQueue } from './support/queue.ts'

let one: Eventful
let root: User
const makers = '/apps/shop/datatables/makers/data/'

beforeAll(async () => {
  one = await createEventful('one')
  root = await one.app.user('root', { superuser: true })
  await one.listener('listens', ['RECORD_CREATE'], noop)
})

const as = (user: User, method: string, path: string, body?: unknown) =>
  one.app.request(method, path, { token: user.token, ...(body ? { body } : {}) })

const siteOf = ({ shop }: Eventful) => siteIdOf(shop)

/** Delivers a message to a queue. Returns whether it will be retried. */
async function handOut(queue: string, body: unknown, attempts: number, env = one.app.env): Promise<boolean> {
  let isRetried = false
  const message = {
    id: crypto.randomUUID(),
    body,
    attempts,
    ack() {},
    retry() {
      isRetried = true
    },
  }
  await consume({ queue, messages: [message] } as unknown as MessageBatch<unknown>, env)
  return isRetried
}

describe('GET /api/cloud/status/', () => {
  it('returns 403 to callers who are not superusers', async () => {
    expect((await as(one.shop.owner, 'GET', '/api/cloud/status/')).status).toBe(403)
    expect((await as(one.shop.owner, 'GET', '/api/cloud/metrics/')).status).toBe(403)
    expect((await as(one.shop.owner, 'POST', '/api/cloud/dead-jobs/replay/', {})).status).toBe(403)
  })

  it('shows the pending work, the sites, the keys, and round trips by statement', async () => {
    await one.owner.post(makers, { id: 1, name: 'a' })
    await one.app.sql(`update tenant._deliveries set due_at = now() - interval '1 hour'`)
    const { status, body } = await as(root, 'GET', '/api/cloud/status/')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      queue: { rows: 1, overdue: 1, oldest: expect.any(String), waiting: 0 },
      dead_letters: { invocations: 0, jobs: [] },
      sites: { count: 1, limited: 0, outdated: 0, measured: null },
      keys: { signing: [{ kid: expect.any(String), is_current: true }] },
    })
    expect(body.keys.master.every(({ kid }: { kid: string }) => kid !== '')).toBe(true)
    expect(body.isolate.requests).toBeGreaterThan(1)
    expect(body.isolate.round_trips).toBeGreaterThan(1)
    expect(body.slow_statements.length).toBeGreaterThan(0)
    for (const { statements, count, mean_ms, max_ms } of body.slow_statements) {
      for (const name of statements) expect(name).toMatch(/^\w+$/)
      expect(count).toBeGreaterThan(0)
      expect(max_ms).toBeGreaterThanOrEqual(mean_ms)
    }
    await one.queue.drain(one.app.env)
    expect((await as(root, 'GET', '/api/cloud/status/')).body.queue).toMatchObject({ rows: 0, oldest: null })
  })
})

describe('advice about slow lists', () => {
  it('is that of all isolates, with what Postgres expects of an index if it was tried', async () => {
    const table = (name: string) =>
      `(select id from tenant._datatables where name = '${name}' and site_id = $1)`
    await one.app.sql(
      `insert into tenant._index_advice (site_id, datatable_id, wanted, count, max_ms, cost_before, cost_after)
       values ($1, ${table('makers')}, '{"fields": ["name"], "method": "trigram"}', 2, 300.04, null, null),
              ($1, ${table('products')}, '{"fields": ["stock", "price"]}', 7, 1200, 5000, 12.5),
              ($1, ${table('products')}, '{"fields": ["price"]}', 7, 9000, null, null)`,
      [siteOf(one)],
    )
    await one.app.sql(
      `update tenant._index_advice set seen_at = now() - interval '8 days' where max_ms = 9000`,
    )
    const { body } = await as(root, 'GET', '/api/cloud/status/')
    const place = { site_id: siteOf(one), app: 'shop' }
    expect(body.advice).toEqual([
      {
        ...place,
        table: 'products',
        fields: ['stock', 'price'],
        method: 'btree',
        count: 7,
        max_ms: 1200,
        trial: { cost_before: 5000, cost_after: 12.5 },
      },
      { ...place, table: 'makers', fields: ['name'], method: 'trigram', count: 2, max_ms: 300, trial: null },
    ])
  })
})

describe('metrics', () => {
  it('are at /metrics in the local stack, and return 404 elsewhere', async () => {
    const production = one.app.with({ ENVIRONMENT: 'production', PASSWORD_COST: '14' })
    expect((await production.request('GET', '/metrics')).status).toBe(404)
    const { status, text, headers } = await one.app.request('GET', '/metrics')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(text).toContain('\ntessera_sites 1\n')
  })

  it('are in the Prometheus format: each sample has a type, and buckets only grow', async () => {
    const { status, text } = await as(root, 'GET', '/api/cloud/metrics/')
    expect(status).toBe(200)
    const lines = text.trimEnd().split('\n')
    const types = new Map(
      lines.flatMap((line) => {
        const [, name = '', type = ''] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? []
        return name === '' ? [] : [[name, type] as const]
      }),
    )
    const last = new Map<string, number>()
    for (const line of lines.filter((each) => !each.startsWith('#'))) {
      const [, name = '', labels = '', value = ''] =
        /^([a-z_]+)((?:\{(?:[a-z_]+="(?:[^"\\]|\\.)*",?)+\})?) ([\d.e+-]+)$/.exec(line) ?? []
      expect([line, name]).not.toEqual([line, ''])
      const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
      expect([name, types.has(family)]).toEqual([name, true])
      if (!name.endsWith('_bucket')) continue
      const series = name + labels.replace(/,?le="[^"]+"/, '')
      expect(Number(value)).toBeGreaterThanOrEqual(last.get(series) ?? 0)
      last.set(series, Number(value))
    }
    expect(types.get('http_server_request_duration_seconds')).toBe('histogram')
    expect(types.get('tessera_queue_rows')).toBe('gauge')
  })

  it('have the bytes, hits and evictions of each cache of the isolate', async () => {
    await as(one.shop.owner, 'GET', '/api/apps/')
    const { text } = await as(root, 'GET', '/api/cloud/metrics/')
    for (const cache of ['catalogs', 'guest_catalogs', 'tokens', 'rate_leases', 'patterns'])
      for (const metric of ['bytes', 'hits_total', 'evictions_total'])
        expect(text).toMatch(new RegExp(`^tessera_cache_${metric}\\{cache="${cache}"\\} \\d+$`, 'm'))
    expect(text).toMatch(/^tessera_cache_hits_total\{cache="tokens"\} [1-9]/m)
  })
})

describe('a dead job', () => {
  it('is kept with the error of its last attempt, is counted, and can be queued again', async () => {
    const job = { kind: 'sweep-site', siteId: siteOf(one) }
    // Without this table, the job fails.
    await one.app.sql('alter table tenant._invocations rename to _away')
    expect(await handOut('tessera-jobs', job, 5)).toBe(true)
    expect(await one.app.sql('select from dead_jobs')).toEqual([])
    expect(await handOut('tessera-jobs', job, 6)).toBe(true)
    await handOut('tessera-dead-jobs', job, 1)
    // The same message twice is one dead job.
    await handOut('tessera-dead-jobs', job, 1)
    await one.app.sql('alter table tenant._away rename to _invocations')
    const { body } = await as(root, 'GET', '/api/cloud/status/')
    expect(body.dead_letters.jobs).toEqual([
      { kind: 'sweep-site', count: 1, newest: expect.any(String), error: 'DatabaseFailure 42P01' },
    ])
    const dry = await as(root, 'POST', '/api/cloud/dead-jobs/replay/', { dry_run: true })
    expect([dry.status, dry.body]).toEqual([200, { matched: 1, replayed: 0 }])
    const other = await as(root, 'POST', '/api/cloud/dead-jobs/replay/', { kind: 'erase-site' })
    expect([other.status, other.body]).toEqual([202, { matched: 0, replayed: 0 }])
    const queue = heldQueue()
    one.app.env.JOBS = queue.binding
    const replayed = await as(root, 'POST', '/api/cloud/dead-jobs/replay/', {})
    expect([replayed.status, replayed.body]).toEqual([202, { matched: 1, replayed: 1 }])
    expect(queue.waiting.map(({ body }) => body)).toEqual([job])
    expect(await one.app.sql('select from dead_jobs')).toEqual([])
  })
})
