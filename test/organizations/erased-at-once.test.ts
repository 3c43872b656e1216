/**
 * Sites that are erased at once, the slugs of deleted sites, and the places in the quota that they give back.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { newTokens, signTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { grant } from '../support/fixtures.ts'
import { type HeldQueue, heldQueue } from '../support/queue.ts'

let app: TestApp
let queue: HeldQueue
let quay: Site
let owner: User
let helper: User

const call = (method: string, path: string, { token }: User, body?: unknown) =>
  app.request(method, `/api/cloud/${path}`, { token, ...(body === undefined ? {} : { body }) })

beforeAll(async () => {
  queue = heldQueue()
  app = await startApp({ JOBS: queue.binding as never, QUOTA_SITES: '4' })
  quay = await createSite(app, 'quay')
  owner = quay.owner
  helper = await app.user('helper')
  await grant(app, quay, helper, ['admin_site'])
})

describe('a site that is erased at once', () => {
  const make = (slug: string, environment: string, user = owner, organization = 'quay-org') =>
    call('POST', `organizations/${organization}/sites/`, user, { name: slug, slug, environment })
  const erase = (slug: string, user = owner, typed = slug) =>
    call('DELETE', `sites/${slug}/?now=true&slug=${typed}`, user)

  it('needs an owner with a recent sign-in, and the slug once more', async () => {
    expect((await make('try', 'preview')).status).toBe(201)
    expect((await erase('try', helper)).status).toBe(403)
    const config = configOf(app.env)
    const signedIn = { ...(await app.identity(owner)), signedInAt: new Date(Date.now() - 3_600_000) }
    const old = await signTokens(config, newTokens(config, signedIn))
    expect(await erase('try', { ...owner, token: old.access })).toMatchObject({
      status: 403,
      body: { code: 'fresh_sign_in_required' },
    })
    for (const answer of [
      await erase('try', owner, 'tri'),
      await call('DELETE', 'sites/try/?now=true', owner),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { slug: ['To erase the site at once, send its slug again: now=true&slug=….'] },
      })
    expect((await call('GET', 'sites/try/', owner)).body).toMatchObject({ state: 'active' })
  })

  it('has always been a preview or for development: 409 for one that ever was for something else', async () => {
    await make('stage', 'staging')
    await make('grown', 'development')
    for (const environment of ['production', 'preview'])
      expect((await call('PATCH', 'sites/grown/', owner, { environment })).status).toBe(200)
    for (const slug of ['stage', 'grown', 'quay'])
      expect(await erase(slug)).toMatchObject({
        status: 409,
        body: {
          detail:
            'Only a site that has always been a preview or for development can be erased at once. ' +
            'Delete it without now.',
          code: 'wrong_state',
        },
      })
    expect((await call('GET', 'sites/stage/', owner)).body).toMatchObject({ state: 'active' })
  })

  it('gives its slug back to its organization, and to others after SLUG_HOLD_DAYS', async () => {
    expect(await erase('try')).toMatchObject({ status: 200, body: { slug: 'try', state: 'deleted' } })
    expect((await call('GET', 'sites/try/', owner)).status).toBe(404)
    const other = await createSite(app, 'another')
    for (const answer of [
      await make('try', 'preview', other.owner, 'another-org'),
      await call('PATCH', 'sites/another/', other.owner, { slug: 'try' }),
      await call('POST', 'sites/another/copy/', other.owner, { slug: 'try' }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: {
          slug: ['Another organization had a site with the slug "try" until recently. Choose another slug.'],
        },
      })
    expect((await make('try', 'development')).status).toBe(201)
    await queue.drain(app.env)
    expect((await call('GET', 'sites/try/', owner)).body).toMatchObject({ state: 'active' })
    expect((await erase('try')).status).toBe(200)
    await app.sql(`update slug_holds set held_until = now() where slug = 'try'`)
    expect((await make('try', 'preview', other.owner, 'another-org')).status).toBe(201)
    await queue.drain(app.env)
  })

  it('is one of at most QUOTA_ERASURES in a day', async () => {
    await make('last', 'preview')
    await app.sql(
      `insert into slug_holds (slug, organization_id, held_until, at_once)
       select 'x' || n, (select id from organizations where slug = 'quay-org'), now(), true
         from generate_series(1, 200) n`,
    )
    expect(await erase('last')).toMatchObject({
      status: 422,
      body: {
        detail: 'An organization may erase at most 200 sites at once in a day. Delete the site without now.',
      },
    })
    expect((await call('GET', 'sites/last/', owner)).body).toMatchObject({ state: 'active' })
    expect((await call('DELETE', 'sites/last/', owner)).status).toBe(200)
    await app.sql('delete from slug_holds')
  })

  it('takes no place in the quota, and neither does another deleted one: to restore it needs a place', async () => {
    expect((await make('full', 'preview')).status).toBe(201)
    expect(await call('POST', 'sites/last/restore/', owner)).toMatchObject({
      status: 422,
      body: { detail: 'An organization may have at most 4 sites.' },
    })
    expect((await make('more', 'preview')).status).toBe(422)
    await erase('full')
    expect((await call('POST', 'sites/last/restore/', owner)).status).toBe(200)
    expect((await app.sql(`select from slug_holds where slug = 'last'`)).length).toBe(0)
  })
})
