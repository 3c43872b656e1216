/** Signing in with a browser. S6. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { roundTrips } from '../support/secrets.ts'
import { codeFor, createSocialSite, openIdApp, type SocialSite, verified } from '../support/social-login.ts'
import { walkThrough } from '../support/walk.ts'

let app: TestApp
let site: SocialSite
const password = 'Correct-horse-1'
const https = 'https://tessera.test'

const get = (path: string, headers: Record<string, string> = {}) => app.request('GET', path, { headers })
const post = (
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = { origin: 'http://localhost' },
) =>
  app.request('POST', path, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const signIn = (form: Record<string, string>, headers?: Record<string, string>) =>
  post('/sites/pages/accounts/login/', form, headers)
const cookieOf = (answer: Awaited<ReturnType<typeof get>>, name: string) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0] ?? ''
const alertOf = (page: string) => /role="alert"[^>]*>([^<]+)</.exec(page)?.[1]

/** Starts a sign-in in a browser. */
async function startSignIn(next = '', handle = 'one') {
  const answer = await get(
    `/sites/pages/accounts/${handle}/login/${next && `?next=${encodeURIComponent(next)}`}`,
  )
  const asked = new URL(answer.headers.get('location') ?? '').searchParams
  return {
    cookie: cookieOf(answer, 'login_states'),
    state: asked.get('state') ?? '',
    nonce: asked.get('nonce'),
    challenge: asked.get('code_challenge') ?? '',
  }
}
type StartedSignIn = Awaited<ReturnType<typeof startSignIn>>

const callback = (
  attempt: StartedSignIn,
  query: Record<string, string>,
  handle = 'one',
  headers: Record<string, string> = { cookie: attempt.cookie },
) =>
  get(
    `/sites/pages/accounts/${handle}/login/callback/?${new URLSearchParams({ state: attempt.state, ...query })}`,
    headers,
  )
const goodCode = (attempt: StartedSignIn, subject: string, claims = {}) =>
  codeFor({ challenge: attempt.challenge, claims: { nonce: attempt.nonce, ...verified(subject), ...claims } })

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  site = await createSocialSite(app, 'pages', ['one', 'two'])
  await app.user('ada', { password })
  const add = (body: unknown) =>
    app.request('POST', `${site.api}/auth/social-apps/`, { token: site.owner.token, body })
  await add({
    provider: 'github',
    name: 'Git<b>Hub"',
    client_id: 'a',
    secret: 'b',
    settings: { icon: 'https://icons.example.com/git.png' },
  })
  await add({ ...openIdApp('dead', 'http://127.0.0.1:9/.well-known/openid-configuration'), name: 'Dead' })
})

describe('GET /accounts/login/', () => {
  it('has a button for each configured provider and the password form, in one round trip', async () => {
    const answer = await get('/sites/pages/accounts/login/?next=/sites/pages/app')
    expect([answer.status, roundTrips(answer)]).toEqual([200, 1])
    const page = answer.body as string
    expect([...page.matchAll(/href="([^"]+)"><(svg|img)/g)].map(([, href]) => href)).toEqual([
      '/sites/pages/accounts/one/login/?next=%2Fsites%2Fpages%2Fapp',
      '/sites/pages/accounts/two/login/?next=%2Fsites%2Fpages%2Fapp',
      '/sites/pages/accounts/github/login/?next=%2Fsites%2Fpages%2Fapp',
    ])
    expect(page).toContain('<h1>Sign in to pages</h1>')
    expect(page).toContain('Continue with Git&lt;b&gt;Hub&quot;')
    expect(page).toContain('name="next" value="/sites/pages/app"')
    expect(page).not.toMatch(/<script|style=|onclick|Dead/)
    expect(alertOf(page)).toBeUndefined()
  })

  it('has fields with labels and names that password managers know', async () => {
    const { body } = await get('/sites/pages/accounts/login/')
    expect(body).toMatch(
      /<label for="username">[^<]+<\/label><input id="username" name="username" type="text"[^>]*autocomplete="username"/,
    )
    expect(body).toMatch(
      /<label for="password">[^<]+<\/label><input id="password" name="password" type="password"[^>]*autocomplete="current-password"/,
    )
    expect(body).toMatch(/^<!doctype html><html lang="en">/)
  })

  it('has a strict Content-Security-Policy and is not cached', async () => {
    const { headers } = await get('/sites/pages/accounts/login/')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' https://icons.example.com; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect([
      headers.get('cache-control'),
      headers.get('x-frame-options'),
      headers.get('content-type'),
    ]).toEqual(['no-store', 'DENY', 'text/html; charset=UTF-8'])
  })

  it('has only the password form without providers, and returns 404 without a site', async () => {
    await createSocialSite(app, 'empty', [])
    const { body } = await get('/sites/empty/accounts/login/')
    expect(body).not.toContain('Continue with')
    expect(body).toContain('Sign in to empty')
    const nowhere = await get('/accounts/login/')
    expect([nowhere.status, alertOf(nowhere.body)]).toEqual([
      404,
      'This page does not exist. Please check the address.',
    ])
  })

  it('redirects to the provider with auto_redirect, unless the query string turns it off', async () => {
    const auto = await createSocialSite(app, 'auto', ['one'], { auto_redirect: true })
    const answer = await get('/sites/auto/accounts/login/?next=/back')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      '/sites/auto/accounts/one/login/?next=%2Fback',
    ])
    expect((await get('/sites/auto/accounts/login/?auto_redirect=false')).status).toBe(200)
    expect(auto.slug).toBe('auto')
  })
})

