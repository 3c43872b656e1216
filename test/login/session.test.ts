/** Sessions with a cookie. A3, A5. */
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../src/kernel/access/passwords.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let ada: User
const password = 'Correct-horse-1'
const https = 'https://tessera.test'

const signIn = (origin = https, body: unknown = { username: 'ada', password }, of = app) =>
  of.request('POST', `${origin}/api/auth/session/`, { body })
const signOut = (cookie: string, headers: Record<string, string> = { origin: https }) =>
  app.request('DELETE', `${https}/api/auth/session/`, { headers: { cookie, ...headers } })

async function session(): Promise<string> {
  const { headers } = await signIn()
  return headers.get('set-cookie')?.split(';')[0] as string
}

beforeAll(async () => {
  app = await startApp()
  ada = await app.user('ada', { password })
})

describe('POST /api/auth/session/', () => {
  it('returns 400 for an invalid body and 401 for a wrong password, as for a token pair', async () => {
    expect(await signIn(https, {})).toMatchObject({
      status: 400,
      body: { username: ['This field is required.'], password: ['This field is required.'] },
    })
    const refused = await signIn(https, { username: 'ada', password: 'Wrong-horse-1' })
    expect([refused.status, refused.body, refused.headers.get('set-cookie')]).toEqual([
      401,
      { detail: 'No active account was found with these credentials.', code: 'sign_in_failed' },
      null,
    ])
  })

  it('returns 200 {user} and the cookie sessionid: HttpOnly, SameSite=Lax, Path=/, Secure on https', async () => {
    const { status, body, headers } = await signIn()
    expect([status, body]).toEqual([
      200,
      { user: expect.objectContaining({ id: ada.id, username: 'ada', email: ada.email }) },
    ])
    expect(headers.get('set-cookie')).toMatch(
      /^sessionid=[\w.-]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await signIn('http://localhost')).headers.get('set-cookie')).not.toContain('Secure')
  })
})

describe('a request with the session cookie', () => {
  it.each([
    ['no Origin and no Sec-Fetch-Site', {}],
    ['another Origin', { origin: 'https://evil.test' }],
    ['another scheme', { origin: 'http://tessera.test' }],
    ['another port', { origin: 'https://tessera.test:8443' }],
    ['a host that begins like ours', { origin: 'https://tessera.test.evil.test' }],
    ['a subdomain', { origin: 'https://a.tessera.test' }],
    ['the Origin null', { origin: 'null' }],
    [
      'another Origin, whatever Sec-Fetch-Site says',
      { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
    ],
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }],
  ])('gets 403 for an unsafe method with %s', async (_what, headers) => {
    const cookie = await session()
    const refused = await signOut(cookie, headers as Record<string, string>)
    expect([refused.status, refused.body]).toEqual([
      403,
      { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    ])
    expect((await signOut(cookie)).status).toBe(204)
  })

  it('can use an unsafe method with an Origin of the same host, and with Sec-Fetch-Site: same-origin', async () => {
    expect((await signOut(await session(), { origin: https })).status).toBe(204)
    expect((await signOut(await session(), { 'sec-fetch-site': 'same-origin' })).status).toBe(204)
  })

  it('gets 401 at operations that do not accept sessions', async () => {
    const cookie = await session()
    expect((await app.request('GET', `${https}/api/users/me/`, { headers: { cookie } })).status).toBe(401)
  })

  it('gets 401 with an access token in the cookie, and with a session as a bearer token', async () => {
    expect((await signOut(`sessionid=${ada.token}`)).status).toBe(401)
    const cookie = await session()
    expect(
      (await app.request('GET', '/api/users/me/', { token: cookie.replace('sessionid=', '') })).status,
    ).toBe(401)
  })
})

describe('POST /api/auth/session/token/', () => {
  const exchange = (cookie: string, headers: Record<string, string> = { origin: https }) =>
    app.request('POST', `${https}/api/auth/session/token/`, { headers: { cookie, ...headers } })
  const readMe = (token: string) => app.request('GET', '/api/users/me/', { token })

  it('returns 401 without a session and with a token, and 403 for a request of another page', async () => {
    const path = `${https}/api/auth/session/token/`
    expect((await app.request('POST', path)).status).toBe(401)
    expect((await app.request('POST', path, { token: (await app.user('bo')).token })).status).toBe(401)
    for (const headers of [{}, { origin: 'https://evil.test' }, { 'sec-fetch-site': 'same-site' }])
      expect(await exchange(await session(), headers as Record<string, string>)).toMatchObject({
        status: 403,
        body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
      })
  })

  it('returns 200 with an access token for five minutes, which the other operations accept', async () => {
    const { status, body } = await exchange(await session())
    expect([status, body]).toEqual([
      200,
      { access: expect.any(String), token_type: 'Bearer', expires_in: 300 },
    ])
    const { iat, exp } = decodeJwt(body.access)
    expect(Number(exp) - Number(iat)).toBe(300)
    expect((await readMe(body.access)).status).toBe(200)
  })

  it('returns a token that ends with its session, and not with another one', async () => {
    const [one, two] = [await session(), await session()]
    const [ofOne, ofTwo] = [(await exchange(one)).body.access, (await exchange(two)).body.access]
    expect((await signOut(one)).status).toBe(204)
    expect((await exchange(one)).status).toBe(401)
    expect(await readMe(ofOne)).toMatchObject({
      status: 401,
      body: { detail: 'The credentials are invalid or have expired.', code: 'invalid_credentials' },
    })
    expect((await readMe(ofTwo)).status).toBe(200)
  })

  it('returns a token that is no session: as the cookie it gets 401', async () => {
    const { body } = await exchange(await session())
    expect((await exchange(`sessionid=${body.access}`)).status).toBe(401)
  })
})

describe('DELETE /api/auth/session/', () => {
  it('returns 401 without a session', async () => {
    expect(await app.request('DELETE', `${https}/api/auth/session/`)).toMatchObject({
      status: 401,
      body: { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
    })
  })

  it('returns 204 and removes the cookie; copies of the cookie are rejected, and other sessions continue', async () => {
    const [one, two] = [await session(), await session()]
    const ended = await signOut(one)
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^sessionid=; Max-Age=0; Path=\//),
    ])
    expect((await signOut(one)).status).toBe(401)
    expect((await signOut(two)).status).toBe(204)
  })

  it('returns 401 once the account is deactivated', async () => {
    const cookie = await session()
    await app.sql('update users set is_active = false where id = $1', [ada.id])
    expect((await signOut(cookie)).status).toBe(401)
    await app.sql('update users set is_active = true where id = $1', [ada.id])
    expect((await signOut(cookie)).status).toBe(401)
    expect((await signOut(await session())).status).toBe(204)
  })
})

describe('an outdated hash of a password', () => {
  const stored = async () =>
    (await app.sql<{ password_hash: string }>('select password_hash from users where id = $1', [ada.id]))[0]
      ?.password_hash

  it('is replaced when the owner signs in, and not after a wrong password', async () => {
    const weak = await hashPassword(password, 12)
    await app.sql('update users set password_hash = $1 where id = $2', [weak, ada.id])
    await signIn(https, { username: 'ada', password: 'Wrong-horse-1' }, app.with({ PASSWORD_COST: '' }))
    expect(await stored()).toBe(weak)
    const costly = app.with({ PASSWORD_COST: '' })
    expect((await signIn(https, undefined, costly)).status).toBe(200)
    expect(await stored()).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/)
    const strong = await stored()
    expect((await signIn()).status).toBe(200)
    expect(await stored()).toBe(strong)
  })
})
