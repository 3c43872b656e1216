/** Sites and organizations that are suspended, deleted, restored and erased. */
import { createScheduledController } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { newTokens, signTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { processOutboxRow } from '../../src/runtime/outbox/process-outbox-row.ts'
import worker from '../../src/worker.ts'
import { createSite, startApp, type TestApp, type User } from '../support/app.ts'
import { addRows, createShop, grant, ownerOf, type Shop } from '../support/fixtures.ts'
import { commitWhenAwaited } from '../support/locks.ts'
import { type HeldQueue, heldQueue } from '../support/queue.ts'
import { keptFor, tracesOf } from '../support/traces.ts'

let app: TestApp
let queue: HeldQueue
let shop: Shop
let owner: User
let helper: User
let root: User

const call = (method: string, path: string, { token }: User, body?: unknown) =>
  app.request(method, `/api/cloud/${path}`, { token, ...(body === undefined ? {} : { body }) })
const apps = (user: User) => app.request('GET', `${shop.api}/apps/`, { token: user.token })
const runSchedule = () => worker.scheduled(createScheduledController(), app.env)

beforeAll(async () => {
  queue = heldQueue()
  app = await startApp({ JOBS: queue.binding as never })
  shop = await createShop(app, 'quay')
  owner = shop.owner
  helper = await app.user('helper')
  root = await app.user('root', { superuser: true })
  await grant(app, shop, helper, ['admin_site'])
})

describe('a suspended site', () => {
  it('needs an owner or a superuser to be suspended: 403 for others, 404 for an unknown site', async () => {
    expect(await call('POST', 'sites/nowhere/suspend/', owner)).toMatchObject({
      status: 404,
      body: { hint: 'There is no site "nowhere".' },
    })
    expect((await call('POST', 'sites/quay/suspend/', helper)).status).toBe(403)
    expect((await call('POST', 'sites/quay/resume/', helper)).status).toBe(403)
    expect((await apps(owner)).status).toBe(200)
  })

  it('returns 404 with the reason for signed-in callers, and works again once it is resumed', async () => {
    expect(await call('POST', 'sites/quay/suspend/', owner)).toMatchObject({
      status: 200,
      body: { slug: 'quay', state: 'suspended', deletes_at: null },
    })
    expect(await apps(owner)).toMatchObject({
      status: 404,
      body: { detail: 'Not found.', hint: 'The site "quay" is suspended.', code: 'not_found' },
    })
    expect((await app.request('GET', `${shop.api}/apps/`)).status).toBe(401)
    expect((await call('GET', 'sites/quay/', owner)).body).toMatchObject({ state: 'suspended' })
    expect(await call('POST', 'sites/quay/resume/', owner)).toMatchObject({
      status: 200,
      body: { state: 'active' },
    })
    expect((await apps(owner)).status).toBe(200)
  })

  it('can be resumed only by a superuser if a superuser has suspended it', async () => {
    await call('POST', 'sites/quay/suspend/', root)
    await call('POST', 'sites/quay/suspend/', owner)
    expect(await call('POST', 'sites/quay/resume/', owner)).toMatchObject({
      status: 403,
      body: {
        detail: 'The operator of the service has suspended the site. Only the operator can resume it.',
        code: 'wrong_state',
      },
    })
    expect((await call('POST', 'sites/quay/resume/', root)).body).toMatchObject({ state: 'active' })
  })

  it('starts no runs of functions, which wait until it is resumed', async () => {
    const { post, get } = ownerOf(app, shop, '/')
    const fn = await post('apps/shop/functions/', {
      name: 'note',
      execution_mode: 'system',
      system_function: 'noop',
    })
    await post('cloud/events/RECORD_CREATE/subscribe/', { function_id: fn.body.id })
    await addRows(app, shop, { makers: [{ id: 1, name: 'Ostra' }] })
    const siteId = Number(shop.schema.slice('site_'.length))
    const [row] = await app.sql<{ id: string }>('select id from tenant._deliveries where site_id = $1', [
      siteId,
    ])
    const message = { kind: 'process-outbox-row' as const, siteId, rowId: Number(row?.id) }
    await app.sql('update tenant._deliveries set due_at = now() where site_id = $1', [siteId])
    await call('POST', 'sites/quay/suspend/', owner)
    const events = heldQueue()
    await worker.scheduled(createScheduledController(), { ...app.env, EVENTS: events.binding })
    expect(events.waiting).toEqual([])
    await expect(processOutboxRow(app.env, message)).rejects.toMatchObject({ sqlstate: 'TS410' })
    await call('POST', 'sites/quay/resume/', owner)
    expect((await get('invocations/')).body.count).toBe(0)
    await worker.scheduled(createScheduledController(), { ...app.env, EVENTS: events.binding })
    await events.drain(app.env)
    expect((await get('invocations/')).body).toMatchObject({ count: 1, results: [{ status: 'SUCCESS' }] })
  })
})

describe('PATCH /api/cloud/sites/{slug}/ with a slug', () => {
  it('renames the site for owners and admins; 403 for others, 400 if the slug is taken', async () => {
    await createSite(app, 'taken')
    expect((await call('PATCH', 'sites/quay/', helper, { slug: 'dock' })).status).toBe(403)
    expect(await call('PATCH', 'sites/quay/', owner, { slug: 'taken' })).toMatchObject({
      status: 400,
      body: { slug: ['A site with the slug "taken" already exists.'] },
    })
    expect(await call('PATCH', 'sites/quay/', owner, { slug: 'dock' })).toMatchObject({
      status: 200,
      body: { slug: 'dock', schema_name: shop.schema },
    })
    expect((await apps(owner)).status).toBe(404)
    expect((await app.request('GET', '/sites/dock/api/apps/', { token: owner.token })).status).toBe(200)
    expect((await call('PATCH', 'sites/dock/', owner, { slug: 'quay' })).body).toMatchObject({ slug: 'quay' })
  })
})

describe('a deleted site', () => {
  it('is deleted by owners with a recent second factor', async () => {
    expect((await call('DELETE', 'sites/quay/', helper)).status).toBe(403)
    const hourAgo = new Date(Date.now() - 3_600_000)
    const config = configOf(app.env)
    const methods = ['pwd', 'otp', 'mfa'] as const
    const signedIn = { ...(await app.identity(owner)), methods, signedInAt: hourAgo }
    const old = await signTokens(config, newTokens(config, signedIn))
    expect(await call('DELETE', 'sites/quay/', { ...owner, token: old.access })).toMatchObject({
      status: 403,
      body: {
        detail: 'This needs a sign-in within the last 900 seconds. Sign in again.',
        code: 'fresh_sign_in_required',
      },
    })
    expect((await apps(owner)).status).toBe(200)
  })

  it('returns 404 for 7 days, in which it can be restored unchanged', async () => {
    const deleted = await call('DELETE', 'sites/quay/', owner)
    expect(deleted).toMatchObject({ status: 200, body: { state: 'deleted' } })
    expect(Date.parse(deleted.body.deletes_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    expect(Date.parse(deleted.body.deletes_at) - Date.now()).toBeLessThan(7.1 * 86_400_000)
    expect((await call('DELETE', 'sites/quay/', owner)).body.deletes_at).toBe(deleted.body.deletes_at)
    expect((await apps(owner)).body).toMatchObject({ hint: 'The site "quay" is deleted.' })
    for (const action of ['suspend', 'resume'])
      expect(await call('POST', `sites/quay/${action}/`, owner)).toMatchObject({
        status: 409,
        body: { detail: 'The site is deleted. Restore it first.', code: 'wrong_state' },
      })
    await runSchedule()
    await queue.drain(app.env)
    expect((await call('POST', 'sites/quay/restore/', helper)).status).toBe(403)
    expect(await call('POST', 'sites/quay/restore/', owner)).toMatchObject({
      status: 200,
      body: { state: 'active', deletes_at: null },
    })
    expect((await apps(owner)).body.count).toBe(1)
  })

  it('is in the audit log with the actors', async () => {
    const { body } = await call('GET', 'organizations/quay-org/audit/?kind=site&page_size=50', owner)
    const changed = body.results.map((entry: { changed: string[] }) => entry.changed.join())
    expect(changed).toContain('deletes_at,is_active')
    expect(changed).toContain('is_active,suspended_by')
    expect(body.results[0]).toMatchObject({ actor: { username: 'quay-owner' }, object: 'quay' })
  })
})

/** Returns the number of archive parts of a site. */
async function partsOf(slug: string): Promise<number> {
  const [row] = await app.sql<{ count: number }>(
    'select count(*)::int as count from transfer_parts p join transfers t on t.id = p.transfer_id where t.slug = $1',
    [slug],
  )
  return row?.count ?? 0
}

const logo =
  'data:image/png;base64,' +
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('an erased site', () => {
  it('leaves only the audit log in the database, the queue and the Durable Objects', async () => {
    const wharf = await createShop(app, 'wharf')
    const siteId = Number(wharf.schema.slice('site_'.length))
    const { post, get } = ownerOf(app, wharf, '/')
    await addRows(app, wharf, { makers: [{ id: 1, name: 'Ostra' }] })
    await post('secrets/', { secret_type: 'api-key', key: 'PAY', value: { api_key: 'x' } })
    await get('secrets/PAY/')
    await get('secrets/PAY/')
    await post('api-keys/', { name: 'ci' })
    await call('POST', 'sites/wharf/domains/', wharf.owner, { domain: 'wharf.example' })
    await grant(app, wharf, helper, ['access_site'])
    await call('PATCH', 'sites/wharf/', wharf.owner, { branding: { name: 'Wharf', logo } })
    await app.sql(
      `insert into limit_notices (site_id, measure, month, user_id, soft, used)
       values ($1, 'requests', '2026-01-01', $2, 1, 2)`,
      [siteId, wharf.owner.id],
    )
    await call('POST', 'sites/wharf/exports/', wharf.owner, {})
    await call('POST', 'sites/wharf/copy/', wharf.owner, { slug: 'wharf-copy', rows: true })
    await queue.drain(app.env)
    expect(await partsOf('wharf')).toBeGreaterThan(5)
    expect(await keptFor(app, 'wharf')).toBeGreaterThan(0)
    expect(await tracesOf(app, siteId)).toEqual(
      expect.arrayContaining([
        'site_logos',
        'limit_notices',
        'transfers',
        'data_keys',
        'site_meters',
        'sites',
      ]),
    )

    expect(await call('DELETE', 'sites/wharf/?now=true', root)).toMatchObject({
      status: 200,
      body: { state: 'deleted' },
    })
    expect((await call('POST', 'sites/wharf/restore/', root)).status).toBe(404)
    expect(await call('POST', `sites/wharf~${siteId}/restore/`, root)).toMatchObject({
      status: 409,
      body: { detail: 'The site is being erased. It can no longer be restored.', code: 'wrong_state' },
    })
    await runSchedule()
    await queue.drain(app.env)
    expect(await tracesOf(app, siteId)).toEqual([])
    expect(await partsOf('wharf')).toBe(0)
    expect(await keptFor(app, 'wharf')).toBe(0)
    expect(queue.waiting).toEqual([])
    expect((await call('GET', 'sites/wharf/', root)).status).toBe(404)
    const audit = await call('GET', 'organizations/wharf-org/audit/?kind=site&action=delete', wharf.owner)
    expect(audit.body).toMatchObject({ count: 1, results: [{ object: `wharf~${siteId}`, actor: null }] })
  })

  it('is dropped in steps, its functions too', async () => {
    const { schema } = await createSite(app, 'steps')
    const siteId = Number(schema.slice('site_'.length))
    for (const name of ['f1', 'f2', 'f3'])
      await app.sql(`create function ${schema}_guest.${name}() returns integer language sql as 'select 1'`)
    await app.sql(`update sites set deletes_at = now() where id = ${siteId}`)
    const steps: unknown[] = []
    for (let step = 0; step < 3; step++) {
      const [erased] = await app.sql(`select public.erase_site(${siteId}, 2) as "hasMore"`)
      const [left] = await app.sql(
        `select count(*)::integer as functions from pg_proc p join pg_namespace n on n.oid = p.pronamespace
          where n.nspname = '${schema}_guest'`,
      )
      steps.push({ ...erased, ...left })
    }
    expect(steps).toEqual([
      { hasMore: true, functions: 1 },
      { hasMore: true, functions: 0 },
      { hasMore: false, functions: 0 },
    ])
  })

  it('gets its messages dropped from the queues', async () => {
    await queue.binding.send({ kind: 'process-outbox-row', siteId: 1, rowId: 1 })
    await queue.binding.send({ kind: 'drop-deleted', siteId: 1 })
    await queue.binding.send({ kind: 'erase-site', siteId: 1 })
    await queue.drain(app.env)
    expect(queue.waiting).toEqual([])
  })
})

describe('DELETE /api/cloud/organizations/{slug}/', () => {
  it('returns 403 to callers who are not owners, and 409 as long as a site is not deleted', async () => {
    expect((await call('DELETE', 'organizations/quay-org/', helper)).status).toBe(403)
    expect(await call('DELETE', 'organizations/quay-org/', owner)).toMatchObject({
      status: 409,
      body: {
        detail: 'The organization still has 1 site. Delete all of its sites first.',
        code: 'wrong_state',
      },
    })
  })

  it('prevents a site that is created or restored at the same time', async () => {
    const dock = await createSite(app, 'dock')
    await call('DELETE', 'sites/dock/', dock.owner)
    const deletion = `update public.organizations set deletes_at = now() + interval '7 days' where slug = 'dock-org'`
    const creation = await commitWhenAwaited(app, deletion)
    const made = await call('POST', 'organizations/dock-org/sites/', dock.owner, { name: 'Late' })
    expect(made).toMatchObject({ status: 404 })
    await creation.committed
    await call('POST', 'organizations/dock-org/restore/', dock.owner)
    const restoration = await commitWhenAwaited(app, deletion)
    expect(await call('POST', 'sites/dock/restore/', dock.owner)).toMatchObject({
      status: 409,
      body: { detail: 'The organization of the site is deleted. Restore it first.', code: 'wrong_state' },
    })
    await restoration.committed
  })

  it('hides the organization, which can be restored for 7 days, and is then erased with its sites', async () => {
    await call('DELETE', 'sites/quay/', owner)
    const deleted = await call('DELETE', 'organizations/quay-org/', owner)
    expect(deleted).toMatchObject({ status: 200, body: { slug: 'quay-org' } })
    expect(Date.parse(deleted.body.deletes_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    expect((await call('GET', 'organizations/quay-org/', owner)).status).toBe(404)
    expect(await call('POST', 'sites/quay/restore/', owner)).toMatchObject({
      status: 409,
      body: { detail: 'The organization of the site is deleted. Restore it first.', code: 'wrong_state' },
    })
    expect(await call('POST', 'organizations/quay-org/restore/', owner)).toMatchObject({
      status: 200,
      body: { deletes_at: null },
    })
    await call('DELETE', 'organizations/quay-org/', owner)
    await app.sql(`update organizations set deletes_at = now() where slug = 'quay-org'`)
    expect(await call('POST', 'organizations/quay-org/restore/', owner)).toMatchObject({
      status: 409,
      body: {
        detail: 'The organization is being erased. It can no longer be restored.',
        code: 'wrong_state',
      },
    })
    await runSchedule()
    expect((await app.sql(`select from organizations where slug = 'quay-org'`)).length).toBe(1)
    await app.sql(`update sites set deletes_at = now() where slug = 'quay'`)
    await runSchedule()
    await queue.drain(app.env)
    await runSchedule()
    expect((await app.sql(`select from organizations where slug = 'quay-org'`)).length).toBe(0)
    expect((await app.sql('select from memberships where user_id = $1', [owner.id])).length).toBe(0)
  })
})
