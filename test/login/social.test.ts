/** Signing in through a provider with the API. S4, S5, S7. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Step, stepFailed } from '../../src/identity/login/exchange/errors.ts'
import { sha256 } from '../../src/kernel/lib/sha256.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { domainsOf } from '../support/domains.ts'
import { roundTrips } from '../support/secrets.ts'
import {
  canaries,
  codeFor,
  createSocialSite,
  openIdApp,
  type SocialSite,
  serverOf,
  verified,
} from '../support/social-login.ts'

let app: TestApp
let site: SocialSite

/** The answer to a code if a step after it fails. */
const refusedAt = (step: Step) => ({ status: 400, body: stepFailed(step).body })
const refused = refusedAt('token_request')
const unknownAttempt = {
  status: 400,
  body: {
    detail: 'This sign-in has expired, is already finished, or was started elsewhere. Start again.',
    code: 'sign_in_expired',
  },
}
const users = async (email: string) => app.sql('select * from users where lower(email) = lower($1)', [email])

/** Starts a sign-in. Returns the parameters of its authorization request. */
async function startSignIn(handle = 'one', query = '') {
  const { body } = await site.begin(handle, query)
  const asked = new URL(body.authorization_url).searchParams
  return {
    state: body.state as string,
    nonce: asked.get('nonce') as string,
    challenge: asked.get('code_challenge') as string,
    asked,
  }
}

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  site = await createSocialSite(app, 'social', ['one', 'two'])
})

describe('GET /api/auth/{provider}/redirect/', () => {
  it('returns 200 {authorization_url, state} with a state, a nonce, PKCE by S256, and a cookie that binds the browser', async () => {
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
    expect(answer.headers.get('set-cookie')).toBe(
      `login_states=${answer.body.state}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`,
    )
    expect(roundTrips(answer)).toBe(1)
  })

  it('returns different states, nonces and challenges for two sign-ins', async () => {
    const [a, b] = await Promise.all([startSignIn(), startSignIn()])
    const values = [a, b].flatMap(({ state, nonce, challenge }) => [state, nonce, challenge])
    expect(values).toEqual(Array(6).fill(expect.stringMatching(/^[\w-]{43}$/)))
    expect(new Set(values).size).toBe(6)
  })

  it('stores the state of a sign-in only as a hash', async () => {
    const { state } = await startSignIn()
    const rows = await app.sql<{ state: string }>('select * from tenant._social_attempts')
    expect(rows.map((row) => row.state)).toContain(sha256(state))
    expect(JSON.stringify(rows)).not.toContain(state)
  })

  it('returns 401 without a token, and 404 for an unknown provider', async () => {
    expect((await app.request('GET', `${site.api}/auth/one/redirect/`)).status).toBe(401)
    expect((await site.begin('none')).body).toEqual({ detail: 'Not found.', code: 'not_found' })
  })

  it('accepts a redirect_uri of this host or of a domain of the site', async () => {
    await domainsOf(app, site).prove('shop.example.com')
    for (const wanted of [
      'http://localhost/app/back',
      'https://shop.example.com/back',
      'https://social.tessera.test/back',
    ]) {
      const { asked } = await startSignIn('one', `?redirect_uri=${encodeURIComponent(wanted)}`)
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
  ])('returns 400 for the redirect_uri %s', async (wanted) => {
    const answer = await site.begin('one', `?redirect_uri=${encodeURIComponent(wanted)}`)
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['redirect_uri']])
    const bare = await site.finish('one', {
      code: codeFor({ claims: verified('nobody') }),
      redirect_uri: wanted,
    })
    expect([bare.status, Object.keys(bare.body)]).toEqual([400, ['redirect_uri']])
  })

  it('returns 400 {detail} for an unusable provider: SAML without metadata, an unreadable discovery document, and one with another issuer', async () => {
    for (const [id, provider, settings] of [
      ['corp', 'saml', {}],
      ['dead', 'openid_connect', { server_url: 'http://127.0.0.1:9/.well-known/openid-configuration' }],
      ['liar', 'openid_connect', { server_url: serverOf('other-issuer') }],
    ] as const) {
      const body = { provider, provider_id: id, name: id, client_id: 'a', secret: 'b', settings }
      expect(
        (await app.request('POST', `${site.api}/auth/social-apps/`, { token: site.owner.token, body }))
          .status,
      ).toBe(201)
      const answer = await site.begin(id)
      expect([id, answer.status, answer.body]).toEqual([
        id,
        400,
        { detail: expect.any(String), code: 'provider_unusable' },
      ])
      expect((await site.finish(id, { code: 'x' })).status).toBe(400)
    }
  })
})

