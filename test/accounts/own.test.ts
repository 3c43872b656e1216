/** The endpoints for one's own account: names, language, e-mail address, deletion, export. T7, S7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueTokens, newTokens, signTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { runScheduledTasks } from '../../src/schedule.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { lettersTo, linkTokenOf, sendAccountEmails } from '../support/letters.ts'

let app: TestApp
let site: Site
const password = 'Correct-horse-1'

const me = (token: string) => app.request('GET', '/api/users/me/', { token })
const change = (token: string, body: unknown) => app.request('PATCH', '/api/users/me/', { token, body })
const remove = (token: string) => app.request('DELETE', '/api/users/me/', { token })
const post = (path: string, body: unknown, token?: string) =>
  app.request('POST', path, { body, ...(token ? { token } : {}) })
const confirm = (token: string, bearer?: string) => post('/api/auth/email/verify/confirm/', { token }, bearer)
const signIn = (username: string) => post('/api/auth/jwt/token/', { username, password })

/** Returns a token of a sign-in from an hour ago. */
async function oldToken(user: User): Promise<string> {
  const config = configOf(app.env)
  const signedInAt = new Date(Date.now() - 3_600_000)
  return (await signTokens(config, newTokens(config, { ...(await app.identity(user)), signedInAt }))).access
}
const stale = {
  status: 403,
  body: {
    detail: 'This needs a sign-in within the last 900 seconds. Sign in again.',
    code: 'fresh_sign_in_required',
  },
}

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'https://app.example.com' })
  site = await createSite(app, 'acme')
})

describe('PATCH /api/users/me/', () => {
  it('returns 400 for an invalid language, an unknown field and an invalid address', async () => {
    const { token } = await app.user('careless')
    expect(await change(token, { preferred_language: 'german', nickname: 'x', email: 'x' })).toMatchObject({
      status: 400,
      body: {
        preferred_language: ['A language is a code such as "de" or "en-GB".'],
        email: ['An e-mail address is required.'],
        nickname: [expect.any(String)],
      },
    })
  })

  it('changes names and language; refuses what only the service changes; GET returns the same', async () => {
    const user = await app.user('ada')
    const body = {
      first_name: 'Ada',
      last_name: 'Byron',
      preferred_language: 'de',
    }
    const refused = await change(user.token, { ...body, is_superuser: true, id: 1 })
    expect([refused.status, Object.keys(refused.body).sort()]).toEqual([400, ['id', 'is_superuser']])
    const changed = await change(user.token, body)
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        id: user.id,
        uuid: expect.any(String),
        username: 'ada',
        email: 'ada@example.org',
        first_name: 'Ada',
        last_name: 'Byron',
        full_name: 'Ada Byron',
        is_active: true,
        is_superuser: false,
        date_joined: expect.any(String),
        last_login: null,
        preferred_language: 'de',
        email_verified: false,
        pending_email: null,
        deletes_at: null,
      },
    ])
    expect((await me(user.token)).body).toEqual(changed.body)
    expect((await change(user.token, changed.body)).body).toEqual(changed.body)
    expect((await change(user.token, { preferred_language: null })).body.preferred_language).toBeNull()
  })
})

