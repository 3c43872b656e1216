/** Changing and resetting passwords with the API. A5, S7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession, issueTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { lettersTo, linkTokenOf, sendAccountEmails } from '../support/letters.ts'
import { runs } from '../support/runs.ts'

let app: TestApp
let shop: Shop
const password = 'Correct-horse-1'
const another = 'Another-horse-2'

const post = (path: string, body: unknown, token?: string, of = app) =>
  of.request('POST', `/api/auth/${path}/`, { body, ...(token ? { token } : {}) })
const signIn = (username: string, secret = password) => post('jwt/token', { username, password: secret })
const change = (token: string, current_password = password, secret = another) =>
  post('password/change', { current_password, password: secret }, token)
const ask = (email: string, of = app) => post('password/reset', { email }, undefined, of)
const confirm = (token: string, secret = another) =>
  post('password/reset/confirm', { token, password: secret })
const sent = 'If an account has this e-mail address, a link was sent to it.'
const invalid = {
  status: 400,
  body: { token: ['This link is no longer valid. Request a new one.'] },
}

/**
 * Asks for a reset and returns the token from the e-mail. An address gets one link a minute, so the previous
 * e-mail is made to look older.
 */
async function resetToken(user: Pick<User, 'email'>): Promise<string> {
  await app.sql(`update account_emails set sent_at = sent_at - interval '2 minutes' where recipient = $1`, [
    user.email,
  ])
  await ask(user.email)
  return linkTokenOf(app, user.email)
}

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'https://app.example.com' })
  shop = await createShop(app, 'acme')
})

describe('POST /api/auth/password/change/', () => {
  it('returns 400 for a wrong current password, and for a new one that breaks the rules', async () => {
    const { token } = await app.user('wrong', { password })
    expect(await change(token, 'Wrong-horse-1')).toMatchObject({
      status: 400,
      body: { current_password: ['This is not the current password.'] },
    })
    expect(await change(token, password, 'horse')).toMatchObject({
      status: 400,
      body: {
        password: [
          'A password must have at least 8 characters.',
          'A password must have an upper-case letter.',
          'A password must have a digit.',
        ],
      },
    })
    expect((await signIn('wrong')).status).toBe(200)
  })

  it('returns 400 for an account without a password, which signs in with a provider only', async () => {
    const { token } = await app.user('provided')
    expect(await change(token)).toMatchObject({
      status: 400,
      body: {
        current_password: [
          'This account has no password yet. POST /api/auth/password/reset/ mails a link for one.',
        ],
      },
    })
  })

  it('returns 403 for a sign-in by a provider of one organization if the account belongs to another one too', async () => {
    const user = await app.user('both', { password })
    const [organization] = await app.sql<{ id: string }>(
      `with a as (insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
                  select id, 1, 'i', 'both', $1 from sites where slug = 'acme' returning site_id)
       select s.organization_id as id from sites s join a on a.site_id = s.id`,
      [user.id],
    )
    await app.request('POST', '/api/cloud/organizations/', { token: user.token, body: { name: 'Elsewhere' } })
    const { access } = await issueTokens(configOf(app.env), {
      ...(await app.identity(user)),
      organizationId: Number(organization?.id),
    })
    expect((await change(access)).status).toBe(403)
    expect((await signIn('both')).status).toBe(200)
  })

  it('returns 200 with the first new tokens; earlier tokens, sessions and keys end, and the owner gets a notice', async () => {
    const user = await app.user('changer', { password })
    const key = await app.request('POST', `${shop.api}/api-keys/`, {
      token: shop.owner.token,
      body: { name: 'mine' },
    })
    await app.sql('update api_keys set user_id = $1 where id = $2', [user.id, key.body.id])
    const before = (await signIn('changer')).body
    const { status, body } = await change(user.token)
    expect([status, body]).toEqual([
      200,
      { access: expect.any(String), refresh: expect.any(String), token_type: 'Bearer', expires_in: 900 },
    ])
    const me = (token: string) => app.request('GET', '/api/users/me/', { token })
    expect((await me(body.access)).status).toBe(200)
    expect((await me(user.token)).status).toBe(401)
    expect((await post('jwt/token/refresh', { refresh: before.refresh })).status).toBe(401)
    expect(await app.sql('select from api_keys where user_id = $1', [user.id])).toEqual([])
    expect([(await signIn('changer')).status, (await signIn('changer', another)).status]).toEqual([401, 200])
    await sendAccountEmails(app)
    const [notice] = await lettersTo(app, user.email)
    expect(notice?.subject).toBe('Your password was changed')
    expect(
      await app.sql('select from account_emails where recipient = $1 and sent_at is null', [user.email]),
    ).toEqual([])
  })

  it('succeeds for one of ten simultaneous changes with the same current password', async () => {
    const user = await app.user('racer', { password })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => change(user.token, password, `Racing-horse-${index}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 400, 401].includes(status))).toBe(true)
  })

  it('is in the audit log of the organization, without any password', async () => {
    const user = await app.user('audited', { password })
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, 'member' from sites where slug = 'acme'`,
      [user.id],
    )
    await change(user.token)
    const entries = await app.sql(
      `select actor, kind, action, object, changed, values from audit_entries
        where kind = 'user' and object = 'audited' and action = 'change'`,
    )
    expect(entries).toEqual([
      {
        actor: 'audited',
        kind: 'user',
        action: 'change',
        object: 'audited',
        changed: ['password_hash'],
        values: {},
      },
    ])
  })
})

