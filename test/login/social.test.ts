/** Signing in through a provider, by the API. S4, S5, S7. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { domainsOf } from '../support/domains.ts'
import { roundTrips } from '../support/secrets.ts'
import { canaries, codeFor, createSocialSite, openIdApp, type SocialSite, serverOf, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite

const refused = { status: 400, body: { detail: 'The provider has refused the code, or what it answered does not hold.' } }
const unknownAttempt = { status: 400, body: { detail: 'This sign-in has expired, was finished already, or was begun elsewhere. Begin anew.' } }
const users = async (email: string) => app.sql('select * from users where lower(email) = lower($1)', [email])

/** A sign-in that has begun, and a code that it takes. */
async function begun(handle = 'one', query = '') {
  const { body } = await site.begin(handle, query)
  const asked = new URL(body.authorization_url).searchParams
  return { state: body.state as string, nonce: asked.get('nonce') as string, challenge: asked.get('code_challenge') as string, asked }
}

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  site = await createSocialSite(app, 'social', ['one', 'two'])
})

describe('GET /api/auth/{provider}/redirect/', () => {
  it('200 {authorization_url, state}: state, nonce and PKCE by S256; and a cookie that binds the browser', async () => {
    const answer = await site.begin('one')
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['authorization_url', 'state']])
    const url = new URL(answer.body.authorization_url)
    expect(url.pathname).toBe('/liar/social-one/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'tessera',
      redirect_uri: 'http://localhost/sites/social/accounts/one/login/callback/',
      scope: 'openid email profile',
      state: answer.body.state,
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(answer.headers.get('set-cookie')).toBe(`login_states=${answer.body.state}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`)
    expect(roundTrips(answer)).toBe(1)
  })

  it('of two, nothing is the same', async () => {
    const [a, b] = await Promise.all([begun(), begun()])
    expect(a.state).not.toBe(b.state)
    expect(a.nonce).not.toBe(b.nonce)
    expect(a.challenge).not.toBe(b.challenge)
  })

  it('what is kept under the state is neither the state nor open to whoever knows the table', async () => {
    const { state } = await begun()
    const rows = await app.sql<{ state: string }>(`select state from ${site.schema}._social_attempts`)
    expect(rows.map((row) => row.state)).not.toContain(state)
  })

  it('401 for nobody, 404 for a provider that is none', async () => {
    expect((await app.request('GET', `${site.api}/auth/one/redirect/`)).status).toBe(401)
    expect((await site.begin('none')).body).toEqual({ detail: 'Not found.' })
  })

  it('redirect_uri: of this very host, or of a domain of the site', async () => {
    await domainsOf(app, site).prove('shop.example.com')
    for (const wanted of ['http://localhost/app/back', 'https://shop.example.com/back', 'https://social.tessera.test/back']) {
      const { asked } = await begun('one', `?redirect_uri=${encodeURIComponent(wanted)}`)
      expect(asked.get('redirect_uri')).toBe(wanted)
    }
  })

  it.each([
    'https://evil.example/',
    'https://shop.example.com.evil.example/',
    'https://shop.example.com@evil.example/',
    'https://evil.example/?a=shop.example.com',
    'https://evil.example\\@shop.example.com/',
    'http://shop.example.com/',
    'https://shop.example.com:8443/',
    'https://other.tessera.test/',
    'http://localhost:8080/',
    'https://localhost/',
    '//evil.example/',
    '/accounts/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://localhost/back?next=https://evil.example',
    'http://localhost/back#x',
    '',
  ])('400 for the redirect_uri %s', async (wanted) => {
    const answer = await site.begin('one', `?redirect_uri=${encodeURIComponent(wanted)}`)
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['redirect_uri']])
    const bare = await site.finish('one', { code: codeFor({ claims: verified('nobody') }), redirect_uri: wanted })
    expect([bare.status, Object.keys(bare.body)]).toEqual([400, ['redirect_uri']])
  })

  it('400 {detail} where nobody can sign in: SAML, a discovery document that cannot be read, and one that names another issuer', async () => {
    for (const [id, provider, settings] of [
      ['corp', 'saml', {}],
      ['dead', 'openid_connect', { server_url: 'http://127.0.0.1:9/.well-known/openid-configuration' }],
      ['liar', 'openid_connect', { server_url: serverOf('other-issuer') }],
    ] as const) {
      const body = { provider, provider_id: id, name: id, client_id: 'a', secret: 'b', settings }
      expect((await app.request('POST', `${site.api}/auth/social-apps/`, { token: site.owner.token, body })).status).toBe(201)
      const answer = await site.begin(id)
      expect([id, answer.status, Object.keys(answer.body)]).toEqual([id, 400, ['detail']])
      expect((await site.finish(id, { code: 'x' })).status).toBe(400)
    }
  })
})

