/** Sites and organizations that require a second factor of their people. S7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf, secretBytes } from '../../dev/examples/totp.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { type Guarded, password, provenUser, withTotp } from '../support/factors.ts'
import { createSecretSite, roundTrips, type SecretSite } from '../support/secrets.ts'

let app: TestApp
let site: SecretSite
let owner: Guarded
let count = 0

const needed = {
  status: 403,
  body: {
    detail:
      'This site requires a second factor, and your account has none. Set up an authenticator app or a ' +
      'passkey: on the page /accounts/second-factor/, or with POST /api/users/me/totp/.',
    code: 'second_factor_missing',
  },
}
const answerOf = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
const ask = async (method: string, path: string, user: User, body?: unknown) =>
  answerOf(await app.request(method, path, { token: user.token, ...(body ? { body } : {}) }))
const organization = '/api/cloud/organizations/acme-org/'
const ofSite = '/api/cloud/sites/acme/'
const require_ = (path: string, requires_factor: boolean, user: User = owner) =>
  ask('PATCH', path, user, { requires_factor })
const apps = (user: User) => ask('GET', `${site.api}/apps/`, user)

/** Creates a user with permissions in the site. */
async function person(permissions: string[] = ['access_site']): Promise<User> {
  const user = await provenUser(app, `person-${count++}`)
  await app.sql(
    `insert into site_permissions (site_id, user_id, permissions)
     select id, $1, $2 from sites where slug = 'acme'`,
    [user.id, permissions],
  )
  return user
}

async function member(role: string): Promise<User> {
  const user = await provenUser(app, `member-${count++}`)
  await app.sql(
    `insert into memberships (organization_id, user_id, role)
     select organization_id, $1, $2 from sites where slug = 'acme'`,
    [user.id, role],
  )
  return user
}

const send = (path: string, fields: Record<string, string>, cookie = '') =>
  app.request('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'http://localhost',
      ...(cookie ? { cookie } : {}),
    },
  })

beforeAll(async () => {
  app = await startApp({ RATE_LIMIT_PASSWORD: '100' })
  site = await createSecretSite(app, 'acme')
  await app.sql('update users set email_verified_at = now(), password_is_own = true where id = $1', [
    site.owner.id,
  ])
})

describe('requires_factor of a site and of an organization', () => {
  it('returns 403 for a caller without a second factor, so that nobody is locked out', async () => {
    for (const path of [ofSite, organization]) {
      expect(await require_(path, true, site.owner)).toEqual(needed)
      expect((await ask('GET', path, site.owner)).body).toMatchObject({ requires_factor: false })
    }
    owner = await withTotp(app, site.owner)
    site.owner = owner
  })

  it('returns 403 for a caller who may not change the site or organization, and 400 for a value that is not a boolean', async () => {
    const manager = await person(['manage_site'])
    expect((await require_(ofSite, true, manager)).status).toBe(403)
    expect((await require_(organization, true, manager)).status).toBe(403)
    for (const path of [ofSite, organization])
      expect(await ask('PATCH', path, owner, { requires_factor: 'yes' })).toEqual({
        status: 400,
        body: { requires_factor: ['Must be true or false.'] },
      })
  })
})

describe.each([
  ['site', ofSite],
  ['organization', organization],
])('a %s that requires a second factor', (kind, path) => {
  it('returns 403 to its people without one, and says what is needed; strangers do not learn it', async () => {
    const [reader, admin, plain] = [await person(), await member('admin'), await member('member')]
    const stranger = await app.user(`stranger-${kind}`)
    expect((await apps(reader)).status).toBe(200)
    expect(await require_(path, true)).toMatchObject({ status: 200, body: { requires_factor: true } })
    for (const user of [reader, admin, plain]) expect(await apps(user)).toEqual(needed)
    expect(await apps(owner)).toMatchObject({ status: 200 })
    expect(await apps(stranger)).toEqual({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    })
    expect(await ask('GET', ofSite, admin)).toEqual(needed)
    expect(await ask('PATCH', ofSite, admin, { requires_factor: false })).toEqual(needed)
    const ofOrganization = await ask('GET', organization, plain)
    expect(ofOrganization.status).toBe(kind === 'organization' ? 403 : 200)
    expect((await ask('GET', '/api/users/', admin)).status).toBe(kind === 'organization' ? 403 : 200)
    expect((await ask('GET', '/api/users/me/', reader)).status).toBe(200)
    await require_(path, false)
    expect((await apps(reader)).status).toBe(200)
  })

  it('refuses API keys of accounts without one, until their owner sets one up', async () => {
    const user = await person(['access_site', 'change_site'])
    const { body } = await app.request('POST', `${site.api}/api-keys/`, {
      token: user.token,
      body: { name: 'till' },
    })
    const subscribers = async () =>
      answerOf(
        await app.request('GET', `${site.api}/cloud/events/`, {
          headers: { authorization: `Api-Key ${body.key}` },
        }),
      )
    const before = await subscribers()
    await require_(path, true)
    expect(await subscribers()).toEqual(needed)
    await withTotp(app, user)
    expect(await subscribers()).toEqual(before)
    await require_(path, false)
  })

  it('refuses at once callers that caches know, and again when the factor is removed', async () => {
    const key = `CACHED_${kind}`
    await site.ask('POST', '/secrets/', { secret_type: 'private', key, value: { v: 1 } }, owner)
    const user = await person()
    const read = (by: User) => app.request('GET', `${site.api}/secrets/${key}/`, { token: by.token })
    await read(user)
    const cached = await read(user)
    expect([cached.status, roundTrips(cached)]).toEqual([200, 0])
    await require_(path, true)
    const refused = await read(user)
    expect([refused.status, refused.body.detail]).toEqual([403, needed.body.detail])
    const guarded = await withTotp(app, user)
    await read(guarded)
    expect(roundTrips(await read(guarded))).toBe(0)
    expect((await ask('DELETE', '/api/users/me/totp/', guarded)).status).toBe(204)
    expect((await read(guarded)).status).toBe(403)
    await require_(path, false)
  })
})

