/** Linking a provider to an account while signed in. S7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { signToken } from '../../src/kernel/access/signed-tokens.ts'
import { issueSession, newSession, newTokens, signTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { provenUser, unusedCode, withTotp } from '../support/factors.ts'
import { lettersTo, sendAccountEmails } from '../support/letters.ts'
import { codeFor, createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite

const gone = {
  status: 400,
  body: {
    detail: 'This sign-in has expired, is already finished, or was started elsewhere. Start again.',
    code: 'sign_in_expired',
  },
}
const taken = {
  status: 409,
  body: {
    detail:
      'This provider account is linked to another account. Unlink it there first: ' +
      'DELETE /api/users/me/providers/{id}/.',
    code: 'linked_elsewhere',
  },
}
const forbidden = {
  status: 403,
  body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
}

type Headers = Record<string, string>
/** The credentials of a request: a token, or the headers of a browser. */
interface With {
  token?: string
  headers?: Headers
}

const outcome = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
const begin = (as: With, body: unknown = {}, handle = 'one') =>
  app.request('POST', `${site.api}/auth/${handle}/link/`, { ...as, body })
const confirm = (as: With, body: unknown, handle = 'one') =>
  app.request('POST', `${site.api}/auth/${handle}/link/confirm/`, { ...as, body })

/** Returns the code that the provider gives a person for an attempt. */
function codeOf(begun: Awaited<ReturnType<typeof begin>>, subject: string): { code: string; state: string } {
  const asked = new URL(begun.body.authorization_url).searchParams
  const claims = { nonce: asked.get('nonce'), ...verified(subject) }
  const code = codeFor({ challenge: asked.get('code_challenge') ?? undefined, claims })
  return { code, state: begun.body.state }
}

/** Links a provider from start to end with a token. */
async function link(user: User, subject: string) {
  const as = { token: user.token }
  return confirm(as, codeOf(await begin(as), subject))
}

const callback = (answer: { code: string; state: string }, cookie: string) =>
  app.request('GET', `/sites/acme/accounts/one/login/callback/?${new URLSearchParams({ ...answer })}`, {
    headers: { cookie },
  })

/** Returns the cookie of a browser with a session of its own. */
const sessionOf = async (user: User) =>
  `sessionid=${await issueSession(configOf(app.env), await app.identity(user))}`
const ownPage = (cookie: string): With => ({ headers: { cookie, 'sec-fetch-site': 'same-origin' } })
const statesCookie = ({ headers }: { headers: globalThis.Headers }) =>
  headers.getSetCookie()[0]?.replace(/;.*/, '') ?? ''
const subjectsOf = async (user: User) =>
  (
    await app.sql<{ subject: string }>(
      'select subject from social_accounts where user_id = $1 order by subject',
      [user.id],
    )
  ).map(({ subject }) => subject)

beforeAll(async () => {
  app = (await startApp()).with({
    ALLOW_PRIVATE_HOSTS: 'true',
    EMAIL_TRANSPORT: 'mailbox',
    RATE_LIMIT_SCALE: '1000',
  })
  site = await createSocialSite(app, 'acme', ['one', 'two'])
})

describe('POST /api/auth/{provider}/link/', () => {
  it('returns 401 without a sign-in, 403 for an old sign-in and for a page of another site', async () => {
    const user = await provenUser(app, 'stale')
    const body = { code: 'x', state: 'x' }
    expect([(await begin({})).status, (await confirm({}, body)).status]).toEqual([401, 401])
    const config = configOf(app.env)
    const signedInAt = new Date(Date.now() - 16 * 60_000)
    const claims = newTokens(config, { ...(await app.identity(user)), signedInAt })
    expect(outcome(await begin({ token: (await signTokens(config, claims)).access }))).toEqual({
      status: 403,
      body: {
        detail: 'This needs a sign-in within the last 900 seconds. Sign in again.',
        code: 'fresh_sign_in_required',
      },
    })
    const cookie = await sessionOf(user)
    const foreign = { headers: { cookie, 'sec-fetch-site': 'cross-site' } }
    expect(outcome(await begin(foreign))).toEqual(forbidden)
  })

  it('returns 404 for a provider that the site does not have, 400 for a redirect URI of another host', async () => {
    const as = { token: (await provenUser(app, 'wrong')).token }
    expect((await begin(as, {}, 'none')).status).toBe(404)
    expect((await begin(as, { redirect_uri: 'https://evil.example/' })).status).toBe(400)
  })
})

