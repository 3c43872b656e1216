/** The use of sites, their limits, and the removal of old invocations. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { queueLimitNotices } from '../../src/identity/organizations/sites/use/notices.ts'
import { storeUse } from '../../src/kernel/db/use.ts'
import { configOf } from '../../src/kernel/env.ts'
import { queueSites, sweepSite } from '../../src/operation/watching/sites/sweep.ts'
import { siteIdOf, type TestApp, type User } from '../support/app.ts'
import { createEventful, type Eventful, noop } from '../support/events.ts'
import { lettersTo, sendAccountEmails } from '../support/letters.ts'
import { hold } from '../support/locks.ts'
import { heldQueue } from '../support/queue.ts'
import { runs } from '../support/runs.ts'

let one: Eventful
let root: User
/** The app with counting. Its counts are stored when a test says so, long before the 20 seconds. */
let counted: TestApp
const makers = '/apps/shop/datatables/makers/data/'
const month = new Date().toISOString().slice(0, 7)
const none = { soft: null, hard: null }
const unlimited = { requests: none, invocations: none, emails: none, records: none, bytes: none }

beforeAll(async () => {
  one = await createEventful('one')
  root = await one.app.user('root', { superuser: true })
  counted = one.app.with({ USE_FLUSH_SECONDS: '20' })
})

const site = '/api/cloud/sites/one/'
const asRoot = (method: string, path: string, body?: unknown) =>
  one.app.request(method, `${site}${path}`, { token: root.token, ...(body ? { body } : {}) })
const asOwner = (method: string, path: string, body?: unknown) =>
  one.app.request(method, `${site}${path}`, { token: one.shop.owner.token, ...(body ? { body } : {}) })