it('a required second factor applies to owners and superusers too', async () => {
  const other = await member('owner')
  const root = await app.user('root', { superuser: true })
  await require_(organization, true)
  for (const user of [other, root]) {
    expect(await ask('POST', `${ofSite}suspend/`, user)).toEqual(needed)
    expect(await ask('DELETE', organization, user)).toEqual(needed)
    expect(await apps(user)).toEqual(needed)
  }
  await require_(organization, false)
})

it('an account that loses its factor during a request is refused in the next one', async () => {
  const user = await withTotp(app, await person())
  await require_(ofSite, true)
  expect((await apps(user)).status).toBe(200)
  await Promise.all([ask('DELETE', '/api/users/me/totp/', user), apps(user), apps(user)])
  expect(await apps(user)).toEqual(needed)
  await require_(ofSite, false)
})

describe('the pages for a required second factor', () => {
  const login = (username: string) =>
    send('/sites/acme/accounts/login/', { username, password, next: '/sites/acme/api/docs/' })

  it('redirect a person without a factor to the page that sets one up, with a reason, and then to the site', async () => {
    const user = await person()
    await require_(ofSite, true)
    const signedIn = await login(user.username)
    expect(signedIn.status).toBe(303)
    const to = signedIn.headers.get('location') as string
    expect(to).toBe('/sites/acme/accounts/second-factor/?required=true')
    const cookie = /sessionid=[^;]+/.exec(signedIn.headers.getSetCookie().join())?.[0] as string
    const open = (path: string, language = 'en') =>
      app.request('GET', path, { headers: { cookie, 'accept-language': language } })
    expect((await open(to)).text).toContain('This site requires a second factor.')
    expect((await open(to, 'de')).text).toContain('Diese Site verlangt von Ihnen einen zweiten Faktor.')
    expect((await open('/sites/acme/accounts/second-factor/')).text).not.toContain('requires a second factor')
    const begun = await send('/sites/acme/accounts/second-factor/app/', {}, cookie)
    const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(begun.text)?.[1] as string
    const code = codeOf(secretBytes(secret.replaceAll(' ', '')))
    const done = await send('/sites/acme/accounts/second-factor/app/confirm/', { code }, cookie)
    expect(done.status).toBe(200)
    const after = /sessionid=[^;]+/.exec(done.headers.getSetCookie().join())?.[0] as string
    const next = await app.request('GET', '/sites/acme/accounts/second-factor/?required=true', {
      headers: { cookie: after },
    })
    expect(next.text).not.toContain('This site requires')
    await require_(ofSite, false)
  })

  it('redirect others to the requested page', async () => {
    const stranger = await provenUser(app, 'passer-by')
    const user = await person()
    expect((await login(user.username)).headers.get('location')).toBe('/sites/acme/api/docs/')
    await require_(ofSite, true)
    expect((await login(stranger.username)).headers.get('location')).toBe('/sites/acme/api/docs/')
    await require_(ofSite, false)
  })
})

it('the audit log contains the change of requires_factor', async () => {
  const { body } = await ask('GET', `${organization}audit/?kind=organization`, owner).then((a) => a as never)
  expect((body as { results: unknown[] }).results).toContainEqual(
    expect.objectContaining({
      changed: ['requires_factor'],
      values: { requires_factor: { from: false, to: true } },
    }),
  )
})
