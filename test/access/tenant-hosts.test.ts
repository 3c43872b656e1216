/** Superusers, trusted browsers and known browsers at a tenant's host. A8. */
import { beforeAll, describe, expect, it } from 'vitest'
import { password } from '../support/factors.ts'
import {
  cookieOf,
  type Host,
  type Hosts,
  hosts,
  platformHost,
  sessionOf,
  startHosts,
  tenantHost,
} from '../support/sign-in-hosts.ts'

let world: Hosts

beforeAll(async () => {
  world = await startHosts()
})

describe('a superuser', () => {
  it('gets 403 with the address of the service at a tenant’s host, and the page leads there; no session and no token', async () => {
    const root = await world.person()
    const earlier = (await world.signIn(tenantHost, root)).body
    await world.app.sql('update users set is_superuser = true where id = $1', [root.id])
    const address = 'https://app.tessera.example/sites/shop/accounts/login/'
    const detail = `Superusers do not sign in at domains of sites. Sign in at the address of the service: ${address}`
    const { username } = root
    for (const path of ['/api/auth/jwt/token/', '/api/auth/session/']) {
      const answer = await world.post(tenantHost, path, { username, password })
      expect([path, answer.status, answer.body, answer.headers.getSetCookie()]).toEqual([
        path,
        403,
        { detail, code: 'sign_in_elsewhere' },
        [],
      ])
      expect((await world.post(tenantHost, path, { username, password: 'wrong' })).status).toBe(401)
    }
    expect(await world.byProvider(tenantHost, root)).toMatchObject({
      status: 403,
      body: { detail, code: 'sign_in_elsewhere' },
    })
    const page = await world.form(tenantHost, '/accounts/login/', { username, password })
    expect([page.status, page.headers.get('location'), page.headers.getSetCookie()]).toEqual([
      303,
      address,
      [],
    ])
    const shown = await world.app.request('GET', `${tenantHost}/accounts/login/`)
    expect(shown.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://app.tessera.example;",
    )
    expect(
      (await world.app.request('GET', `${platformHost}/api/users/me/`, { token: earlier.access })).status,
    ).toBe(401)
    const change = await world.app.request('POST', `${tenantHost}/api/auth/password/change/`, {
      token: root.token,
      body: { current_password: password, password: 'Another-horse-2' },
    })
    expect([change.status, (await world.signIn(platformHost, root)).status]).toEqual([403, 200])
  })
})

describe('the trust in a browser', () => {
  it('is neither given nor accepted at a tenant’s host, and its page does not offer it', async () => {
    const user = await world.guarded()
    const begin = async (at: string, cookie = '') =>
      world.post(at, '/api/auth/session/', { username: user.username, password }, { cookie })
    const finish = async (at: string) => {
      const { challenge } = (await begin(at)).body
      const code = user.recoveryCodes.pop()
      return world.post(at, '/api/auth/session/factor/', { challenge, code, trust_device: true })
    }
    const refused = await finish(tenantHost)
    expect([refused.status, refused.body]).toEqual([
      400,
      { trust_device: ['Devices are trusted at the address of the service only.'] },
    ])
    const page = await world.form(tenantHost, '/accounts/login/', { username: user.username, password })
    expect([page.status, page.text.includes('trust_device')]).toEqual([403, false])
    const cookie = `trusteddevice=${cookieOf((await finish(platformHost)).headers, 'trusteddevice')}`
    expect([(await begin(platformHost, cookie)).status, (await begin(tenantHost, cookie)).status]).toEqual([
      200, 403,
    ])
  })

  it('and the cookie of a known browser count at the host that has set them', async () => {
    const { username } = await world.person()
    const first = await world.form(tenantHost, '/accounts/login/', { username, password })
    const device = cookieOf(first.headers, 'deviceid')
    expect(sessionOf(first).session).toBeDefined()
    const again = async (at: Host) =>
      cookieOf(
        (await world.form(at, `${hosts[at]}/accounts/login/`, { username, password }, `deviceid=${device}`))
          .headers,
        'deviceid',
      )
    expect([(await again(tenantHost)) === device, (await again(platformHost)) === device]).toEqual([
      true,
      false,
    ])
  })
})

describe('a secret that is not public', () => {
  it('is no longer read from a cache once the domain of the sign-in belongs to another organization', async () => {
    const { app, shop } = world
    const secret = { secret_type: 'api-key', key: 'CACHED', value: { api_key: 'x' } }
    const made = await app.request('POST', `${shop.api}/secrets/`, { token: shop.owner.token, body: secret })
    expect(made.status).toBe(201)
    const { access } = (await world.signIn(tenantHost, await world.person())).body
    const read = async () =>
      (await app.request('GET', `${platformHost}${shop.api}/secrets/CACHED/`, { token: access })).status
    const move = (slug: string) =>
      app.sql(
        `update site_domains set site_id = (select id from sites where slug = $1) where domain = 'shop.example'`,
        [slug],
      )
    expect([await read(), await read()]).toEqual([200, 200])
    await move('theirs')
    expect(await read()).toBe(401)
    await move('shop')
    expect(await read()).toBe(200)
  })
})