describe('a new e-mail address', () => {
  it('returns 403 with an old sign-in', async () => {
    const user = await app.user('slow')
    expect(await change(await oldToken(user), { email: 'slower@example.org' })).toMatchObject(stale)
    expect((await change(await oldToken(user), { email: 'SLOW@example.org' })).status).toBe(200)
  })

  it('replaces the old one once its owner opens the mailed link; the old address gets a notice', async () => {
    const user = await app.user('mover', { password })
    await app.sql('update users set password_is_own = true where id = $1', [user.id])
    const asked = await change(user.token, { email: 'moved@example.org' })
    expect(asked.body).toMatchObject({ email: 'mover@example.org', pending_email: 'moved@example.org' })
    const token = await linkTokenOf(app, 'moved@example.org')
    const stranger = await app.user('mover-stranger')
    for (const bearer of [undefined, stranger.token]) expect((await confirm(token, bearer)).status).toBe(403)
    expect((await me(user.token)).body.email).toBe('mover@example.org')
    expect(await confirm(token, user.token)).toMatchObject({
      status: 200,
      body: { email: 'moved@example.org', has_password: true },
    })
    expect((await me(user.token)).body).toMatchObject({
      email: 'moved@example.org',
      email_verified: true,
      pending_email: null,
    })
    expect((await confirm(token, user.token)).status).toBe(400)
    expect((await signIn('moved@example.org')).status).toBe(200)
    const [row] = await app.sql('select password_is_own as own from users where id = $1', [user.id])
    expect(row).toEqual({ own: true })
    await sendAccountEmails(app)
    expect((await lettersTo(app, 'mover@example.org'))[0]?.subject).toBe('Your e-mail address was changed')
  })

  it('of another account gets the same answer as any other, but no e-mail', async () => {
    const user = await app.user('prober')
    await app.user('target')
    for (const email of ['target@example.org', 'nobody-has@example.org']) {
      const { status, body } = await change(user.token, { email })
      expect([status, body.pending_email]).toEqual([200, email])
      await sendAccountEmails(app)
      expect((await me(user.token)).body.pending_email).toBe(email)
    }
    expect(await lettersTo(app, 'target@example.org')).toEqual([])
  })

  it('gets 400 if another account takes it before the link is opened', async () => {
    const user = await app.user('late')
    await change(user.token, { email: 'wanted@example.org' })
    const token = await linkTokenOf(app, 'wanted@example.org')
    await app.sql(`insert into users (username, email) values ('faster', 'wanted@example.org')`)
    expect(await confirm(token, user.token)).toMatchObject({
      status: 400,
      body: { token: ['This link is no longer valid. Request a new one.'] },
    })
  })

  it('is set by one of ten simultaneous confirmations', async () => {
    const user = await app.user('racing')
    await change(user.token, { email: 'raced@example.org' })
    const token = await linkTokenOf(app, 'raced@example.org')
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token, user.token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('DELETE /api/users/me/', () => {
  it('returns 403 with an old sign-in, and 400 for the only owner of an organization', async () => {
    const user = await app.user('hasty')
    expect(await remove(await oldToken(user))).toMatchObject(stale)
    expect(await remove(site.owner.token)).toMatchObject({
      status: 400,
      body: {
        non_field_errors: ['The user is the only owner of an organization. An organization needs an owner.'],
      },
    })
  })

  it('plans the deletion in seven days and ends every sign-in: none of 200 requests with old tokens is accepted', async () => {
    const user = await app.user('leaver', { password })
    const identity = await app.identity(user)
    const tokens = await Promise.all(
      Array.from({ length: 8 }, () => issueTokens(configOf(app.env), identity)),
    )
    const { status, body } = await remove(user.token)
    const days = (Date.parse(body.deletes_at) - Date.now()) / 86_400_000
    expect([status, Math.round(days)]).toEqual([200, 7])
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const { access, refresh } = tokens[index % 8] as (typeof tokens)[number]
        return index % 2 ? me(access) : post('/api/auth/jwt/token/refresh/', { refresh })
      }),
    )
    expect(answers.filter((answer) => answer.status !== 401)).toEqual([])
    await sendAccountEmails(app)
    expect((await lettersTo(app, user.email))[0]?.subject).toBe('Your account will be deleted')
  })

  it('lets an account that signs in again cancel the deletion', async () => {
    const user = await app.user('returner', { password })
    await remove(user.token)
    const { access } = (await signIn('returner')).body
    expect((await me(access)).body.deletes_at).toEqual(expect.any(String))
    const kept = await post('/api/users/me/restore/', undefined, access)
    expect([kept.status, kept.body.deletes_at]).toEqual([200, null])
    await runScheduledTasks(app.env)
    expect((await me(access)).status).toBe(200)
  })

  it('deletes the account after seven days, and not earlier; the only owner of an organization stays', async () => {
    const due = await app.user('due', { password })
    const early = await app.user('early', { password })
    const owner = await app.user('owner-later', { password })
    for (const { token } of [due, early, owner]) await remove(token)
    await app.sql(
      `with o as (insert into organizations (name, slug) values ('Later', 'later') returning id)
       insert into memberships (organization_id, user_id, role) select o.id, $1, 'owner' from o`,
      [owner.id],
    )
    await app.sql(`update users set deletes_at = now() - interval '1 minute' where id = any ($1)`, [
      [due.id, owner.id],
    ])
    await runScheduledTasks(app.env)
    const left = await app.sql<{ username: string }>(
      'select username from users where id = any ($1) order by id',
      [[due.id, early.id, owner.id]],
    )
    expect(left.map(({ username }) => username)).toEqual(['early', 'owner-later'])
    await sendAccountEmails(app)
    expect((await lettersTo(app, due.email))[0]?.subject).toBe('Your account was deleted')
  })
})

describe('GET /api/users/me/export/', () => {
  it('returns 403 with an old sign-in', async () => {
    const user = await app.user('curious')
    expect(await app.request('GET', '/api/users/me/export/', { token: await oldToken(user) })).toMatchObject(
      stale,
    )
  })

  it('returns a file with everything about the account, without hashes, tokens and keys', async () => {
    await post(`${site.api}/api-keys/`, { name: 'Till' }, site.owner.token)
    const { status, headers, body, text } = await app.request('GET', '/api/users/me/export/', {
      token: site.owner.token,
    })
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="account.json"'])
    expect(body).toMatchObject({
      account: { username: 'acme-owner', email: 'acme-owner@example.org' },
      memberships: [{ organization: 'acme-org', role: 'owner' }],
      groups: [],
      permissions: [],
      api_keys: [{ site: 'acme', name: 'Till' }],
      providers: [],
      second_factors: { totp: null, recovery_codes: 0 },
      passkeys: [],
      sign_ins: [],
      trusted_devices: [],
      invitations: [],
    })
    expect(body.changes.map(({ kind }: { kind: string }) => kind)).toContain('site')
    const secrets = await app.sql<{ hash: string }>('select hash from api_keys')
    for (const { hash } of secrets) expect(text).not.toContain(hash)
  })
})