const store = () => storeUse(configOf(counted.env))
/** Sends a counted request. Like a client, does not wait for the counts to be stored. */
async function ask(method: string, path: string, body?: unknown) {
  const response = await counted.open(method, `${one.shop.api}${path}`, {
    token: one.shop.owner.token,
    ...(body ? { body } : {}),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}
const sweep = () => sweepSite(one.app.env, { kind: 'sweep-site', siteId: siteIdOf(one.shop) })
const setLimits = async (limits: object) => {
  const { status, body } = await asRoot('PUT', 'limits/', limits)
  expect([status, body]).toEqual([200, { ...unlimited, ...limits }])
}

describe('PUT /api/cloud/sites/{site}/limits/', () => {
  it('returns 403 to callers who are not superusers', async () => {
    expect((await asOwner('PUT', 'limits/', {})).status).toBe(403)
  })

  it('returns 400 for a soft limit above the hard one, and for an unknown measure', async () => {
    const above = await asRoot('PUT', 'limits/', { requests: { soft: 11, hard: 10 } })
    expect([above.status, above.body]).toEqual([
      400,
      { 'requests.soft': ['The soft limit must be at most the hard one.'] },
    ])
    const unknown = await asRoot('PUT', 'limits/', { request: { hard: 10 } })
    expect([unknown.status, Object.keys(unknown.body)]).toEqual([400, ['request']])
  })

  it('replaces the limits and is audited; managers of the site can read the limits', async () => {
    await setLimits({ requests: { soft: 5, hard: 1000 } })
    expect((await asOwner('GET', 'limits/')).body).toEqual({
      ...unlimited,
      requests: { soft: 5, hard: 1000 },
    })
    await setLimits({})
    expect((await asOwner('GET', 'limits/')).body).toEqual(unlimited)
    const { body } = await asOwner('GET', 'audit/?kind=limit')
    expect(body.results).toMatchObject([
      { action: 'delete', object: 'requests', actor: { username: 'root' } },
      { action: 'create', object: 'requests', actor: { username: 'root' } },
    ])
  })
})

describe('GET /api/cloud/sites/{site}/use/', () => {
  it('returns 400 for an invalid month', async () => {
    const { status, body } = await asOwner('GET', 'use/?month=2026-13')
    expect([status, body]).toEqual([400, { month: ['Send a year and a month, for example 2026-11.'] }])
  })

  it('counts each request that enters the site, and each run; other months have none', async () => {
    await one.owner.post('/apps/shop/functions/', { name: 'Count', ...noop })
    for (let n = 0; n < 25; n++) expect((await ask('GET', '/apps/')).status).toBe(200)
    expect((await ask('POST', '/apps/shop/functions/count/execute/', {})).status).toBe(200)
    // A request without access does not count.
    await counted.open('GET', `${one.shop.api}/apps/`)
    await store()
    const { status, body } = await asOwner('GET', 'use/')
    expect([status, body]).toEqual([
      200,
      {
        site: 'one',
        month,
        use: { requests: 26, invocations: 1, emails: 0, records: 0, bytes: 0 },
        limits: unlimited,
        measured_at: null,
      },
    ])
    const earlier = await asOwner('GET', 'use/?month=2025-01')
    expect(earlier.body).toMatchObject({ month: '2025-01', use: { requests: 0, invocations: 0 } })
  })

  it('keeps counts that cannot be stored, and stores them later', async () => {
    const away = counted.with({ NEON_ENDPOINT: 'http://127.0.0.1:9/sql' })
    expect((await ask('GET', '/apps/')).status).toBe(200)
    await storeUse(configOf(away.env))
    expect((await asOwner('GET', 'use/')).body.use.requests).toBe(26)
    await store()
    expect((await asOwner('GET', 'use/')).body.use.requests).toBe(27)
  })

  it('measures records and bytes when the schedule visits the site', async () => {
    await one.owner.post(
      makers,
      [1, 2, 3].map((id) => ({ id, name: `m${id}` })),
    )
    await one.app.sql('update site_meters set due_at = now()')
    const queue = heldQueue()
    await queueSites({ ...one.app.env, JOBS: queue.binding })
    expect(queue.waiting).toEqual([{ body: { kind: 'sweep-site', siteId: siteIdOf(one.shop) } }])
    await queueSites({ ...one.app.env, JOBS: queue.binding })
    expect(queue.waiting).toHaveLength(1)
    await sweep()
    const { body } = await asOwner('GET', 'use/')
    expect(body).toMatchObject({ use: { records: 3 }, measured_at: expect.stringContaining('T') })
    const [{ bytes } = { bytes: 0 }] = await one.app.sql<{ bytes: number }>(
      `select sum(pg_total_relation_size(oid))::float + public.shared_bytes($1) as bytes from pg_class
        where relnamespace = '${one.shop.schema}'::regnamespace and relkind = 'r'`,
      [siteIdOf(one.shop)],
    )
    expect(Math.abs(body.use.bytes - bytes) / bytes).toBeLessThan(0.01)
  })
})

describe('a limit of a site', () => {
  it('on requests returns 429 for all requests until the month ends', async () => {
    const { use } = (await asOwner('GET', 'use/')).body
    await setLimits({ requests: { soft: null, hard: use.requests + 2 } })
    for (let n = 0; n < 2; n++) expect((await ask('GET', '/apps/')).status).toBe(200)
    await store()
    const refused = await ask('GET', '/apps/')
    expect(refused.status).toBe(429)
    expect(refused.body.detail).toMatch(
      new RegExp(
        `^The site has reached its limit of ${use.requests + 2} requests a month: it has used ` +
          `${use.requests + 2} in ${month}\\. Expected available in \\d+ seconds\\.$`,
      ),
    )
    const untilNext = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1) - Date.now()
    expect(Math.abs(Number(refused.headers.get('retry-after')) * 1000 - untilNext)).toBeLessThan(60_000)
    // A limit that was exceeded in an earlier month does not apply.
    await one.app.sql(`update sites set exceeded = jsonb_set(exceeded, '{requests,month}', '"2025-01-01"')`)
    expect((await ask('GET', '/apps/')).status).toBe(200)
    await setLimits({})
    expect((await ask('GET', '/apps/')).status).toBe(200)
  })

  it('on records returns 422 for requests that add some, and for no others', async () => {
    await setLimits({ records: { soft: 1, hard: 3 } })
    const refusal = {
      error: 'Quota exceeded',
      detail: 'The site has reached its limit of 3 records: it has 3.',
      code: 'limit_reached',
    }
    for (const [path, body] of [
      [makers, { id: 4, name: 'm4' }],
      [`${makers}upsert/?unique_fields=id`, [{ id: 4, name: 'm4' }]],
      ['/apps/shop/batch/', [{ op: 'create', table: 'makers', data: { id: 4, name: 'm4' } }]],
    ] as const) {
      const refused = await one.owner.post(path, body)
      expect([path, refused.status, refused.body]).toEqual([path, 422, refusal])
    }
    expect((await one.owner.patch(`${makers}1/`, { name: 'changed' })).status).toBe(200)
    expect(
      (await one.owner.post('/apps/shop/batch/', [{ op: 'delete', table: 'makers', id: 3 }])).status,
    ).toBe(200)
    await sweep()
    expect((await one.owner.post(makers, { id: 4, name: 'm4' })).status).toBe(201)
    await setLimits({})
  })

  it('on invocations refuses executions, and turns events into dead letters', async () => {
    await one.listener('listens', ['RECORD_UPDATE'], noop)
    await setLimits({ invocations: { soft: null, hard: 1 } })
    const refused = await one.owner.post('/apps/shop/functions/count/execute/', {})
    expect([refused.status, refused.body.detail]).toEqual([
      429,
      expect.stringContaining(
        `The site has reached its limit of 1 invocations a month: it has used 1 in ${month}.`,
      ),
    ])
    await one.owner.patch(`${makers}1/`, { name: 'again' })
    await one.queue.drain(one.app.env)
    const { body } = await one.owner.get('/dead-letters/?reason=over_limit')
    expect(body.results).toMatchObject([
      {
        function_slug: 'listens',
        attempts: 1,
        error: `The site has reached its limit of 1 invocations a month: it has used 1 in ${month}.`,
      },
    ])
    await setLimits({})
    expect((await one.owner.post('/dead-letters/replay/', {})).body).toMatchObject({ replayed: 1 })
    await one.queue.drain(one.app.env)
    expect((await one.runs('listens')).map(({ status }) => status)).toEqual(['SUCCESS'])
  })

  it('that is soft refuses nothing, and is in the audit log and the log once a month', async () => {
    const spy = vi.spyOn(console, 'log')
    await setLimits({ requests: { soft: 1, hard: null } })
    for (let n = 0; n < 3; n++) {
      expect((await ask('GET', '/apps/')).status).toBe(200)
      await store()
    }
    const { body } = await asOwner('GET', 'audit/?kind=limit&action=change')
    expect(body.results).toMatchObject([
      { object: 'requests', actor: null, values: { soft: { to: 1 }, used: { to: expect.any(Number) } } },
      { object: 'records', actor: null },
    ])
    const lines = spy.mock.calls.map(([line]) => JSON.parse(line)).filter((line) => 'soft_limit' in line)
    spy.mockRestore()
    expect(lines).toEqual([{ level: 'warn', soft_limit: 'requests', site: expect.any(Number) }])
    await setLimits({})
  })
})

describe('the e-mail about a soft limit', () => {
  const managers = ['one-owner', 'one-admin', 'one-site-admin']
  const mailbox = () => one.app.with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'http://localhost' })
  const letters = async () =>
    Promise.all(
      [...managers, 'one-member', 'one-idle'].map(
        async (name) => (await lettersTo(one.app, `${name}@example.org`)).length,
      ),
    )
  /** Runs the task of the schedule, and delivers its messages `copies` times. */
  async function send(copies = 1) {
    const jobs = heldQueue()
    const app = mailbox()
    app.env.JOBS = jobs.binding
    await queueLimitNotices(app.env)
    await jobs.drain(app.env, { copies })
    return jobs
  }

  it('is sent only to managers of the site, once for each limit and month', async () => {
    await one.app.sql('delete from limit_notices')
    const grant = async (name: string, role: string | null, permission: string, active = true) => {
      const { id } = await one.app.user(name)
      if (role)
        await one.app.sql(
          `insert into memberships (organization_id, user_id, role)
           select organization_id, $1, $2 from sites where slug = 'one'`,
          [id, role],
        )
      await one.app.sql(
        `insert into site_permissions (site_id, user_id, permissions)
         select id, $1, $2::text[] from sites where slug = 'one'`,
        [id, `{${permission}}`],
      )
      if (!active) await one.app.sql('update users set is_active = false where id = $1', [id])
    }
    await grant('one-admin', 'admin', 'access_site')
    await grant('one-site-admin', null, 'admin_site')
    await grant('one-member', 'member', 'manage_site')
    await grant('one-idle', 'owner', 'admin_site', false)
    await one.app.sql(`update users set preferred_language = 'de-AT' where username = 'one-site-admin'`)
    await one.app.sql(`update users set preferred_language = 'fr' where username = 'one-admin'`)
    await one.app.sql(`update sites set name = E'One\\r\\nBcc: x@example.net' where slug = 'one'`)
    await setLimits({ emails: { soft: 2, hard: 5000 } })
    await one.app.sql(
      `insert into site_use (site_id, month, emails)
       select id, date_trunc('month', now() at time zone 'UTC'), 1234567 from sites where slug = 'one'
       on conflict (site_id, month) do update set emails = excluded.emails`,
    )
    await setLimits({ emails: { soft: 1000, hard: 2_000_000 } })
    await send()
    expect(await letters()).toEqual([1, 1, 1, 0, 0])
    const [german] = await lettersTo(one.app, 'one-site-admin@example.org')
    expect(german?.subject).toBe('One Bcc: x@example.net: 1.000 E-Mails erreicht')
    expect(german?.text).toContain(`hat im Monat ${month} 1.234.567 E-Mails verbraucht.`)
    expect(german?.text).toContain('Ab 2.000.000 E-Mails werden Anfragen abgelehnt')
    expect(german?.text).toContain('http://localhost/console/')
    for (const name of ['one-owner', 'one-admin']) {
      const [english] = await lettersTo(one.app, `${name}@example.org`)
      expect(english?.subject).toBe('One Bcc: x@example.net: 1,000 e-mails reached')
      expect(english?.text).toContain(`has used 1,234,567 e-mails in ${month}.`)
      expect(english?.text).toContain('From 2,000,000 e-mails on, requests that need more are refused.')
    }
    // The limit is changed and reached again, and the messages are delivered again.
    await setLimits({ emails: { soft: 1001, hard: 2_000_000 } })
    await send(2)
    expect(await letters()).toEqual([1, 1, 1, 0, 0])
    await setLimits({ records: { soft: 0, hard: null } })
    await send()
    expect(await letters()).toEqual([2, 2, 2, 0, 0])
    await setLimits({})
  })

  it('is queued again after a while if it was not sent', async () => {
    await one.app.sql('update limit_notices set sent_at = null, due_at = now()')
    const jobs = heldQueue()
    const lost = { ...mailbox().env, JOBS: jobs.binding }
    await queueLimitNotices(lost)
    expect(jobs.waiting).toHaveLength(6)
    expect((await send()).waiting).toHaveLength(0)
    expect(await letters()).toEqual([2, 2, 2, 0, 0])
    await one.app.sql('update limit_notices set due_at = now()')
    await send()
    expect(await letters()).toEqual([4, 4, 4, 0, 0])
  })
})