describe('POST /accounts/login/', () => {
  it('redirects with 303 to `next` with a session cookie for the right password', async () => {
    const answer = await signIn({ username: 'ada', password, next: '/sites/pages/app?x=1#y' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sites/pages/app?x=1#y'])
    const session = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('sessionid='))
    expect(session).toMatch(/^sessionid=[\w.-]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/)
    const secrets = await get(`${site.api}/tags/`, { cookie: cookieOf(answer, 'sessionid') })
    expect(secrets.status).toBe(403)
  })

  it.each([
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['\\\\evil.example/', '/'],
    ['/\t/evil.example/', '/'],
    ['/..//evil.example/', '/'],
    ['/.//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['http:evil.example', '/'],
    ['https:/evil.example', '/'],
    ['', '/'],
    ['/a\r\nSet-Cookie: x=1', '/aSet-Cookie:%20x=1'],
    ['/ä?q=//evil.example', '/%C3%A4?q=//evil.example'],
  ])('follows `next` only within the site: %j becomes %s', async (next, location) => {
    const answer = await signIn({ username: 'ada', password, next })
    expect([answer.status, answer.headers.get('location'), answer.headers.get('x')]).toEqual([
      303,
      location,
      null,
    ])
  })

  it('returns 401 for a wrong password, with the entered name and the error, without the password', async () => {
    const { status, body, headers } = await signIn({
      username: 'ada"><script>',
      password: 'Wrong-horse-1',
      next: '/back',
    })
    expect([status, alertOf(body)]).toEqual([401, 'No active account was found with these credentials.'])
    expect(headers.get('set-cookie')).toBeNull()
    expect(body).toContain('value="ada&quot;&gt;&lt;script&gt;"')
    expect(body).toContain('name="next" value="/back"')
    expect(body).toContain('aria-invalid="true" aria-describedby="problem"')
    expect(body).not.toContain('Wrong-horse-1')
  })

  it('returns 400 for an empty form', async () => {
    const { status, body } = await signIn({ username: '', password: '' })
    expect([status, alertOf(body)]).toEqual([400, 'Enter your user name or e-mail, and your password.'])
  })

  it.each([
    ['another Origin', { origin: 'https://evil.test' }],
    ['the Origin null', { origin: 'null' }],
    ['no Origin', {}],
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('returns 403 for a form from another site: %s', async (_what, headers) => {
    const answer = await signIn({ username: 'ada', password }, headers as Record<string, string>)
    expect([answer.status, answer.headers.get('set-cookie'), alertOf(answer.body)]).toEqual([
      403,
      null,
      'You do not have permission to perform this action.',
    ])
  })

  it('returns 415 for a body that is not a form, and 429 for too many attempts, both as pages', async () => {
    const json = await app.request('POST', '/sites/pages/accounts/login/', {
      body: { username: 'ada', password },
    })
    expect(json.status).toBe(415)
    const hasty = app.with({ RATE_LIMIT_SCALE: '1' })
    const tries = async () =>
      hasty.request('POST', '/sites/pages/accounts/login/', {
        body: new URLSearchParams({ username: 'hasty', password: 'x' }).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'http://localhost',
          'cf-connecting-ip': '192.0.2.77',
        },
      })
    for (let count = 0; count < 10; count++) expect((await tries()).status).toBe(401)
    const refused = await tries()
    expect([refused.status, alertOf(refused.body), refused.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^There were too many attempts\. Try again in \d+ seconds\.$/),
      expect.stringMatching(/^\d+$/),
    ])
  })
})

describe('GET /accounts/{provider}/login/', () => {
  it('redirects with 302 to the provider and sets a cookie that binds the browser', async () => {
    const answer = await get(`${https}/sites/pages/accounts/one/login/`)
    const location = new URL(answer.headers.get('location') ?? '')
    expect([answer.status, location.pathname, location.searchParams.get('redirect_uri')]).toEqual([
      302,
      '/liar/pages-one/authorize',
      'https://tessera.test/sites/pages/accounts/one/login/callback/',
    ])
    expect(answer.headers.get('set-cookie')).toBe(
      `login_states=${location.searchParams.get('state')}; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax`,
    )
  })

  it('returns 404 for an unknown provider and 400 for an unusable one, both as pages', async () => {
    const none = await get('/sites/pages/accounts/none/login/')
    expect([none.status, alertOf(none.body)]).toEqual([
      404,
      'This page does not exist. Please check the address.',
    ])
    const dead = await get('/sites/pages/accounts/dead/login/')
    expect([dead.status, alertOf(dead.body)]).toEqual([
      400,
      'The provider is not configured, or its configuration cannot be read.',
    ])
    expect(dead.body).toContain('href="/sites/pages/accounts/login/?auto_redirect=false"')
  })
})

describe('GET /accounts/{provider}/login/callback/', () => {
  it('redirects with 303 to `next` with a session cookie', async () => {
    const attempt = await startSignIn('/sites/pages/app?x=1')
    const answer = await callback(attempt, { code: goodCode(attempt, 'grace') })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sites/pages/app?x=1'])
    const cookies = answer.headers.getSetCookie()
    expect(cookies).toEqual([
      expect.stringMatching(/^login_states=;/),
      expect.stringMatching(/^sessionid=[\w.-]+; .*HttpOnly/),
    ])
    const ended = await app.request('DELETE', '/api/auth/session/', {
      headers: { cookie: cookieOf(answer, 'sessionid'), origin: 'http://localhost' },
    })
    expect(ended.status).toBe(204)
  })

  it('follows `next` only within the site', async () => {
    const attempt = await startSignIn('https://evil.example/')
    expect((await callback(attempt, { code: goodCode(attempt, 'grace') })).headers.get('location')).toBe('/')
  })

  it('finishes sign-ins of several tabs of a browser', async () => {
    const one = await startSignIn('/one')
    const second = await get('/sites/pages/accounts/two/login/?next=/two', { cookie: one.cookie })
    const asked = new URL(second.headers.get('location') ?? '').searchParams
    const cookie = cookieOf(second, 'login_states')
    const first = await callback(one, { code: goodCode(one, 'tabs') }, 'one', { cookie })
    expect(first.headers.get('location')).toBe('/one')
    const two = {
      cookie: cookieOf(first, 'login_states'),
      state: asked.get('state') ?? '',
      nonce: asked.get('nonce'),
      challenge: asked.get('code_challenge') ?? '',
    }
    expect((await callback(two, { code: goodCode(two, 'tabs') }, 'two')).headers.get('location')).toBe('/two')
  })

  const unknown = 'This sign-in has expired, is already finished, or was started elsewhere. Start again.'
  it('returns 400 in a browser that did not start the sign-in, even with the code and the state', async () => {
    const attempt = await startSignIn()
    const mine = await startSignIn()
    for (const headers of [{}, { cookie: mine.cookie }] as Record<string, string>[]) {
      const refused = await callback(attempt, { code: goodCode(attempt, 'mallory') }, 'one', headers)
      expect([refused.status, alertOf(refused.body), cookieOf(refused, 'sessionid')]).toEqual([
        400,
        unknown,
        '',
      ])
    }
    expect(
      (await get('/sites/pages/accounts/one/login/callback/?code=x', { cookie: mine.cookie })).status,
    ).toBe(400)
    // These requests have not ended the attempt.
    expect((await callback(attempt, { code: goodCode(attempt, 'grace') })).status).toBe(303)
  })

  it('returns 400 the second time and at another provider', async () => {
    const attempt = await startSignIn()
    expect((await callback(attempt, { code: goodCode(attempt, 'grace') }, 'two')).status).toBe(400)
    expect((await callback(attempt, { code: goodCode(attempt, 'grace') })).status).toBe(303)
    expect(alertOf((await callback(attempt, { code: goodCode(attempt, 'grace') })).body)).toBe(unknown)
  })

  it.each([
    [
      'the provider says that the sign-in was cancelled',
      { error: 'access_denied', error_description: '<script>' },
      'The sign-in was cancelled or rejected by the provider.',
    ],
    ['there is no code', {}, 'The sign-in was cancelled or rejected by the provider.'],
    [
      'the code is invalid',
      { code: 'e30' },
      'The provider rejected the authorization code, or did not answer the token request.',
    ],
  ])('returns 400 as a page if %s', async (_what, query, alert) => {
    const refused = await callback(await startSignIn(), query as Record<string, string>)
    expect([refused.status, alertOf(refused.body), cookieOf(refused, 'sessionid')]).toEqual([400, alert, ''])
    expect(refused.body).not.toContain('<script')
  })

  it('returns 400 for a code from another issuer', async () => {
    const attempt = await startSignIn()
    expect(
      (await callback(attempt, { code: goodCode(attempt, 'grace'), iss: 'https://evil.example' })).status,
    ).toBe(400)
  })

  it('accepts a form that the provider posts, with the cookies of this host and the name in the form', async () => {
    const attempt = await startSignIn()
    const code = goodCode(attempt, 'apple')
    const user = JSON.stringify({
      name: { firstName: 'Apple', lastName: 'User', other: 1 },
      email: 'other@example.org',
    })
    const path = '/sites/pages/accounts/one/login/callback/'
    const page = await post(
      path,
      { state: attempt.state, code, user, extra: '1' },
      { origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' },
    )
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null])
    const target = /http-equiv="refresh" content="0;url=([^"]+)"/
      .exec(page.body)?.[1]
      ?.replaceAll('&amp;', '&') as string
    expect([target.split('?')[0], [...new URLSearchParams(target.split('?')[1]).keys()]]).toEqual([
      path,
      ['code', 'state', 'first_name', 'last_name'],
    ])
    const answer = await get(target, { cookie: attempt.cookie })
    expect(answer.status).toBe(303)
    const [row] = await app.sql(`select first_name, last_name from users where email = 'apple@example.org'`)
    expect(row).toEqual({ first_name: 'Apple', last_name: 'User' })
    for (const odd of ['', '{', '[]', '{"name": 7}', '{"name": {"firstName": {}}}']) {
      expect((await post(path, { state: 'x', code: 'y', user: odd }, {})).status).toBe(200)
    }
  })
})

describe('a sign-in with a certified provider', () => {
  it('ends in a session', async () => {
    const body = {
      ...openIdApp('certified', `${inject('certifiedProvider')}/.well-known/openid-configuration`),
      secret: 'certified-secret',
    }
    const own = await createSocialSite(app, 'certified', [])
    await app.request('POST', `${own.api}/auth/social-apps/`, { token: own.owner.token, body })
    const start = await get('/sites/certified/accounts/certified/login/?next=/app')
    const back = await walkThrough(start.headers.get('location') ?? '', 'hopper')
    const end = await get(`${back.pathname}${back.search}`, { cookie: cookieOf(start, 'login_states') })
    expect([end.status, end.headers.get('location'), cookieOf(end, 'sessionid')]).toEqual([
      303,
      '/app',
      expect.stringMatching(/^sessionid=.{20}/),
    ])
    // The provider announces that it sends `iss`, so a callback without it is rejected.
    const again = await get('/sites/certified/accounts/certified/login/')
    const other = await walkThrough(again.headers.get('location') ?? '', 'hopper')
    other.searchParams.delete('iss')
    expect(
      (await get(`${other.pathname}${other.search}`, { cookie: cookieOf(again, 'login_states') })).status,
    ).toBe(400)
  })
})
