/**
 * Copies of sites: the permission to copy, the copied data, and the traces of a copy that does not finish.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { newTokens, signTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { sweepTransfers } from '../../src/operation/transfers/job.ts'
import type { TestApp } from '../support/app.ts'
import { createSite, insist, type Site } from '../support/app.ts'
import { provenUser, withTotp } from '../support/factors.ts'
import { createShop } from '../support/fixtures.ts'
import { startTransfers, type TransferService } from './service.ts'
import { contentOf, stockedSite } from './stocked-site.ts'

let service: TransferService
let app: TestApp
let site: Site
let other: Site

beforeAll(async () => {
  service = await startTransfers()
  ;({ app } = service)
  site = await stockedSite(app, 'stocked', 300)
  other = await createSite(app, 'elsewhere')
  service.jobs.waiting.length = 0
})

const copy = (body: object, token = site.owner.token, slug = 'stocked') =>
  app.request('POST', `/api/cloud/sites/${slug}/copy/`, { token, body })
const read = (id: string, token = site.owner.token) =>
  app.request('GET', `/api/cloud/transfers/${id}/`, { token })
const cancel = (id: string, token = site.owner.token) =>
  app.request('DELETE', `/api/cloud/transfers/${id}/`, { token })

describe('a copy is refused', () => {
  it('for callers without a role, and for users who only administer the site', async () => {
    const admin = await app.user('site-admin')
    await app.sql(
      `insert into site_permissions (site_id, user_id, permissions)
       select id, $1, '{admin_site}' from sites where slug = 'stocked'`,
      [admin.id],
    )
    expect((await copy({ slug: 'no' }, other.owner.token)).status).toBe(403)
    expect((await copy({ slug: 'no' }, admin.token)).status).toBe(403)
    expect((await copy({ slug: 'no' }, site.owner.token, 'none')).status).toBe(404)
    expect(await service.tracesOf('no')).toEqual({ sites: 0, schemas: 0, parts: 0 })
  })

  it('for an account with a second factor and an old sign-in', async () => {
    const signedInAt = new Date(Date.now() - 3_600_000)
    const identity = { ...(await app.identity(site.owner)), signedInAt, methods: ['pwd', 'mfa'] as const }
    const config = configOf(app.env)
    const { access } = await signTokens(config, newTokens(config, identity))
    const answer = await copy({ slug: 'no' }, access)
    expect([answer.status, answer.body.detail]).toEqual([
      403,
      'This needs a sign-in within the last 900 seconds. Sign in again.',
    ])
  })

  it('for a slug that is taken or invalid, and for unknown properties', async () => {
    expect(await copy({ slug: 'elsewhere' })).toMatchObject({
      status: 400,
      body: { slug: ['A site with the slug "elsewhere" already exists.'] },
    })
    expect((await copy({ slug: 'No slug' })).status).toBe(400)
    expect((await copy({ slug: 'no', row: true })).status).toBe(400)
  })

  it('for a site that is too large, with the limit and an alternative', async () => {
    const small = app.with({ TRANSFER_BYTES_MAX: '1000' })
    const answer = await small.request('POST', '/api/cloud/sites/stocked/copy/', {
      token: site.owner.token,
      body: { slug: 'no' },
    })
    expect(answer).toMatchObject({ status: 422, body: { error: 'Quota exceeded', code: 'quota_exceeded' } })
    expect(answer.body.detail).toMatch(
      /^The tables of the site have \d+ bytes\. .* 1000 bytes .*tessera sites /,
    )
    expect(await service.tracesOf('no')).toEqual({ sites: 0, schemas: 0, parts: 0 })
  })

  it('for a deleted site', async () => {
    const { token } = other.owner
    await app.request('DELETE', '/api/cloud/sites/elsewhere/', { token })
    expect(await copy({ slug: 'no' }, token, 'elsewhere')).toMatchObject({
      status: 409,
      body: { detail: 'The site is deleted. Restore it first.', code: 'wrong_state' },
    })
    await app.request('POST', '/api/cloud/sites/elsewhere/restore/', { token })
  })
})

describe('a copy of a site', () => {
  it('is equal, even if every step fails once when it is saved', async () => {
    const begun = await copy({ slug: 'twin', name: 'Twin', rows: true, secrets: true, activate: true })
    expect(begun).toMatchObject({
      status: 202,
      body: { kind: 'copy', state: 'running', site: 'twin', progress: { done: 0, total: null } },
    })
    await service.failWhile(`nextval('public.saves') % 2 = 1`)
    expect(await service.drain()).toBeGreaterThan(20)
    await service.failWhile('false')
    expect((await read(begun.body.id)).body).toMatchObject({
      state: 'done',
      progress: { records: 326, edges: 18, secrets: 3 },
      notes: [],
      error: null,
    })
    const made = await contentOf(app, 'twin', site.owner)
    expect(made).toEqual(await contentOf(app, 'stocked', site.owner))
    const exact = ['12345678901234567890.123456789012345678', '"9999-12-31T23:59:59.999999Z"', '"text":""']
    for (const value of exact) expect(made.records['shop/cases']).toContain(value)
    expect(made.settings).toMatchObject({
      environment: 'staging',
      branding: { logo: ['image/png', expect.stringMatching(/^iVBOR/)] },
    })
    // Numbers of new records continue after the greatest one.
    const next = { token: site.owner.token, body: { name: 'Maker 21' } }
    const added = await app.request('POST', '/sites/twin/api/apps/shop/datatables/makers/data/', next)
    expect(added).toMatchObject({ status: 201, body: { data: { id: 21 } } })
    expect(await cancel(begun.body.id)).toMatchObject({
      status: 409,
      body: { detail: 'The transfer has ended already.', code: 'wrong_state' },
    })
    const audit = await app.request('GET', '/api/cloud/organizations/stocked-org/audit/?kind=transfer', {
      token: site.owner.token,
    })
    expect(audit.body.results).toMatchObject([
      { action: 'change', actor: null, object: 'twin', values: { state: { from: 'running', to: 'done' } } },
      { action: 'create', actor: { username: 'stocked-owner' }, object: 'twin' },
    ])
  })

  it('succeeds while records are created together with records that reference them', async () => {
    const named = { name: 'id', type: 'integer' }
    const key = { fields: 'parent_id', reference: { resource: 'a_parents', fields: 'id' } }
    const busy = await createShop(app, 'busy', {
      resources: [
        { name: 'a_parents', schema: { primaryKey: 'id', fields: [named] } },
        {
          name: 'z_children',
          schema: {
            primaryKey: 'id',
            fields: [named, { name: 'parent_id', type: 'integer' }],
            foreignKeys: [key],
          },
        },
      ],
    })
    // Each step of the copy creates a pair when it is saved.
    await app.sql(`create function public.write_here() returns trigger language plpgsql security definer as $$
      begin
        with made as (insert into ${busy.schema}.shop_a_parents default values returning id)
        insert into ${busy.schema}.shop_z_children (parent_id) select id from made;
        return new;
      end $$`)
    await app.sql(`create trigger write_here before update on public.transfers for each row
      when (old.position is distinct from new.position) execute function public.write_here()`)
    const begun = await copy({ slug: 'busy-copy', rows: true }, busy.owner.token, 'busy')
    await service.drain()
    await app.sql('drop trigger write_here on public.transfers')
    expect((await read(begun.body.id, busy.owner.token)).body).toMatchObject({ state: 'done', error: null })
  })

  it('requires a second factor if the site does', async () => {
    const admin = await provenUser(app, 'guarded')
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, 'admin' from sites where slug = 'stocked'`,
      [admin.id],
    )
    const { token } = await withTotp(app, admin)
    // The e-mail about the setting.
    service.jobs.waiting.length = 0
    const requires = (requires_factor: boolean) =>
      app.request('PATCH', '/api/cloud/sites/stocked/', { token, body: { requires_factor } })
    expect((await requires(true)).body).toMatchObject({ requires_factor: true })
    const begun = await copy({ slug: 'guarded', rows: false }, token)
    await service.drain()
    await requires(false)
    expect((await read(begun.body.id, token)).body).toMatchObject({ state: 'done', error: null })
    const made = await app.request('GET', '/api/cloud/sites/guarded/', { token })
    expect(made.body).toMatchObject({ requires_factor: true })
  })

  it('without rows and secrets contains neither, and lists the secrets that functions need', async () => {
    const begun = await copy({ slug: 'empty', rows: false })
    await service.drain()
    expect((await read(begun.body.id)).body).toMatchObject({
      state: 'done',
      progress: { records: 0, edges: 0, secrets: 0 },
      notes: [
        'The function shop/hook has a new signing secret, and lacks the headers X-Key.',
        'The function shop/note lacks the secrets PAY.',
      ],
    })
    const { schemas, settings: whole } = await contentOf(app, 'stocked', site.owner, { secrets: false })
    const settings = { ...whole, environment: 'preview', paused: true }
    const made = await contentOf(app, 'empty', site.owner, { secrets: false })
    expect(made).toMatchObject({ schemas, settings, edges: [], secrets: [] })
    expect(Object.values(made.records)).toEqual(['', '', '', '', ''])
  })
})

describe('a running transfer', () => {
  it('returns 404 to owners of other organizations, like an unknown one', async () => {
    const { id } = (await copy({ slug: 'own' })).body
    const none = await read(crypto.randomUUID())
    for (const ask of [read, cancel])
      expect(await ask(id, other.owner.token)).toMatchObject({ status: 404, body: none.body })
    expect((await read('none')).status).toBe(404)
    expect((await cancel(id)).body).toMatchObject({ state: 'cancelled' })
    await service.drain()
  })

  it('hides its site until it is done, and is erased with all traces if it is cancelled', async () => {
    const { id } = (await copy({ slug: 'half', secrets: true })).body
    await service.failWhile('new.position > 12')
    const [message] = structuredClone(service.jobs.waiting)
    await service.jobs.drain(app.env).catch(() => undefined)
    expect((await read(id)).body).toMatchObject({ state: 'running', progress: { done: 12 } })
    const listing = () => app.request('GET', '/sites/half/api/apps/', { token: site.owner.token })
    expect((await listing()).status).toBe(404)
    const resumed = await app.request('POST', '/api/cloud/sites/half/resume/', { token: site.owner.token })
    expect(resumed.status).toBe(403)
    expect((await cancel(id)).body).toMatchObject({ state: 'cancelled', progress: { done: 12 } })
    await service.failWhile('false')
    // A late message has no effect.
    service.jobs.waiting.push(...(message ? [message] : []))
    await service.drain()
    expect((await listing()).status).toBe(404)
    expect(await service.tracesOf('half')).toEqual({ sites: 0, schemas: 0, parts: 0 })
    expect((await read(id)).body).toMatchObject({ state: 'cancelled' })
  })

  it('continues if its message is lost; the Worker that lost the lease runs no more steps', async () => {
    const { id } = (await copy({ slug: 'lost', secrets: false })).body
    const [message] = service.jobs.waiting.splice(0)
    await app.sql(`update transfers set created = now() - interval '1 hour' where id = $1`, [id])
    await sweepTransfers(app.env)
    expect(service.jobs.waiting).toEqual([message && { body: message.body }])
    // The second Worker takes the lease of the first, which has some steps left.
    const first = service.drain()
    while ((await read(id)).body.progress.done < 3) await new Promise((resolve) => setTimeout(resolve, 50))
    await app.sql(`update transfers set leased_until = now() - interval '1 second' where id = $1`, [id])
    service.jobs.waiting.push(...(message ? [{ body: message.body }] : []))
    await Promise.all([first, service.drain()])
    expect((await read(id)).body).toMatchObject({ state: 'done', progress: { records: 326, edges: 18 } })
    const { records } = await contentOf(app, 'stocked', site.owner, { secrets: false })
    expect(await contentOf(app, 'lost', site.owner, { secrets: false })).toMatchObject({ records })
  })

  it('continues in its site if that gets another slug, and never in a new site with the old slug', async () => {
    const { token } = site.owner
    const { id } = (await copy({ slug: 'moving' })).body
    const [message] = structuredClone(service.jobs.waiting)
    const first = service.drain()
    while ((await read(id)).body.progress.done < 3) await new Promise((resolve) => setTimeout(resolve, 20))
    const renamed = await app.request('PATCH', '/api/cloud/sites/moving/', { token, body: { slug: 'moved' } })
    await app.request('POST', '/api/cloud/organizations/stocked-org/sites/', {
      token,
      body: { name: 'Moving', slug: 'moving' },
    })
    await first
    expect(renamed.status).toBe(200)
    service.jobs.waiting.push(...(message ? [message] : []))
    await service.drain()
    expect((await read(id)).body).toMatchObject({ state: 'done', progress: { records: 326 } })
    const { body } = await app.request('GET', '/sites/moving/api/apps/', { token })
    expect(body.count).toBe(0)
    const { records } = await contentOf(app, 'stocked', site.owner, { secrets: false })
    expect(await contentOf(app, 'moved', site.owner, { secrets: false })).toMatchObject({ records })
  })

  it('fails if the account that began it has ended its sign-ins', async () => {
    const { id } = (await copy({ slug: 'ended' })).body
    await app.sql('update users set generation = generation + 1 where id = $1', [site.owner.id])
    await service.drain()
    site.owner.token = (await app.signedIn(site.owner)).token
    expect((await read(id)).body).toMatchObject({
      state: 'failed',
      error: 'The account that began it was signed out, or has lost the permission.',
    })
    expect(await service.tracesOf('ended')).toEqual({ sites: 0, schemas: 0, parts: 0 })
  })

  it('is one of at most five of an organization', async () => {
    const begun = []
    for (let n = 1; n <= 5; n++) begun.push((await copy({ slug: `many-${n}` })).body.id)
    expect(await copy({ slug: 'many-6' })).toMatchObject({
      status: 422,
      body: { error: 'Quota exceeded', code: 'quota_exceeded' },
    })
    const path = '/api/cloud/organizations/stocked-org/imports/'
    expect(
      await app.request('POST', path, { token: site.owner.token, body: { slug: 'many-7' } }),
    ).toMatchObject({ status: 422, body: { error: 'Quota exceeded', code: 'quota_exceeded' } })
    for (const id of begun) await cancel(id)
    await service.drain()
  })

  it('is refused before its site is created, also beside others: 5 of 20 begin', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => insist(() => copy({ slug: `beside-${n}`, rows: false }))),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(5).fill(202), ...Array(15).fill(422)])
    for (const { status, body } of answers) if (status === 202) await cancel(body.id)
    await service.drain()
  })
})