describe('POST /api/auth/{provider}/token/', () => {
  it('200 the fields of a token pair, and user; a first login makes the account', async () => {
    const answer = await site.signIn('one', { ...verified('ada'), given_name: 'Ada', family_name: 'Byron', preferred_username: 'ada' })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        access: expect.any(String),
        refresh: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        user: expect.objectContaining({
          username: 'ada',
          email: 'ada@example.org',
          first_name: 'Ada',
          last_name: 'Byron',
          is_active: true,
          is_superuser: false,
        }),
      },
    ])
    const me = await app.request('GET', '/api/users/me/', { token: answer.body.access })
    expect(me.body).toEqual(answer.body.user)
    const [row] = await users('ada@example.org')
    expect(row).toMatchObject({ password_hash: null, email_verified_at: null })
    // Nobody put them into an organization.
    expect(await app.sql('select from memberships where user_id = $1', [answer.body.user.id])).toEqual([])
  })

  it('a second login is the same account, whatever its e-mail has become; in two round trips', async () => {
    const [first, second] = [await site.signIn('one', verified('back')), await site.signIn('one', verified('back', 'new@example.org'))]
    expect(second.body.user).toMatchObject({ id: first.body.user.id, email: 'back@example.org' })
    expect([roundTrips(first), roundTrips(second)]).toEqual([3, 2])
  })

  it('with state in the body, by the cookie of the redirect, or with neither', async () => {
    const { body, headers } = await site.begin('one')
    const asked = new URL(body.authorization_url).searchParams
    const code = codeFor({ challenge: asked.get('code_challenge') ?? '', claims: { ...verified('cookie'), nonce: asked.get('nonce') } })
    const byCookie = await site.finish('one', { code }, { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' })
    expect([byCookie.status, byCookie.headers.get('set-cookie')]).toEqual([200, expect.stringMatching(/^login_states=;/)])
    expect((await site.finish('one', { code: codeFor({ claims: verified('bare') }) })).status).toBe(200)
  })

  it('a key that the provider has published only now is known at once', async () => {
    expect((await site.signIn('one', verified('before'))).status).toBe(200)
    expect((await site.signIn('one', verified('after'), { signature: 'rotated' })).status).toBe(200)
  })

  it('user names: the one that is wished for, else the e-mail’s, else another; never somebody’s e-mail', async () => {
    const name = async (subject: string, claims: Record<string, unknown>) =>
      (await site.signIn('one', { ...verified(subject), ...claims })).body.user.username
    expect(await name('grace', { preferred_username: 'grace hopper!' })).toBe('gracehopper')
    expect(await name('linus', {})).toBe('linus')
    expect(await name('linus2', { preferred_username: 'linus' })).toMatch(/^linus-[0-9a-f]{8}$/)
    expect(await name('me', {})).toMatch(/^me-[0-9a-f]{8}$/)
    expect(await name('thief', { preferred_username: 'ada@example.org' })).toBe('adaexample.org')
    expect(await name('kanji', { preferred_username: '漢字' })).toBe('user')
  })

  it('names are cut, and hold nothing that cannot be seen', async () => {
    const { body } = await site.signIn('one', { ...verified('odd'), given_name: `A\u0000\u202e${'b'.repeat(300)}`, family_name: '\ud800C' })
    expect(body.user).toMatchObject({ first_name: `A${'b'.repeat(149)}`, last_name: '\ufffdC' })
  })

  it('what is not in the ID token, the UserInfo endpoint says', async () => {
    const { body } = await site.signIn('one', { sub: 'info' }, { userinfo: { email: 'info@example.org', email_verified: true, name: 'In Fo' } })
    expect(body.user).toMatchObject({ email: 'info@example.org', first_name: 'In Fo' })
  })
})