describe('the schedule for old data', () => {
  it('removes finished invocations and logs after the configured days, in bounded batches', async () => {
    const insert = (count: number, days: number, status: string) =>
      one.app.sql(
        `insert into tenant._invocations (site_id, delivery_id, event_id, place, function_id, function_name,
           function_slug, trigger_type, status, params, logs, due_at, created_at)
         select ${siteIdOf(one.shop)}, 0, -${days}, n, 1, 'old', '${status}-${days}', 'event', '${status}', '{}', '["line"]', now(),
                now() - make_interval(days => ${days}, secs => n)
           from generate_series(1, ${count}) n`,
      )
    await insert(4_500, 91, 'SUCCESS')
    await insert(10, 92, 'PENDING')
    await insert(2_100, 31, 'FAILURE')
    await insert(10, 29, 'SUCCESS')
    await sweep()
    const left = await one.app.sql(
      `select function_slug as slug, count(*)::int, count(*) filter (where logs::text <> '[]')::int as logs
         from tenant._invocations where function_name = 'old' group by 1 order by 1`,
    )
    expect(left).toEqual([
      { slug: 'FAILURE-31', count: 2_100, logs: 0 },
      { slug: 'PENDING-92', count: 10, logs: 10 },
      { slug: 'SUCCESS-29', count: 10, logs: 10 },
    ])
    const [meter] = await one.app.sql('select dead_letters, waiting from site_meters')
    expect(meter).toEqual({ dead_letters: 2_100, waiting: 10 })
  })
})