describe('POST /api/auth/password/reset/', () => {
  it('returns 400 for an invalid address', async () => {
    expect(await ask('nobody')).toMatchObject({
      status: 400,
      body: { email: ['An e-mail address is required.'] },
    })
  })

  it('returns 429 for an address that asks too often, and for such an IP address', async () => {
    const slow = app.with({ RATE_LIMIT_SCALE: '1' })
    const from = (ip: string, email: string) =>
      slow.request('POST', '/api/auth/password/reset/', {
        body: { email },
        headers: { 'cf-connecting-ip': ip },
      })
    const ofAddress = []
    for (let times = 0; times < 12; times++)
      ofAddress.push((await from(`203.0.113.${times}`, 'often@example.org')).status)
    expect(ofAddress.filter((status) => status === 200)).toHaveLength(10)
    const ofClient = []
    for (let times = 0; times < 12; times++)
      ofClient.push((await from('203.0.113.99', `often-${times}@example.org`)).status)
    expect(ofClient.filter((status) => status === 200)).toHaveLength(10)
  })

  it('returns and does the same for an address with an account, without one, inactive, and of another organization', async () => {
    await app.user('known', { password })
    const inactive = await app.user('inactive', { password })
    await app.sql('update users set is_active = false where id = $1', [inactive.id])
    const addresses = ['known@example.org', 'unknown@example.org', 'inactive@example.org', shop.owner.email]
    const development = app.with({ ENVIRONMENT: 'development' })
    for (const email of addresses) {
      const { status, body, headers } = await ask(email, development)
      const rows = await app.sql(
        `select user_id, kind, token_hash from account_emails where recipient = $1 and sent_at is null`,
        [email],
      )
      expect([email, status, body, headers.get('server-timing')?.replace(/dur=[\d.]+/, ''), rows]).toEqual([
        email,
        200,
        { detail: sent },
        'db;;desc="1"',
        [{ user_id: null, kind: 'reset-password', token_hash: null }],
      ])
    }
    await sendAccountEmails(app)
    const counts = await Promise.all(addresses.map(async (email) => (await lettersTo(app, email)).length))
    expect(counts).toEqual([1, 0, 0, 1])
    expect(
      await app.sql(`select from account_emails where recipient like '%known@%' and user_id is null`),
    ).toEqual([])
  })

  it('mails a link with PUBLIC_URL and the requested site, whichever host the request names', async () => {
    await app.user('hosted', { password })
    const hostile = { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
    for (const path of ['http://evil.test/api/auth/password/reset/', '/sites/acme/api/auth/password/reset/'])
      await app.request('POST', path, { body: { email: 'hosted@example.org' }, headers: hostile })
    await app.sql(
      `update account_emails set wanted_at = wanted_at - interval '1 second' where site_id is null`,
    )
    await sendAccountEmails(app)
    const [letter] = await lettersTo(app, 'hosted@example.org')
    expect(letter?.text).toMatch(
      /https:\/\/app\.example\.com\/accounts\/password\/reset\/confirm\/\?token=[\w-]{32}\n/,
    )
    expect(letter?.html).not.toContain('evil')
    await app.sql(`update account_emails set sent_at = sent_at - interval '2 minutes'`)
    await app.request('POST', '/sites/acme/api/auth/password/reset/', {
      body: { email: 'hosted@example.org' },
    })
    await sendAccountEmails(app)
    const [ofSite] = await lettersTo(app, 'hosted@example.org')
    expect(ofSite?.text).toContain(
      'https://app.example.com/sites/acme/accounts/password/reset/confirm/?token=',
    )
  })

  it('mails one link a minute to an address, however often it is asked', async () => {
    await app.user('flooded', { password })
    for (let times = 0; times < 5; times++) {
      await ask('flooded@example.org')
      await sendAccountEmails(app)
    }
    expect(await lettersTo(app, 'flooded@example.org')).toHaveLength(1)
  })
})

describe('POST /api/auth/password/reset/confirm/', () => {
  it('returns 400 for an unknown token, and for one older than 30 minutes', async () => {
    const user = await app.user('late', { password })
    expect(await confirm('x'.repeat(32))).toMatchObject(invalid)
    const token = await resetToken(user)
    const [row] = await app.sql<{ minutes: number }>(
      `select round(extract(epoch from expires_at - now()) / 60)::int as minutes from account_emails where recipient = $1`,
      [user.email],
    )
    expect(row?.minutes).toBe(30)
    await app.sql('update account_emails set expires_at = now() where recipient = $1', [user.email])
    expect(await confirm(token)).toMatchObject(invalid)
    expect((await signIn('late')).status).toBe(200)
  })

  it('returns 400 for a link that verifies an address, the older of two links, and after a change of address or password', async () => {
    const user = await app.user('moved', { password })
    await post('email/verify', { email: user.email })
    expect(await confirm(await linkTokenOf(app, user.email))).toMatchObject(invalid)
    const older = await resetToken(user)
    const newer = await resetToken(user)
    expect(older).not.toBe(newer)
    expect(await confirm(older)).toMatchObject(invalid)
    await app.sql(`update users set email = 'moved-on@example.org' where id = $1`, [user.id])
    expect(await confirm(newer)).toMatchObject(invalid)
    await app.sql(`update users set email = 'moved@example.org' where id = $1`, [user.id])
    const before = await resetToken(user)
    expect((await change(user.token)).status).toBe(200)
    expect(await confirm(before, 'Third-horse-3')).toMatchObject(invalid)
  })

  it('returns 400 for an account that was suspended after the e-mail, and changes nothing', async () => {
    const user = await app.user('suspended', { password })
    const token = await resetToken(user)
    await app.sql('update users set is_active = false where id = $1', [user.id])
    expect(await confirm(token)).toMatchObject(invalid)
    await app.sql('update users set is_active = true where id = $1', [user.id])
    expect((await signIn('suspended')).status).toBe(200)
  })

  it('returns 400 for a password that breaks the rules; the link still works', async () => {
    const user = await app.user('weak', { password })
    const token = await resetToken(user)
    expect((await confirm(token, 'weak')).body).toEqual({ password: expect.any(Array) })
    expect(await confirm(token)).toMatchObject({
      status: 200,
      body: { detail: 'The password was set. Sign in with it.' },
    })
    expect((await signIn('weak', another)).status).toBe(200)
  })

  it('accepts a link once: one of ten simultaneous confirmations succeeds, and another use gets 400', async () => {
    const user = await app.user('once', { password })
    const token = await resetToken(user)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => confirm(token, `Racing-horse-${index}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
    expect(await confirm(token)).toMatchObject(invalid)
  })

  it('gives an account without a password its first one, and removes providers that others may have added', async () => {
    const user = await app.user('first')
    await app.sql(
      `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id, is_own)
       select id, 1, 'i', s.subject, $1, s.is_own from sites, (values ('stranger', false), ('own', true)) s (subject, is_own)
        where slug = 'acme'`,
      [user.id],
    )
    expect((await confirm(await resetToken(user))).status).toBe(200)
    expect((await signIn('first', another)).status).toBe(200)
    expect(await app.sql('select subject from social_accounts where user_id = $1', [user.id])).toEqual([
      { subject: 'own' },
    ])
    const [row] = await app.sql(
      'select email_verified_at is not null as verified, password_is_own as own from users where id = $1',
      [user.id],
    )
    expect(row).toEqual({ verified: true, own: true })
  })

  it('keeps no token and no password in the queue or in the database', async () => {
    const user = await app.user('dumped', { password })
    const token = await resetToken(user)
    const [row] = await app.sql<{ dump: string }>(
      `select string_agg(e::text, ' ') as dump from account_emails e where recipient = $1`,
      [user.email],
    )
    expect(row?.dump).toMatch(/[0-9a-f]{64}/)
    expect(row?.dump).not.toContain(token)
  })

  it('ends every earlier sign-in at once: none of 200 requests with old credentials is accepted', async () => {
    const user = await app.user('ended', { password })
    const config = configOf(app.env)
    const identity = await app.identity(user)
    const token = await resetToken(user)
    const tokens = await Promise.all(Array.from({ length: 8 }, () => issueTokens(config, identity)))
    const sessions = await Promise.all(Array.from({ length: 8 }, () => issueSession(config, identity)))
    expect((await confirm(token)).status).toBe(200)
    const ask = (index: number) => {
      const { access, refresh } = tokens[index % 8] as (typeof tokens)[number]
      const kinds = [
        () => app.request('GET', '/api/users/me/', { token: access }),
        () => post('jwt/token/refresh', { refresh }),
        () => post('jwt/token/verify', { token: access }),
        () =>
          app.request('POST', '/api/auth/session/token/', {
            headers: { cookie: `sessionid=${sessions[index % 8]}`, origin: 'http://localhost' },
          }),
      ]
      return (kinds[index % kinds.length] as (typeof kinds)[0])()
    }
    // A busy isolate serves no more requests at once.
    for (let sent = 0; sent < runs(200, 1000); sent += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(sent + index)))
      expect(answers.filter(({ status }) => status !== 401)).toEqual([])
    }
  })
})