describe('refused', () => {
  const good = (answer: { nonce: string; challenge: string }, subject: string, claims: Record<string, unknown> = {}) => ({
    challenge: answer.challenge,
    claims: { nonce: answer.nonce, ...verified(subject), ...claims },
  })
  const past = Math.floor(Date.now() / 1000) - 3600

  it('a code that was used before', async () => {
    const attempt = await begun()
    const code = codeFor(good(attempt, 'replay'))
    expect((await site.finish('one', { code, state: attempt.state })).status).toBe(200)
    const again = await begun()
    expect(await site.finish('one', { code, state: again.state })).toMatchObject(refused)
    expect(await site.finish('one', { code })).toMatchObject(refused)
  })

  it('a state that was used before; of many at once, one is taken', async () => {
    const attempt = await begun()
    const all = await Promise.all(
      Array.from({ length: 16 }, () => site.finish('one', { code: codeFor(good(attempt, 'once')), state: attempt.state })),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(400)])
    expect(all.filter(({ status }) => status === 400).map(({ body }) => body)).toEqual(Array(15).fill(unknownAttempt.body))
  })

  it('a state that is none, is of another provider, or is too old', async () => {
    const attempt = await begun('two')
    expect(await site.finish('one', { code: codeFor(good(attempt, 'x')), state: attempt.state })).toMatchObject(unknownAttempt)
    expect(await site.finish('one', { code: codeFor(good(attempt, 'x')), state: 'made-up' })).toMatchObject(unknownAttempt)
    // It was not used up by whoever tried it elsewhere.
    await app.sql(`update ${site.schema}._social_attempts set expires_at = now() - interval '1 second'`)
    expect(await site.finish('two', { code: codeFor(good(attempt, 'x')), state: attempt.state })).toMatchObject(unknownAttempt)
  })

  it('the state of another sign-in: its nonce and its verifier are not the ones of the code', async () => {
    const [mine, theirs] = [await begun(), await begun()]
    expect(await site.finish('one', { code: codeFor(good(theirs, 'swapped')), state: mine.state })).toMatchObject(refused)
    expect(await users('swapped@example.org')).toEqual([])
  })

  it('a code that was made with PKCE, without its verifier', async () => {
    const attempt = await begun()
    expect(await site.finish('one', { code: codeFor(good(attempt, 'x')) })).toMatchObject(refused)
  })

  it.each<[string, (attempt: { nonce: string; challenge: string }) => Parameters<typeof codeFor>[0]]>([
    ['a code of another client', (attempt) => ({ ...good(attempt, 'bad'), client: 'another' })],
    ['a missing nonce', (attempt) => good(attempt, 'bad', { nonce: null })],
    ['a wrong nonce', (attempt) => good(attempt, 'bad', { nonce: 'another' })],
    ['a wrong issuer', (attempt) => good(attempt, 'bad', { iss: 'https://accounts.example.com' })],
    ['no issuer', (attempt) => good(attempt, 'bad', { iss: null })],
    ['a wrong audience', (attempt) => good(attempt, 'bad', { aud: 'another' })],
    ['several audiences without an authorized party', (attempt) => good(attempt, 'bad', { aud: ['tessera', 'another'] })],
    [
      'several audiences, of which another is the authorized party',
      (attempt) => good(attempt, 'bad', { aud: ['tessera', 'another'], azp: 'another' }),
    ],
    ['an expired ID token', (attempt) => good(attempt, 'bad', { iat: past, exp: past + 300 })],
    ['an ID token that expired 31 seconds ago', (attempt) => good(attempt, 'bad', { exp: Math.floor(Date.now() / 1000) - 31 })],
    ['an ID token that is not valid yet', (attempt) => good(attempt, 'bad', { nbf: Math.floor(Date.now() / 1000) + 60 })],
    ['no expiry', (attempt) => good(attempt, 'bad', { exp: null })],
    ['no subject', (attempt) => good(attempt, 'bad', { sub: null })],
    ['a subject that is no text', (attempt) => good(attempt, 'bad', { sub: 7 })],
    ['a subject of more than 255 letters', (attempt) => good(attempt, 'bad', { sub: 'a'.repeat(256) })],
    ['a subject with letters that ids have not', (attempt) => good(attempt, 'bad', { sub: 'a\u0000b' })],
    ['alg none', (attempt) => ({ ...good(attempt, 'bad'), signature: 'none' })],
    ['an algorithm that the provider does not announce', (attempt) => ({ ...good(attempt, 'bad'), header: { alg: 'PS256' } })],
    ['an unknown kid', (attempt) => ({ ...good(attempt, 'bad'), header: { kid: 'unknown' } })],
    ['the signature of another key', (attempt) => ({ ...good(attempt, 'bad'), signature: 'other' })],
    ['no ID token', (attempt) => ({ ...good(attempt, 'bad'), body: { access_token: 'a', token_type: 'Bearer' } })],
    ['an ID token that is none', (attempt) => ({ ...good(attempt, 'bad'), body: { access_token: 'a', token_type: 'Bearer', id_token: 'a.b.c' } })],
    ['an answer that is no JSON', (attempt) => ({ ...good(attempt, 'bad'), body: 'no' })],
    ['an error in an answer of 200', (attempt) => ({ ...good(attempt, 'bad'), body: { error: 'bad_verification_code' } })],
    ['a failure of the provider', (attempt) => ({ ...good(attempt, 'bad'), body: {}, status: 500 })],
    [
      'another subject in UserInfo',
      (attempt) => ({ ...good(attempt, 'bad', { email: null }), userinfo: { sub: 'eve', email: 'bad@example.org', email_verified: true } }),
    ],
  ])('%s', async (_what, answer) => {
    const attempt = await begun()
    expect(await site.finish('one', { code: codeFor(answer(attempt)), state: attempt.state })).toMatchObject(refused)
    expect(await users('bad@example.org')).toEqual([])
  })

  it('the log says why, and nothing of what was sent', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const attempt = await begun()
    const code = codeFor(good(attempt, 'logged', { nonce: 'another' }))
    await site.finish('one', { code, state: attempt.state })
    await site.finish('one', { code: codeFor({ ...good(attempt, 'logged'), challenge: 'x' }) })
    const lines = log.mock.calls.map(([line]) => String(line))
    log.mockRestore()
    expect(lines.filter((line) => line.includes('refused')).map((line) => JSON.parse(line).refused)).toEqual([
      ['ClientError OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OperationProcessingError OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
      ['ResponseBodyError OAUTH_RESPONSE_BODY_ERROR invalid_grant'],
    ])
    expect(lines.join('\n')).not.toMatch(new RegExp(`logged|example\\.org|${attempt.state}|${attempt.nonce}|${code}`))
  })

  it('clocks may differ by 30 seconds', async () => {
    const attempt = await begun()
    const answer = good(attempt, 'skewed', { exp: Math.floor(Date.now() / 1000) - 28 })
    expect((await site.finish('one', { code: codeFor(answer), state: attempt.state })).status).toBe(200)
  })

  it('a code whose sender (iss) is another issuer', async () => {
    const attempt = await begun()
    const answer = await site.finish('one', { code: codeFor(good(attempt, 'mixed')), state: attempt.state, iss: 'https://evil.example' })
    expect(answer).toMatchObject(refused)
  })

  it('another redirect_uri than the sign-in was begun with', async () => {
    const attempt = await begun()
    const answer = await site.finish('one', { code: codeFor(good(attempt, 'x')), state: attempt.state, redirect_uri: 'http://localhost/other' })
    expect([answer.status, answer.body]).toEqual([400, { redirect_uri: ['The sign-in was begun with another address.'] }])
  })

  it('wrong client credentials', async () => {
    const { body } = await app.request('GET', `${site.api}/auth/social-apps/?search=two`)
    await app.request('PATCH', `${site.api}/auth/social-apps/${body.data[0].id}/`, { token: site.owner.token, body: { secret: 'wrong' } })
    expect(await site.signIn('two', verified('x'))).toMatchObject(refused)
  })

  it('a token endpoint that redirects to a private address: nobody goes there', async () => {
    const before = await canaries()
    const body = openIdApp('redirecting', serverOf('redirecting'))
    await app.request('POST', `${site.api}/auth/social-apps/`, { token: site.owner.token, body })
    expect(await site.signIn('redirecting', verified('x'))).toMatchObject(refused)
    expect(await canaries()).toBe(before)
  })

  it('500 {error, detail} when the secret of the app cannot be decrypted', async () => {
    await app.sql(`update ${site.schema}._social_apps set secret = key || '1.v1.AAAAAAAAAAAAAAAA.AAAA' where handle = 'redirecting'`)
    expect(await site.signIn('redirecting', verified('x'))).toMatchObject({ status: 500, body: { error: 'Decryption failed' } })
  })
})