describe('POST /api/auth/{provider}/token/', () => {
  it('creates the account at the first sign-in, and returns 200 with a token pair and the user', async () => {
    const answer = await site.signIn('one', {
      ...verified('ada'),
      given_name: 'Ada',
      family_name: 'Byron',
      preferred_username: 'ada',
    })
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
    expect(me.body).toMatchObject(answer.body.user)
    const [row] = await users('ada@example.org')
    expect(row).toMatchObject({ password_hash: null, email_verified_at: null })
    // The account is a member of no organization.
    expect(await app.sql('select from memberships where user_id = $1', [answer.body.user.id])).toEqual([])
  })

  it('opens the same account at the second sign-in, even with another e-mail, in two round trips', async () => {
    const [first, second] = [
      await site.signIn('one', verified('back')),
      await site.signIn('one', verified('back', 'new@example.org')),
    ]
    expect(second.body.user).toMatchObject({ id: first.body.user.id, email: 'back@example.org' })
    expect([roundTrips(first), roundTrips(second)]).toEqual([3, 2])
  })

  it('finishes a sign-in with the state in the body, with the cookie, or without either', async () => {
    const { body, headers } = await site.begin('one')
    const asked = new URL(body.authorization_url).searchParams
    const code = codeFor({
      challenge: asked.get('code_challenge') ?? '',
      claims: { ...verified('cookie'), nonce: asked.get('nonce') },
    })
    const byCookie = await site.finish(
      'one',
      { code },
      { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' },
    )
    expect([byCookie.status, byCookie.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^login_states=;/),
    ])
    expect((await site.finish('one', { code: codeFor({ claims: verified('bare') }) })).status).toBe(200)
  })

  it('accepts a key that the provider has just published at once', async () => {
    expect((await site.signIn('one', verified('before'))).status).toBe(200)
    expect((await site.signIn('one', verified('after'), { signature: 'rotated' })).status).toBe(200)
  })

  it('takes the preferred user name, else that of the e-mail, else a variation, and never an e-mail of somebody else', async () => {
    const name = async (subject: string, claims: Record<string, unknown>) =>
      (await site.signIn('one', { ...verified(subject), ...claims })).body.user.username
    expect(await name('grace', { preferred_username: 'grace hopper!' })).toBe('gracehopper')
    expect(await name('linus', {})).toBe('linus')
    expect(await name('linus2', { preferred_username: 'linus' })).toMatch(/^linus-[0-9a-f]{8}$/)
    expect(await name('me', {})).toMatch(/^me-[0-9a-f]{8}$/)
    expect(await name('thief', { preferred_username: 'ada@example.org' })).toBe('adaexample.org')
    expect(await name('kanji', { preferred_username: '漢字' })).toBe('user')
  })

  it('truncates names, and removes invisible characters', async () => {
    const { body } = await site.signIn('one', {
      ...verified('odd'),
      given_name: `A\u0000\u202e${'b'.repeat(300)}`,
      family_name: '\ud800C',
    })
    expect(body.user).toMatchObject({ first_name: `A${'b'.repeat(149)}`, last_name: '\ufffdC' })
  })

  it('reads claims that are missing in the ID token from the UserInfo endpoint', async () => {
    const { body } = await site.signIn(
      'one',
      { sub: 'info' },
      { userinfo: { email: 'info@example.org', email_verified: true, name: 'In Fo' } },
    )
    expect(body.user).toMatchObject({ email: 'info@example.org', first_name: 'In Fo' })
  })
})

