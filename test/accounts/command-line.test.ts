/**
 * Signing in the command line with a browser: the page, the code, and the callers that must not get a code.
 * A1, A3.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { challengeOf } from '../../src/identity/accounts/command-line/schema.ts'
import { signToken } from '../../src/kernel/access/signed-tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { comparisonCode } from '../../src/kernel/lib/comparison-code.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { commitWhenAwaited, hold, untilWaiting } from '../support/locks.ts'

let app: TestApp
let ada: User
let cookie: string

const verifier = 'v'.repeat(43)
const state = 's'.repeat(43)
const asked = { port: '43210', challenge: challengeOf(verifier), state, name: 'ada-laptop' }
const origin = 'http://localhost'

/** Signs in a browser. Returns the token of its session. */
async function sessionOf(username: string): Promise<string> {
  const body = { username, password: 'Correct-horse-1' }
  const { headers } = await app.request('POST', '/api/auth/session/', { body })
  return /sessionid=([^;]+)/.exec(headers.getSetCookie().join())?.[1] ?? ''
}

/** Returns the token of a session that started an hour ago. */
async function oldSession(): Promise<string> {
  const hour = 3_600_000
  const claims = { id: crypto.randomUUID(), family: undefined, signedInAt: new Date(Date.now() - hour) }
  const times = { issuedAt: new Date(), expiresAt: new Date(Date.now() + hour) }
  return signToken(configOf(app.env), 'session', { ...(await app.identity(ada)), ...claims, ...times })
}

beforeAll(async () => {
  app = await startApp()
  ada = await app.user('ada', { password: 'Correct-horse-1' })
  cookie = `sessionid=${await sessionOf('ada')}`
})

const pageOf = (members: object = {}, headers: Record<string, string> = { cookie }) =>
  app.request('GET', `/accounts/cli/?${new URLSearchParams({ ...asked, ...members })}`, { headers })
