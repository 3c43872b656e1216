/** Sites, and the permissions of users in them. T4, T6. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { commitWhenAwaited } from '../support/locks.ts'

let app: TestApp
let site: Site
let owner: User
let helper: User
let target: User
let stranger: User

const call = (method: string, path: string, user: User, body?: unknown) =>
  app.request(method, `/api/cloud/sites/pier${path}`, { token: user.token, ...(body ? { body } : {}) })
const grant = (user: User, permissions: string[]) =>
  app.sql(
    `insert into site_permissions (site_id, user_id, permissions)
     select id, $1, $2 from sites where slug = 'pier'
     on conflict (site_id, user_id) do update set permissions = excluded.permissions`,
    [user.id, permissions],
  )

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'pier')
  await createSite(app, 'other')
  owner = site.owner
  ;[helper, target, stranger] = (await Promise.all(
    ['helper', 'target', 'stranger'].map((name) => app.user(name)),
  )) as [User, User, User]
})

describe('GET /api/cloud/sites/', () => {
  const list = (user: User, query = '') =>
    app.request('GET', `/api/cloud/sites/${query}`, { token: user.token })
  const slugsOf = async (user: User, query = '') =>
    (await list(user, query)).body.results.map(({ slug }: { slug: string }) => slug)

  it('lists no site without permissions, or with a permission that gives no access', async () => {
    const visitor = await app.user('visitor')
    expect(await slugsOf(visitor)).toEqual([])
    await grant(visitor, ['view_site'])
    expect(await slugsOf(visitor)).toEqual([])
    expect((await list(visitor, '?ordering=colour')).status).toBe(400)
  })

  it('lists the sites that the caller can access, with their organization', async () => {
    const visitor = await app.user('second-visitor')
    await grant(visitor, ['access_site'])
    expect(await list(visitor)).toMatchObject({
      status: 200,
      body: {
        count: 1,
        next: null,
        previous: null,
        results: [
          {
            id: expect.any(Number),
            uuid: expect.any(String),
            name: expect.any(String),
            slug: 'pier',
            environment: 'production',
            created: expect.any(String),
            organization: { name: expect.any(String), slug: expect.any(String) },
          },
        ],
      },
    })
    expect(await slugsOf(owner)).toEqual(['pier'])
    expect(await slugsOf(owner, '?search=PIER')).toEqual(['pier'])
    expect(await slugsOf(owner, '?search=other')).toEqual([])
  })
})

describe('GET, PATCH /api/cloud/sites/{slug}/', () => {
  it('returns 404 for an unknown site, 403 to users without a role or permission there', async () => {
    expect((await app.request('GET', '/api/cloud/sites/nowhere/', { token: owner.token })).status).toBe(404)
    expect((await call('GET', '/', stranger)).status).toBe(403)
  })

  it('is readable with any permission, and can be changed with admin_site', async () => {
    await grant(helper, ['view_site'])
    expect(await call('GET', '/', helper)).toMatchObject({
      status: 200,
      body: { slug: 'pier', schema_name: site.schema, environment: 'production', domains: [] },
    })
    expect((await call('PATCH', '/', helper, { name: 'X' })).status).toBe(403)
    await grant(helper, ['admin_site'])
    expect(await call('PATCH', '/', helper, { name: 'Pier 1' })).toMatchObject({
      status: 200,
      body: { name: 'Pier 1', environment: 'production', slug: 'pier' },
    })
    expect(await call('PATCH', '/', owner, { environment: 'staging' })).toMatchObject({
      status: 200,
      body: { name: 'Pier 1', environment: 'staging' },
    })
    expect(
      await call('PATCH', '/', owner, { slug: 'x', enviroment: 'staging', environment: 'moon' }),
    ).toMatchObject({
      status: 400,
      body: {
        enviroment: ['Unknown field. Did you mean "environment"?'],
        environment: ['Must be one of: production, staging, development, preview.'],
      },
    })
  })
})

describe('…/permissions/{user_id}/', () => {
  const read = (user: User, of: User) => call('GET', `/permissions/${of.id}/`, user)
  const set = (user: User, of: User, permissions: string[]) =>
    call('PUT', `/permissions/${of.id}/`, user, { permissions })

  it('returns 403 without manage_site_users, 404 for an unknown user, 400 for an unknown permission', async () => {
    await grant(helper, ['manage_site', 'change_site'])
    expect((await read(helper, target)).status).toBe(403)
    expect((await set(helper, target, [])).status).toBe(403)
    expect((await call('GET', '/permissions/999999/', owner)).status).toBe(404)
    expect((await call('PUT', '/permissions/999999/', owner, { permissions: [] })).status).toBe(404)
    expect(await set(owner, target, ['fly'])).toMatchObject({
      status: 400,
      body: { 'permissions.0': [expect.stringContaining('Must be one of')] },
    })
  })

  it('returns 200, and the new permissions apply from the next request on', async () => {
    expect(await read(owner, target)).toMatchObject({ status: 200, body: { permissions: [] } })
    expect(await set(owner, target, ['change_site', 'access_site', 'access_site'])).toMatchObject({
      status: 200,
      body: { permissions: ['access_site', 'change_site'] },
    })
    expect((await read(owner, target)).body).toEqual({
      permissions: ['access_site', 'change_site'],
      roles: [],
    })
    expect((await app.request('GET', `${site.api}/apps/`, { token: target.token })).status).toBe(200)
    expect((await set(owner, target, [])).body).toEqual({ permissions: [], roles: [] })
    expect((await app.request('GET', `${site.api}/apps/`, { token: target.token })).status).toBe(403)
  })

  it('returns 403 for revoking what another manager grants at the same moment', async () => {
    const manager = await app.user('manager')
    await grant(manager, ['manage_site_users', 'view_site'])
    for (const name of ['granted-before', 'new-here']) {
      const person = await app.user(name)
      if (name === 'granted-before') await grant(person, [])
      const { committed } = await commitWhenAwaited(
        app,
        `insert into public.site_permissions (site_id, user_id, permissions)
         select s.id, ${person.id}, '{admin_site}' from public.sites s where s.slug = 'pier'
         on conflict (site_id, user_id) do update set permissions = excluded.permissions`,
      )
      expect([name, (await set(manager, person, ['view_site'])).status]).toEqual([name, 403])
      await committed
      expect((await read(owner, person)).body.permissions).toEqual(['admin_site'])
    }
  })

  it('returns 403 for granting or revoking permissions that the caller does not have', async () => {
    await grant(helper, ['manage_site_users', 'access_site'])
    await grant(target, ['change_site'])
    expect((await set(helper, helper, ['admin_site'])).status).toBe(403)
    expect((await set(helper, target, ['access_site'])).status).toBe(403)
    expect((await read(owner, target)).body).toEqual({ permissions: ['change_site'], roles: [] })
    await grant(target, [])
    expect((await set(helper, target, ['access_site'])).status).toBe(200)
    expect((await set(helper, target, ['access_site', 'manage_site'])).status).toBe(403)
  })
})
