/** The status of the service, its metrics, and dead jobs. */
import { beforeAll, describe, expect, it } from 'vitest'
import { slowReads } from '../src/data/records/slow-reads.ts'
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
  it('names the fields of an index that slow lists lack, and no existing one', async () => {
    const slow = one.app.with({ SLOW_READ_MS: '0' })
    const products = `${one.shop.api}/apps/shop/datatables/products/data/`
    const read = (query: string) =>
      slow.request('GET', `${products}?${query}`, { token: one.shop.owner.token })
    for (const query of [
      'stock=1&ordering=-price',
      'stock=2&ordering=-price',
      'ordering=released_on',
      'sku__icontains=tea&stock=3&ordering=-price',
      'released_on__in=2026-01-01,2026-01-02&released_on__between=2026-01-01,2026-01-02',
      // The first has an index for one of its fields, and the second neither compares nor sorts.
      'sku=A-1&stock=1',
      'page_size=1',
    ])
      expect([query, (await read(query)).status]).toEqual([query, 200])
    const parts = `${one.shop.api}${makers}?name__icontains=tea`
    expect((await slow.request('GET', parts, { token: one.shop.owner.token })).status).toBe(200)
    const { body } = await as(root, 'GET', '/api/cloud/status/')
    const advice = body.advice.filter(({ site_id }: { site_id: number }) => site_id === siteOf(one))
    expect(
      advice
        .map(({ fields, method, count }: { fields: string[]; method: string; count: number }) => [
          fields.join(),
          method,
          count,
        ])
        .sort(),
    ).toEqual([
      ['name', 'trigram', 1],
      ['released_on', 'btree', 2],
      ['stock,price', 'btree', 3],
    ])
    // The statements for hypopg: both texts are SQL without values of a request.
    const trials = slowReads().flatMap(({ siteId, trial }) => (siteId === siteOf(one) && trial ? trial : []))
    expect(trials).toHaveLength(2)
    for (const { reads, creates } of trials) {
      expect(reads).toMatch(/^select \* from "site_\d+"\."\w+" (where |order by )/)
      // As the service asks: the platform's role may not read the table.
      const [planned] = await one.app.sql<{ answer: string }>(
        `select answer from public.run(array[$1], array[$2], null)`,
        ['rselect public.plan_in_site(%1$L) as plan', reads],
      )
      expect(JSON.parse(planned?.answer ?? '').plan[0].Plan['Total Cost']).toBeGreaterThan(0)
      await one.app.sql(creates)
    }
    // Without hypopg no index is tried.
    const [{ installed } = { installed: 0 }] = await one.app.sql<{ installed: number }>(
      `select count(*)::int as installed from pg_extension where extname = 'hypopg'`,
    )
    expect(installed).toBe(0)
    for (const each of advice)
      expect(each).toEqual({
        site_id: siteOf(one),
        app: 'shop',
        table: each.method === 'trigram' ? 'makers' : 'products',
        fields: expect.any(Array),
        method: expect.any(String),
        count: expect.any(Number),
        max_ms: expect.any(Number),
        trial: null,
      })
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