const submit = (members: object = {}, headers: Record<string, string> = { cookie, origin }) =>
  app.request('POST', '/accounts/cli/', {
    body: new URLSearchParams({ ...asked, answer: 'yes', ...members }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const exchange = (code: string, by = verifier) =>
  app.request('POST', '/api/auth/cli/token/', { body: { code, verifier: by } })
const targetOf = ({ headers }: { headers: Headers }) => new URL(headers.get('location') ?? '', origin)
const codeOf = async () => targetOf(await submit()).searchParams.get('code') ?? ''
const me = (token: string) => app.request('GET', '/api/users/me/', { token })
const gone = {
  status: 400,
  body: {
    detail: 'This code is not valid, was used, or has ended. Begin with `tessera login` again.',
    code: 'wrong_code',
  },
}

describe('the page that signs in the command line', () => {
  it.each<[what: string, members: object]>([
    ['a port of services', { port: '80' }],
    ['a port that is a host', { port: '1@evil.test' }],
    ['no port', { port: '' }],
    ['a challenge of another length', { challenge: 'short' }],
    ['a state with a line break', { state: `${'s'.repeat(42)}\n` }],
    ['a name with markup', { name: '<b>laptop</b>' }],
    ['a name that turns the text around', { name: 'lap\u202etop' }],
    ['a name of 61 characters', { name: 'x'.repeat(61) }],
  ])('returns 400 for %s, and so does its form', async (_what, members) => {
    for (const answer of [await pageOf(members), await submit(members)]) {
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('Run `tessera login` again.')
      expect(answer.headers.get('location')).toBe(null)
    }
  })

  it('asks for a sign-in first: without a session, with one that has ended, and with an old one', async () => {
    const other = `sessionid=${await sessionOf('ada')}`
    await app.request('DELETE', '/api/auth/session/', { headers: { cookie: other, origin } })
    const old = `sessionid=${await oldSession()}`
    const answers = [
      await pageOf({}, {}),
      await pageOf({}, { cookie: other }),
      await pageOf({}, { cookie: old }),
      await submit({}, { cookie: old, origin }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(303)
      const { pathname, searchParams, host } = targetOf(answer)
      expect([host, pathname]).toEqual(['localhost', '/accounts/login/'])
      const next = new URL(searchParams.get('next') ?? '', origin)
      expect([next.pathname, Object.fromEntries(next.searchParams)]).toEqual(['/accounts/cli/', asked])
    }
  })

  it('shows the machine, the account, and the code to compare; no other page can frame it', async () => {
    const { status, text, headers } = await pageOf()
    expect(status).toBe(200)
    for (const shown of ['ada-laptop', '<strong>ada</strong>', comparisonCode(asked.challenge)])
      expect(text).toContain(shown)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("form-action 'self' http://127.0.0.1:43210;")
    expect(policy).toContain("frame-ancestors 'none'")
  })
})

describe('the form that signs in the command line', () => {
  it('returns 403 from another origin and 401 without a session, so that no page can agree for a person', async () => {
    const senders: Record<string, string>[] = [
      { cookie, origin: 'http://evil.test' },
      { cookie, origin: 'null' },
      { cookie },
    ]
    for (const headers of senders) expect((await submit({}, headers)).status).toBe(403)
    expect((await submit({}, { origin })).status).toBe(401)
  })

  it('sends the code only to the machine of the browser', async () => {
    const to = targetOf(await submit({ host: 'evil.test', redirect_uri: 'http://evil.test/' }))
    expect([to.origin, to.pathname, to.searchParams.get('state')]).toEqual([
      'http://127.0.0.1:43210',
      '/',
      state,
    ])
    expect(to.searchParams.get('code')?.length).toBeGreaterThan(100)
    expect(to.href).not.toContain('eyJ')
  })

  it('sends no code if the person refuses', async () => {
    const to = targetOf(await submit({ answer: 'no' }))
    expect(to.href).toBe(`http://127.0.0.1:43210/?error=access_denied&state=${state}`)
  })
})

describe('the code that signs in the command line', () => {
  it('gets 400 with another verifier, with the challenge as verifier, and if it was changed', async () => {
    const code = await codeOf()
    const changed = `${code.slice(0, 40)}${code[40] === 'A' ? 'B' : 'A'}${code.slice(41)}`
    expect(await exchange(code, 'w'.repeat(43))).toMatchObject(gone)
    expect(await exchange(code, asked.challenge)).toMatchObject(gone)
    expect(await exchange(changed)).toMatchObject(gone)
    expect(await exchange('unknown')).toMatchObject(gone)
    expect((await exchange(code, 'short')).body).toEqual({ verifier: ['Must be 32 bytes in base64url.'] })
    expect((await exchange(code)).status).toBe(200)
  })

  it('gives one sign-in to many simultaneous uses, and a second use ends that sign-in', async () => {
    const code = await codeOf()
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)))
    const good = answers.filter(({ status }) => status === 200)
    expect(good).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7)
    expect(await exchange(code)).toMatchObject(gone)
    const { access, refresh } = good[0]?.body ?? {}
    expect((await me(access)).status).toBe(401)
    expect((await app.request('POST', '/api/auth/jwt/token/refresh/', { body: { refresh } })).status).toBe(
      401,
    )
  })

  it('leaves no sign-in if it is used twice at the same moment', async () => {
    const code = await codeOf()
    const release = await hold(app, `perform from users where id = ${ada.id} for update`)
    const exchanges = [exchange(code), exchange(code)]
    await untilWaiting(app, 2)
    await release()
    const answers = await Promise.all(exchanges)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const { access, refresh } = answers.find(({ status }) => status === 200)?.body ?? {}
    expect((await me(access)).status).toBe(401)
    expect((await app.request('POST', '/api/auth/jwt/token/refresh/', { body: { refresh } })).status).toBe(
      401,
    )
  })

  it('stops working once the session has ended or the password has changed', async () => {
    const session = `sessionid=${await sessionOf('ada')}`
    const to = targetOf(await submit({}, { cookie: session, origin }))
    await app.request('DELETE', '/api/auth/session/', { headers: { cookie: session, origin } })
    expect(await exchange(to.searchParams.get('code') ?? '')).toMatchObject(gone)
    const bob = await app.user('bob', { password: 'Correct-horse-1' })
    const his = `sessionid=${await sessionOf('bob')}`
    const code = targetOf(await submit({}, { cookie: his, origin })).searchParams.get('code') ?? ''
    await app.sql('update users set generation = generation + 1 where id = $1', [bob.id])
    expect(await exchange(code)).toMatchObject(gone)
  })

  it('stops working if all other sign-ins are ended during the exchange', async () => {
    const eve = await app.user('eve', { password: 'Correct-horse-1' })
    const lost = `sessionid=${await sessionOf('eve')}`
    const code = targetOf(await submit({}, { cookie: lost, origin })).searchParams.get('code') ?? ''
    const { committed } = await commitWhenAwaited(
      app,
      `perform public.end_other_sign_ins(
         row(${eve.id}, 1, null, gen_random_uuid(), null, null, null, null, null)::public.caller)`,
    )
    expect(await exchange(code)).toMatchObject(gone)
    await committed
    expect(
      await app.sql('select from refresh_families where user_id = $1 and revoked_at is null', [eve.id]),
    ).toEqual([])
  })

  it('gets 503 while the database is unavailable, and works afterwards', async () => {
    const code = await codeOf()
    const away = app.with({ DATABASE_URL: app.databaseUrl.replace(/:\d+\//, ':9/') })
    const { status, body } = await away.request('POST', '/api/auth/cli/token/', { body: { code, verifier } })
    expect([status, body]).toEqual([
      503,
      { detail: 'The service is temporarily unavailable. Try again in a moment.', code: 'unavailable' },
    ])
    expect((await exchange(code)).status).toBe(200)
  })

  it('starts a sign-in of its own, listed with its machine, with the sign-in time of the browser', async () => {
    const { status, body } = await exchange(await codeOf())
    expect([status, body]).toEqual([
      200,
      { access: expect.any(String), refresh: expect.any(String), token_type: 'Bearer', expires_in: 900 },
    ])
    const claims = JSON.parse(atob(body.access.split('.')[1]))
    expect(Date.now() / 1000 - claims.auth_time).toBeLessThan(600)
    const listed = await app.request('GET', '/api/auth/sessions/', { token: body.access })
    const own = listed.body.results.find(({ is_current }: { is_current: boolean }) => is_current)
    expect(own).toMatchObject({ kind: 'tokens', device: 'tessera on ada-laptop' })
    const refreshed = await app.request('POST', '/api/auth/jwt/token/refresh/', {
      body: { refresh: body.refresh },
    })
    expect(refreshed.status).toBe(200)
    await app.request('DELETE', `/api/auth/sessions/${own.id}/`, { token: ada.token })
    expect((await me(refreshed.body.access)).status).toBe(401)
  })
})