describe('a sign-in that is rejected', () => {
  const good = (
    answer: { nonce: string; challenge: string },
    subject: string,
    claims: Record<string, unknown> = {},
  ) => ({
    challenge: answer.challenge,
    claims: { nonce: answer.nonce, ...verified(subject), ...claims },
  })
  const past = Math.floor(Date.now() / 1000) - 3600

  it('has a used code', async () => {
    const attempt = await startSignIn()
    const code = codeFor(good(attempt, 'replay'))
    expect((await site.finish('one', { code, state: attempt.state })).status).toBe(200)
    const again = await startSignIn()
    expect(await site.finish('one', { code, state: again.state })).toMatchObject(refused)
    expect(await site.finish('one', { code })).toMatchObject(refused)
  })

  it('has a used state, also in all but one of several simultaneous requests', async () => {
    const attempt = await startSignIn()
    const all = await Promise.all(
      Array.from({ length: 16 }, () =>
        site.finish('one', { code: codeFor(good(attempt, 'once')), state: attempt.state }),
      ),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(400)])
    expect(all.filter(({ status }) => status === 400).map(({ body }) => body)).toEqual(
      Array(15).fill(unknownAttempt.body),
    )
  })

  it('has a state that is unknown, expired or of another provider', async () => {
    const attempt = await startSignIn('two')
    expect(
      await site.finish('one', { code: codeFor(good(attempt, 'x')), state: attempt.state }),
    ).toMatchObject(unknownAttempt)
    expect(await site.finish('one', { code: codeFor(good(attempt, 'x')), state: 'made-up' })).toMatchObject(
      unknownAttempt,
    )
    // The request at the other provider has not ended the attempt.
    await app.sql(`update tenant._social_attempts set expires_at = now() - interval '1 second'`)
    expect(
      await site.finish('two', { code: codeFor(good(attempt, 'x')), state: attempt.state }),
    ).toMatchObject(unknownAttempt)
  })

  it('has the state of another sign-in, whose nonce and verifier differ', async () => {
    const [mine, theirs] = [await startSignIn(), await startSignIn()]
    expect(
      await site.finish('one', { code: codeFor(good(theirs, 'swapped')), state: mine.state }),
    ).toMatchObject(refused)
    expect(await users('swapped@example.org')).toEqual([])
  })

  it('has a code that was made with PKCE, without its verifier', async () => {
    const attempt = await startSignIn()
    expect(await site.finish('one', { code: codeFor(good(attempt, 'x')) })).toMatchObject(refused)
  })

  it.each<[string, Step, (attempt: { nonce: string; challenge: string }) => Parameters<typeof codeFor>[0]]>([
    [
      'a code of another client',
      'token_request',
      (attempt) => ({ ...good(attempt, 'bad'), client: 'another' }),
    ],
    ['a missing nonce', 'id_token', (attempt) => good(attempt, 'bad', { nonce: null })],
    ['a wrong nonce', 'id_token', (attempt) => good(attempt, 'bad', { nonce: 'another' })],
    [
      'a wrong issuer',
      'id_token',
      (attempt) => good(attempt, 'bad', { iss: 'https://accounts.example.com' }),
    ],
    ['no issuer', 'id_token', (attempt) => good(attempt, 'bad', { iss: null })],
    ['a wrong audience', 'id_token', (attempt) => good(attempt, 'bad', { aud: 'another' })],
    [
      'several audiences without an authorized party',
      'id_token',
      (attempt) => good(attempt, 'bad', { aud: ['tessera', 'another'] }),
    ],
    [
      'several audiences with another authorized party',
      'id_token',
      (attempt) => good(attempt, 'bad', { aud: ['tessera', 'another'], azp: 'another' }),
    ],
    ['an expired ID token', 'id_token', (attempt) => good(attempt, 'bad', { iat: past, exp: past + 300 })],
    [
      'an ID token that expired 31 seconds ago',
      'id_token',
      (attempt) => good(attempt, 'bad', { exp: Math.floor(Date.now() / 1000) - 31 }),
    ],
    [
      'an ID token that is not valid yet',
      'id_token',
      (attempt) => good(attempt, 'bad', { nbf: Math.floor(Date.now() / 1000) + 60 }),
    ],
    ['no expiry', 'id_token', (attempt) => good(attempt, 'bad', { exp: null })],
    ['no subject', 'id_token', (attempt) => good(attempt, 'bad', { sub: null })],
    ['a subject that is not a string', 'id_token', (attempt) => good(attempt, 'bad', { sub: 7 })],
    [
      'a subject of more than 255 characters',
      'subject',
      (attempt) => good(attempt, 'bad', { sub: 'a'.repeat(256) }),
    ],
    ['a subject with a control character', 'subject', (attempt) => good(attempt, 'bad', { sub: 'a\u0000b' })],
    ['alg none', 'id_token', (attempt) => ({ ...good(attempt, 'bad'), signature: 'none' })],
    [
      'an algorithm that the provider does not list',
      'id_token',
      (attempt) => ({ ...good(attempt, 'bad'), header: { alg: 'PS256', kid: 'PS256' } }),
    ],
    ['an unknown kid', 'id_token', (attempt) => ({ ...good(attempt, 'bad'), header: { kid: 'unknown' } })],
    [
      'the signature of another key',
      'id_token',
      (attempt) => ({ ...good(attempt, 'bad'), signature: 'other' }),
    ],
    [
      'no ID token',
      'token_response',
      (attempt) => ({ ...good(attempt, 'bad'), body: { access_token: 'a', token_type: 'Bearer' } }),
    ],
    [
      'a malformed ID token',
      'id_token',
      (attempt) => ({
        ...good(attempt, 'bad'),
        body: { access_token: 'a', token_type: 'Bearer', id_token: 'a.b.c' },
      }),
    ],
    ['a response that is not JSON', 'token_response', (attempt) => ({ ...good(attempt, 'bad'), body: 'no' })],
    [
      'an error in a response with status 200',
      'token_request',
      (attempt) => ({
        ...good(attempt, 'bad'),
        body: { error: 'bad_verification_code' },
      }),
    ],
    [
      'a failure of the provider',
      'token_request',
      (attempt) => ({ ...good(attempt, 'bad'), body: {}, status: 500 }),
    ],
    [
      'another subject in UserInfo',
      'user_info',
      (attempt) => ({
        ...good(attempt, 'bad', { email: null }),
        userinfo: { sub: 'eve', email: 'bad@example.org', email_verified: true },
      }),
    ],
  ])('has %s, and names the step %s', async (_what, step, answer) => {
    const attempt = await startSignIn()
    expect(await site.finish('one', { code: codeFor(answer(attempt)), state: attempt.state })).toMatchObject(
      refusedAt(step),
    )
    expect(await users('bad@example.org')).toEqual([])
  })

  it('is logged with the reason, but without anything that was sent', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const attempt = await startSignIn()
    const code = codeFor(good(attempt, 'logged', { nonce: 'another' }))
    await site.finish('one', { code, state: attempt.state })
    await site.finish('one', { code: codeFor({ ...good(attempt, 'logged'), challenge: 'x' }) })
    const lines = log.mock.calls.map(([line]) => String(line))
    log.mockRestore()
    expect(lines.filter((line) => line.includes('refused')).map((line) => JSON.parse(line).refused)).toEqual([
      [
        'ClientError OAUTH_JWT_CLAIM_COMPARISON_FAILED',
        'OperationProcessingError OAUTH_JWT_CLAIM_COMPARISON_FAILED',
      ],
      ['ResponseBodyError OAUTH_RESPONSE_BODY_ERROR invalid_grant'],
    ])
    expect(lines.join('\n')).not.toMatch(
      new RegExp(`logged|example\\.org|${attempt.state}|${attempt.nonce}|${code}`),
    )
  })

  it('is not one whose clocks differ by less than 30 seconds', async () => {
    const attempt = await startSignIn()
    const answer = good(attempt, 'skewed', { exp: Math.floor(Date.now() / 1000) - 28 })
    expect((await site.finish('one', { code: codeFor(answer), state: attempt.state })).status).toBe(200)
  })

  it('has a code from another issuer (iss)', async () => {
    const attempt = await startSignIn()
    const answer = await site.finish('one', {
      code: codeFor(good(attempt, 'mixed')),
      state: attempt.state,
      iss: 'https://evil.example',
    })
    expect(answer).toMatchObject(refusedAt('callback'))
  })

  it('has another redirect_uri than that of the start', async () => {
    const attempt = await startSignIn()
    const answer = await site.finish('one', {
      code: codeFor(good(attempt, 'x')),
      state: attempt.state,
      redirect_uri: 'http://localhost/other',
    })
    expect([answer.status, answer.body]).toEqual([
      400,
      { redirect_uri: ['The sign-in was started with another address.'] },
    ])
  })

  it('has wrong client credentials, which the provider rejects', async () => {
    const { body } = await app.request('GET', `${site.api}/auth/social-apps/?search=two`)
    await app.request('PATCH', `${site.api}/auth/social-apps/${body.data[0].id}/`, {
      token: site.owner.token,
      body: { secret: 'wrong' },
    })
    expect(await site.signIn('two', verified('x'))).toMatchObject(refused)
  })

  it('has a token endpoint that redirects to a private address, which is not followed', async () => {
    const before = await canaries()
    const body = openIdApp('redirecting', serverOf('redirecting'))
    await app.request('POST', `${site.api}/auth/social-apps/`, { token: site.owner.token, body })
    expect(await site.signIn('redirecting', verified('x'))).toMatchObject(refused)
    expect(await canaries()).toBe(before)
  })

  it('gets 500 {error, detail} if the secret of the app cannot be decrypted', async () => {
    await app.sql(
      `update tenant._social_apps set secret = key || '1.v1.AAAAAAAAAAAAAAAA.AAAA'
        where handle = 'redirecting'`,
    )
    expect(await site.signIn('redirecting', verified('x'))).toMatchObject({
      status: 500,
      body: { error: 'Decryption failed', code: 'decryption_failed' },
    })
  })
})
