/** Trusted browsers, which need the second factor only once in some days. S7. */
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteExpiredChallenges } from '../../src/kernel/access/second-factor/store.ts'
import { openDatabase } from '../../src/kernel/db/client.ts'
import { configOf } from '../../src/kernel/env.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Guarded, password, provenUser, unusedCode, withTotp } from '../support/factors.ts'
import { linkTokenOf } from '../support/letters.ts'
import { commitWhenAwaited, hold, untilWaiting } from '../support/locks.ts'

let app: TestApp
let count = 0

const origin = 'http://localhost'
const post = (path: string, body: unknown, headers: Record<string, string> = {}, token?: string) =>
  app.request('POST', path, { body, headers, ...(token ? { token } : {}) })
const guarded = async (): Promise<Guarded> => withTotp(app, await provenUser(app, `person-${count++}`))
const signIn = (user: Guarded, cookie = '', secret = password) =>
  post('/api/auth/session/', { username: user.username, password: secret }, cookie ? { cookie } : {})
const cookieIn = (answer: { headers: Headers }, name: string) =>
  answer.headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}=`))
    ?.split(';')[0] as string
const rows = (user: Guarded) =>
  app.sql<{ hash: string }>('select * from trusted_devices where user_id = $1', [user.id])

/** Signs in with both factors and trusts the browser, which may have a cookie. Returns its trust cookie. */
async function trust(user: Guarded, present = ''): Promise<string> {
  const { challenge } = (await signIn(user)).body
  const answer = await post(
    '/api/auth/session/factor/',
    { challenge, code: await unusedCode(app, user), trust_device: true },
    present ? { cookie: present } : {},
  )
  expect(answer.status).toBe(200)
  return cookieIn(answer, 'trusteddevice')
}

const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = { origin }) =>
  app.request('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

beforeAll(async () => {
  app = await startApp({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: origin,
    RATE_LIMIT_PASSWORD: '500',
    RATE_LIMIT_ANONYMOUS: '1000',
  })
})

describe('a browser is not trusted', () => {
  it('without asking for it, with a wrong code, and where the service trusts no devices', async () => {
    const user = await guarded()
    const { challenge } = (await signIn(user)).body
    const wrong = await post('/api/auth/session/factor/', { challenge, code: '1', trust_device: true })
    expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([400, []])
    const off = app.with({ TRUSTED_DEVICE_DAYS: '0' })
    const refused = await off.request('POST', '/api/auth/session/factor/', {
      body: { challenge, code: '1', trust_device: true },
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { trust_device: ['This service does not trust devices.'] },
    })
    const right = await post('/api/auth/session/factor/', { challenge, code: await unusedCode(app, user) })
    expect(cookieIn(right, 'trusteddevice')).toBeUndefined()
    expect(await rows(user)).toEqual([])
  })

  it('by the cookie of another account, a made-up cookie, or a part of a cookie', async () => {
    const [user, other] = [await guarded(), await guarded()]
    const cookie = await trust(other)
    const token = cookie.slice('trusteddevice='.length)
    const planted = 'A'.repeat(43)
    for (const value of [
      token,
      planted,
      token.slice(1),
      `${token}x`,
      '.'.repeat(5000),
      `${planted}.${planted}`,
    ])
      expect((await signIn(user, `trusteddevice=${value}`)).status).toBe(403)
    const mine = await trust(user, `trusteddevice=${planted}`)
    expect((await signIn(user, `trusteddevice=${planted}`)).status).toBe(403)
    expect((await signIn(user, mine)).status).toBe(200)
  })

  it('with a wrong password: the trust replaces the second factor only', async () => {
    const user = await guarded()
    expect((await signIn(user, await trust(user), 'Wrong-horse-1')).status).toBe(401)
  })

  it('for tokens of programs, whose requests have no page', async () => {
    const user = await guarded()
    const cookie = await trust(user)
    const body = { username: user.username, password }
    expect((await post('/api/auth/jwt/token/', body, { cookie })).status).toBe(403)
  })
})

describe('a trusted browser', () => {
  it('signs in with the password alone; only a hash is stored; auth_time stays that of the factor', async () => {
    const user = await guarded()
    const cookie = await trust(user)
    const [row] = await rows(user)
    expect(row?.hash).toMatch(/^[0-9a-f]{64}$/)
    await app.sql(`update trusted_devices set created = now() - interval '2 days' where user_id = $1`, [
      user.id,
    ])
    const answer = await signIn(user, cookie)
    expect([answer.status, answer.body.user.username]).toEqual([200, user.username])
    const claims = decodeJwt(cookieIn(answer, 'sessionid').slice('sessionid='.length))
    expect(claims.amr).toEqual(['pwd', 'mfa'])
    expect(Date.now() / 1000 - (claims.auth_time as number)).toBeGreaterThan(86_400)
  })

  it('needs the factor for dangerous operations: signing in again while signed in asks for it', async () => {
    const user = await guarded()
    const cookie = await trust(user)
    await app.sql(`update trusted_devices set created = now() - interval '2 days' where user_id = $1`, [
      user.id,
    ])
    const session = cookieIn(await signIn(user, cookie), 'sessionid')
    const refused = await send('/accounts/second-factor/app/remove/', {}, { origin, cookie: session })
    expect(refused.status).toBe(403)
    const [still] = await app.sql('select 1 from totp_secrets where user_id = $1', [user.id])
    expect(still).toBeDefined()
    const change = await send(
      '/accounts/me/password/',
      { current_password: password, password: 'Another-horse-2' },
      { origin, cookie: session },
    )
    expect(change.status).toBe(403)
    const again = await signIn(user, `${cookie}; ${session}`)
    expect([again.status, again.body.factors]).toEqual([403, ['totp', 'recovery_code']])
  })

  it('can be trusted by several accounts, the newest five', async () => {
    const users = [await guarded(), await guarded(), await guarded()]
    let cookie = ''
    for (const user of users) cookie = await trust(user, cookie)
    for (const user of users) expect((await signIn(user, cookie)).status).toBe(200)
    expect(cookie.split('.')).toHaveLength(3)
  })

  it('is trusted for TRUSTED_DEVICE_DAYS, with a cookie that scripts cannot read', async () => {
    const user = await guarded()
    const { challenge } = (await signIn(user)).body
    const answer = await post('/api/auth/session/factor/', {
      challenge,
      code: await unusedCode(app, user),
      trust_device: true,
    })
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('trusteddevice='))
    expect(cookie).toMatch(/^trusteddevice=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    await app.sql(`update trusted_devices set expires_at = now() - interval '1 second' where user_id = $1`, [
      user.id,
    ])
    expect((await signIn(user, cookie?.split(';')[0])).status).toBe(403)
    await openDatabase(configOf(app.env)).batch({ deleteExpiredChallenges }, 10_000)
    expect(await rows(user)).toEqual([])
  })

  it('is one of at most twenty of an account', async () => {
    const user = await guarded()
    for (let each = 0; each < 22; each++)
      await app.sql(`select trust_device($1, $2, null, null, 30)`, [user.id, `hash ${user.id} ${each}`])
    const kept = await rows(user)
    expect([kept.length, kept[0]?.hash]).toEqual([20, `hash ${user.id} 2`])
  })
})

describe('the trust in a browser ends', () => {
  const change = (user: Guarded, secret: string) =>
    post('/api/auth/password/change/', { current_password: password, password: secret }, {}, user.token)
  const another = 'Another-horse-2'

  it.each<[string, (user: Guarded) => Promise<unknown>, string]>([
    ['a new password', (user) => change(user, another), another],
    [
      'a reset of the password',
      async (user) => {
        await post('/api/auth/password/reset/', { email: user.email })
        const token = await linkTokenOf(app, user.email)
        return post('/api/auth/password/reset/confirm/', { token, password: another })
      },
      another,
    ],
    [
      'the account being switched off, also when it is on again',
      async (user) => {
        await app.sql('update users set is_active = false where id = $1', [user.id])
        await app.sql('update users set is_active = true where id = $1', [user.id])
      },
      password,
    ],
    [
      'a planned deletion',
      (user) => app.request('DELETE', '/api/users/me/', { token: user.token }),
      password,
    ],
    [
      'the removal of a factor, also with another one set up later',
      async (user) => {
        await app.request('DELETE', '/api/users/me/totp/', { token: user.token })
        Object.assign(user, await withTotp(app, user))
      },
      password,
    ],
  ])('with %s', async (_, end, secret) => {
    const user = await guarded()
    const cookie = await trust(user)
    expect((await signIn(user, cookie)).status).toBe(200)
    await end(user)
    expect(await rows(user)).toEqual([])
    expect((await signIn(user, cookie, secret)).status).toBe(403)
  })

  it('with the deletion of the account', async () => {
    const user = await guarded()
    await trust(user)
    await app.sql('delete from users where id = $1', [user.id])
    expect(await rows(user)).toEqual([])
  })

  it('if the password changes while the code is checked, in either order', async () => {
    const user = await guarded()
    const { challenge } = (await signIn(user)).body
    const code = await unusedCode(app, user)
    const { committed } = await commitWhenAwaited(
      app,
      `update users set generation = generation + 1 where id = ${user.id}`,
    )
    const answer = await post('/api/auth/session/factor/', { challenge, code, trust_device: true })
    await committed
    expect([answer.status, await rows(user)]).toEqual([400, []])
    const second = await guarded()
    const begun = (await signIn(second)).body.challenge
    const release = await hold(app, `perform from users where id = ${second.id} for share`)
    const body = { challenge: begun, code: await unusedCode(app, second), trust_device: true }
    const finishing = post('/api/auth/session/factor/', body)
    await untilWaiting(app)
    // The statement that waits for the table runs before the request reads the account again.
    const ending = app.sql(`do $$ begin lock table users;
      update users set generation = generation + 1 where id = ${second.id}; end $$`)
    await untilWaiting(app, 2)
    await release()
    await ending
    expect(await finishing).toMatchObject({
      status: 401,
      body: { detail: 'The credentials are invalid or have expired.', code: 'invalid_credentials' },
    })
    expect(await rows(second)).toEqual([])
  })

  it('by its owner, for one browser or all; nobody sees or ends that of others', async () => {
    const [user, other] = [await guarded(), await guarded()]
    const [first, second] = [await trust(user), await trust(user)]
    const list = (by: Guarded) => app.request('GET', '/api/users/me/trusted-devices/', { token: by.token })
    const { body } = await list(user)
    expect(body.results).toEqual([
      {
        id: expect.any(Number),
        device: null,
        country: null,
        created: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
      },
      expect.any(Object),
    ])
    expect((await list(other)).body.count).toBe(0)
    const end = (by: Guarded, id?: number) =>
      app.request('DELETE', `/api/users/me/trusted-devices/${id === undefined ? '' : `${id}/`}`, {
        token: by.token,
      })
    const [{ id }] = await app
      .sql<{ id: number }>('select id from trusted_devices where user_id = $1 order by id', [user.id])
      .then((found) => found as [{ id: number }])
    expect((await end(other, id)).status).toBe(404)
    expect((await end(user, id)).status).toBe(204)
    expect((await end(user, id)).status).toBe(404)
    expect([(await signIn(user, first)).status, (await signIn(user, second)).status]).toEqual([403, 200])
    expect((await end(user)).status).toBe(204)
    expect((await signIn(user, second)).status).toBe(403)
  })
})

describe('the pages of trusted browsers', () => {
  it('offer the trust as a checkbox, and list and end it; a form of another site does not', async () => {
    const user = await guarded()
    const login = (headers: Record<string, string>) =>
      send('/accounts/login/', { username: user.username, password, next: '/accounts/me/' }, headers)
    const asked = await login({ origin })
    expect(asked.text).toContain('Trust this browser for 30 days')
    const challenge = /name="challenge" value="([^"]+)"/.exec(asked.text)?.[1] as string
    const code = await unusedCode(app, user)
    const fields = { challenge, code, next: '/accounts/me/', trust_device: 'true' }
    expect((await send('/accounts/factor/', fields, { origin: 'https://evil.test' })).status).toBe(403)
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const done = await send('/accounts/factor/', fields, { origin, 'user-agent': firefox })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/accounts/me/'])
    const cookie = cookieIn(done, 'trusteddevice')
    const again = await login({ origin, cookie })
    expect(again.status).toBe(303)
    const session = cookieIn(again, 'sessionid')
    const own = (language: string) =>
      app.request('GET', '/accounts/me/', { headers: { cookie: session, 'accept-language': language } })
    expect((await own('en')).text).toContain('Stop trusting: Firefox on Linux')
    expect((await own('de')).text).toContain('Browser, denen Sie vertrauen')
    const [{ id }] = (await app.sql('select id from trusted_devices where user_id = $1', [user.id])) as [
      { id: string },
    ]
    const ended = await send('/accounts/me/trusted-devices/end/', { id }, { origin, cookie: session })
    expect(ended.headers.get('location')).toBe('/accounts/me/?done=trustEnded')
    expect(await rows(user)).toEqual([])
  })

  it('have no checkbox where the service trusts no devices', async () => {
    const user = await guarded()
    const asked = await app.with({ TRUSTED_DEVICE_DAYS: '0' }).request('POST', '/accounts/login/', {
      body: new URLSearchParams({ username: user.username, password }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    })
    expect([asked.status, asked.text.includes('trust_device')]).toEqual([403, false])
  })
})