describe('POST /api/auth/{provider}/link/confirm/', () => {
  it('returns 500 if the secret of the app cannot be decrypted, and links nothing', async () => {
    const user = await provenUser(app, 'unlucky')
    const as = { token: user.token }
    const answer = codeOf(await begin(as, {}, 'two'), 'unlucky')
    const apps = `tenant._social_apps`
    const [kept] = await app.sql<{ secret: string }>(`select secret from ${apps} where handle = 'two'`)
    await app.sql(`update ${apps} set secret = key || '1.v1.AAAAAAAAAAAAAAAA.AAAA' where handle = 'two'`)
    expect(await confirm(as, answer, 'two')).toMatchObject({
      status: 500,
      body: { error: 'Decryption failed', code: 'decryption_failed' },
    })
    await app.sql(`update ${apps} set secret = $1 where handle = 'two'`, [kept?.secret])
    expect(await subjectsOf(user)).toEqual([])
  })

  it('returns 400 for an attempt of another account, in both directions, and links nothing', async () => {
    const [attacker, victim] = [await provenUser(app, 'attacker'), await provenUser(app, 'victim')]
    const [ofAttacker, ofVictim] = [{ token: attacker.token }, { token: victim.token }]
    const theirs = codeOf(await begin(ofAttacker), 'of-attacker')
    expect(outcome(await confirm(ofVictim, theirs))).toEqual(gone)
    const own = codeOf(await begin(ofVictim), 'of-victim')
    expect(outcome(await confirm(ofAttacker, own))).toEqual(gone)
    expect([await subjectsOf(attacker), await subjectsOf(victim)]).toEqual([[], []])
    // The account that has begun the attempt can still finish it.
    expect((await confirm(ofVictim, own)).status).toBe(200)
  })

  it('returns 400 for another sign-in of the same account, another provider of the site, and a used state', async () => {
    const user = await provenUser(app, 'replay')
    const as = { token: user.token }
    const answer = codeOf(await begin(as), 'replayed')
    expect(outcome(await confirm(ownPage(await sessionOf(user)), answer))).toEqual(gone)
    expect(outcome(await confirm(as, answer, 'two'))).toEqual(gone)
    expect((await confirm(as, answer)).status).toBe(200)
    expect(outcome(await confirm(as, answer))).toEqual(gone)
    expect(await subjectsOf(user)).toEqual(['replayed'])
  })

  it('returns 400 for an attempt that signs in; an attempt that links does not sign in', async () => {
    const user = await provenUser(app, 'crossed')
    const as = { token: user.token }
    expect(outcome(await confirm(as, codeOf(await site.begin('one'), 'crossed')))).toEqual(gone)
    expect(outcome(await site.finish('one', codeOf(await begin(as), 'crossed')))).toEqual(gone)
    expect(await subjectsOf(user)).toEqual([])
  })

  it('returns 401 once the sign-in has ended', async () => {
    const user = await provenUser(app, 'ended')
    const as = { token: user.token }
    const answer = codeOf(await begin(as), 'ended')
    await app.sql('update users set generation = generation + 1 where id = $1', [user.id])
    expect((await confirm(as, answer)).status).toBe(401)
    expect(await subjectsOf(user)).toEqual([])
  })

  it('returns 400 for an account without a proof of ownership, 403 for a superuser and for a sign-in by a provider', async () => {
    const plain = await app.user('plain', { password: 'Correct-horse-1' })
    expect(outcome(await link(plain, 'plain'))).toEqual({
      status: 400,
      body: {
        detail:
          'First prove that you own the account: POST /api/auth/password/reset/ mails a link to its ' +
          'address, which verifies the address and sets a password that only you know.',
        code: 'ownership_not_proved',
      },
    })
    const root = await provenUser(app, 'root-of-all')
    await app.sql('update users set is_superuser = true where id = $1', [root.id])
    expect(outcome(await link(root, 'root'))).toEqual(forbidden)
    const { body } = await site.signIn('one', verified('fed'))
    await app.sql('update users set email_verified_at = now() where id = $1', [body.user.id])
    const ofProvider = { token: body.access }
    expect(outcome(await begin(ofProvider))).toEqual(forbidden)
    expect(outcome(await confirm(ofProvider, { code: 'x', state: 'x' }))).toEqual(forbidden)
    expect(await app.sql(`select from social_accounts where subject in ('plain', 'root')`)).toEqual([])
  })

  it('returns 409 for a person who is linked to another account, also for one of two simultaneous requests', async () => {
    const [first, second] = [await provenUser(app, 'first'), await provenUser(app, 'second')]
    const answers = await Promise.all([link(first, 'shared'), link(second, 'shared')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.map(outcome)).toContainEqual(taken)
    expect([...(await subjectsOf(first)), ...(await subjectsOf(second))]).toEqual(['shared'])
  })

  it('returns 200 with the id of the link, also again; the link is listed and audited, and mailed once', async () => {
    const user = await provenUser(app, 'linker')
    // The provider names another address than the account. The two are not compared.
    const { status, body } = await link(user, 'elsewhere')
    expect([status, body]).toEqual([200, { id: expect.any(Number) }])
    expect((await link(user, 'elsewhere')).body).toEqual(body)
    const { results } = (await app.request('GET', '/api/users/me/providers/', { token: user.token })).body
    expect(results).toMatchObject([{ ...body, site: 'acme', provider: 'one' }])
    expect(
      await app.sql(
        `select action, actor_id from audit_entries where kind = 'social_account' and object_id = $1
          order by id limit 1`,
        [String(body.id)],
      ),
    ).toEqual([{ action: 'create', actor_id: String(user.id) }])
    await sendAccountEmails(app)
    expect((await lettersTo(app, user.email)).map(({ subject }) => subject)).toEqual([
      'A provider was linked to your account',
    ])
  })

  it('a linked provider signs in, but the second factor is still needed', async () => {
    const guarded = await withTotp(app, await provenUser(app, 'guarded'))
    expect((await link(guarded, 'guarded-elsewhere')).status).toBe(200)
    const { status, body } = await site.signIn('one', verified('guarded-elsewhere', 'other@example.org'))
    expect([status, body.factors, body.access]).toEqual([403, ['totp', 'recovery_code'], undefined])
    const code = await unusedCode(app, guarded)
    const done = await app.request('POST', '/api/auth/factor/', {
      body: { challenge: body.challenge, code },
    })
    expect((await app.request('GET', '/api/users/me/', { token: done.body.access })).body.id).toBe(guarded.id)
  })

  it('the last of two linked providers stays, also if both are unlinked at once', async () => {
    const user = await provenUser(app, 'leaving')
    const ids = [(await link(user, 'leaving-1')).body.id, (await link(user, 'leaving-2')).body.id]
    await app.sql('update users set password_hash = null where id = $1', [user.id])
    const answers = await Promise.all(
      ids.map((id) => app.request('DELETE', `/api/users/me/providers/${id}/`, { token: user.token })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
    expect(await subjectsOf(user)).toHaveLength(1)
  })
})

describe('/accounts/link/', () => {
  const path = '/sites/acme/accounts/link/'
  const send = (cookie: string, provider: string, origin = 'http://localhost') =>
    app.request('POST', path, {
      body: new URLSearchParams({ provider }).toString(),
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
    })

  it('returns 401 without a session, 403 for a form of another page, and 404 without a site', async () => {
    const cookie = await sessionOf(await provenUser(app, 'formless'))
    expect((await app.request('GET', path)).status).toBe(401)
    expect((await send('', 'one')).status).toBe(401)
    expect((await send(cookie, 'one', 'https://evil.test')).status).toBe(403)
    expect((await app.request('GET', '/accounts/link/', { headers: { cookie } })).status).toBe(404)
  })

  it('returns 404 for a provider that the site does not have and 403 for an old sign-in, with advice', async () => {
    const user = await provenUser(app, 'late-linker')
    const unknown = await send(await sessionOf(user), 'three')
    expect([unknown.status, unknown.body.includes('role="alert"')]).toEqual([404, true])
    const config = configOf(app.env)
    const signedInAt = new Date(Date.now() - 3_600_000)
    const old = await signToken(config, 'session', {
      ...newSession(config, await app.identity(user)),
      signedInAt,
    })
    const stale = await send(`sessionid=${old}`, 'one')
    expect(stale.status).toBe(403)
    expect(stale.body).toContain(
      'href="/sites/acme/accounts/login/?auto_redirect=false&amp;next=%2Fsites%2Facme%2Faccounts%2Flink%2F"',
    )
  })

  it('lists the providers, redirects the browser to one, and ends on the page of the account', async () => {
    const user = await provenUser(app, 'page-linker')
    const session = await sessionOf(user)
    const shown = await app.request('GET', path, { headers: { cookie: session } })
    expect([...shown.body.matchAll(/name="provider" value="([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'one',
      'two',
    ])
    const begun = await send(session, 'one')
    const [, to = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(begun.body) ?? []
    const asked = new URL(to.replaceAll('&amp;', '&'))
    const answer = codeOf(
      { ...begun, body: { authorization_url: asked.href, state: asked.searchParams.get('state') } },
      'page-elsewhere',
    )
    const done = await callback(answer, `${session}; ${statesCookie(begun)}`)
    expect([done.status, done.headers.get('location')]).toEqual([303, '/sites/acme/accounts/me/?done=linked'])
    expect(await subjectsOf(user)).toEqual(['page-elsewhere'])
    const account = await app.request('GET', '/sites/acme/accounts/me/?done=linked', {
      headers: { cookie: session },
    })
    expect(account.body).toContain('The provider is linked.')
    expect(account.body).toContain('href="/sites/acme/accounts/link/"')
  })
})

describe('GET /accounts/{provider}/login/callback/ for an attempt that links', () => {
  it('returns 400 in a browser that has not started it, with the session of another account, and without one', async () => {
    const [attacker, victim] = [await provenUser(app, 'mallory'), await provenUser(app, 'alice')]
    const [theirs, own] = [await sessionOf(attacker), await sessionOf(victim)]
    const begun = await begin(ownPage(theirs))
    const answer = codeOf(begun, 'mallory-elsewhere')
    for (const cookie of [own, theirs, `${own}; ${statesCookie(begun)}`, statesCookie(begun)])
      expect((await callback(answer, cookie)).status).toBe(400)
    expect([await subjectsOf(attacker), await subjectsOf(victim)]).toEqual([[], []])
  })

  it('links the provider once to the account of the session and redirects to `next`; no session starts', async () => {
    const user = await provenUser(app, 'browser')
    const session = await sessionOf(user)
    const begun = await begin(ownPage(session), { next: '/me/' })
    expect(begun.status).toBe(200)
    const answer = codeOf(begun, 'browser-elsewhere')
    const cookie = `${session}; ${statesCookie(begun)}`
    const done = await callback(answer, cookie)
    expect([done.status, done.headers.get('location')]).toEqual([303, '/me/'])
    expect(done.headers.getSetCookie().join()).not.toContain('sessionid')
    expect((await callback(answer, cookie)).status).toBe(400)
    expect(await subjectsOf(user)).toEqual(['browser-elsewhere'])
  })

  it('redirects to no other host', async () => {
    const user = await provenUser(app, 'led')
    const session = await sessionOf(user)
    const begun = await begin(ownPage(session), { next: '//evil.example/' })
    const done = await callback(codeOf(begun, 'led'), `${session}; ${statesCookie(begun)}`)
    expect([done.status, done.headers.get('location')]).toEqual([303, '/'])
  })
})