describe('the use of a month', () => {
  it('is exact to 1 % for the requests of many concurrent clients, also if counts are stored meanwhile', async () => {
    const used = async () => (await asOwner('GET', 'use/')).body.use
    const mailed = one.app.with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'http://localhost' })
    for (const n of [1, 2, 3]) await one.app.user(`reader-${n}`)
    await store()
    const before = await used()
    const clients = 10
    const [requests, executions, rows] = [runs(150, 3_000), runs(20, 300), runs(500, 5_000)]
    const all = [
      ...Array.from({ length: requests }, () => () => ask('GET', '/apps/')),
      ...Array.from(
        { length: executions },
        () => () => ask('POST', '/apps/shop/functions/count/execute/', {}),
      ),
      ...Array.from({ length: rows / 100 }, (_, part) => () => {
        const records = Array.from({ length: 100 }, (_, n) => ({
          id: 1_000 + part * 100 + n,
          name: `use ${part}/${n}`,
        }))
        return ask('POST', `${makers}?return=minimal`, records)
      }),
    ]
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (const [n, each] of all.entries()) {
          if (n % clients !== client) continue
          expect((await each()).status).toBeLessThan(300)
          // Counts are stored while others are added.
          if (n % 50 === 0) await store()
        }
      }),
    )
    for (const n of [1, 2, 3])
      await mailed.request('POST', `${one.shop.api}/auth/password/reset/`, {
        body: { email: `reader-${n}@example.org` },
      })
    await sendAccountEmails(mailed)
    await store()
    await sweep()
    const after = await used()
    const expected = { requests: all.length, invocations: executions, emails: 3, records: rows }
    const shares = Object.entries(expected).map(([measure, count]) => [
      measure,
      Math.abs(after[measure] - before[measure] - count) / count <= 0.01,
    ])
    expect([shares, after]).toEqual([Object.keys(expected).map((measure) => [measure, true]), after])
    await one.app.sql(`delete from ${one.shop.schema}.shop_makers where id >= 1000`)
    await sweep()
  })
})

describe('a site whose row another transaction has locked', () => {
  const requests = async () => (await asOwner('GET', 'use/')).body.use.requests
  const exceeded = async () => (await one.app.sql('select exceeded from sites'))[0]

  it('keeps its counts in memory until it is free', async () => {
    const before = await requests()
    expect((await ask('GET', '/apps/')).status).toBe(200)
    const release = await hold(one.app, 'perform from public.sites for update')
    await store()
    expect(await requests()).toBe(before)
    await release()
    await store()
    expect(await requests()).toBe(before + 1)
  })

  it('delays no other: counts are stored, and it is compared with its limits the next time', async () => {
    const before = await requests()
    await setLimits({ requests: { soft: null, hard: before + 1 } })
    const release = await hold(one.app, 'perform from public.sites for no key update')
    expect((await ask('GET', '/apps/')).status).toBe(200)
    await store()
    expect([await requests(), await exceeded()]).toEqual([before + 1, { exceeded: null }])
    await release()
    expect((await ask('GET', '/apps/')).status).toBe(200)
    await store()
    expect(await exceeded()).toMatchObject({ exceeded: { requests: { limit: before + 1 } } })
    await setLimits({})
  })
})
