/**
 * Signing up at a site with a password: who may sign up, what the answers tell, and what an attacker cannot
 * do. T7.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { lettersTo, linkTokenOf, sendAccountEmail, sendAccountEmails } from '../support/letters.ts'
import { createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite
let other: Site
const password = 'Correct-horse-1'
const another = 'Another-horse-2'
const sent = {
  status: 200,
  body: { detail: 'An e-mail was sent to this address, if it can sign up here. Follow its link.' },
}
const invalid = {
  status: 400,
  body: { token: ['This link is no longer valid. Request a new one.'] },
}

const signUp = (email: string, more: object = {}, at: Site = site) =>
  app.request('POST', `${at.api}/auth/sign-up/`, { body: { email, password, ...more } })
const confirm = (token: string, secret = password, at: Site = site) =>
  app.request('POST', `${at.api}/auth/sign-up/confirm/`, { body: { token, password: secret } })
const signIn = (username: string, secret = password) =>
  app.request('POST', '/api/auth/jwt/token/', { body: { username, password: secret } })
const change = (body: object, by: User = site.owner, slug = 'shore') =>
  app.request('PATCH', `/api/cloud/sites/${slug}/`, { token: by.token, body })
/** Opens sign-ups at the site to everybody, with other settings from `terms`. */
const open = (terms: object = {}) =>
  change({
    sign_up: 'open',
    allowed_domains: [],
    domain_groups: [],
    require_verified_email: true,
    sign_up_by_provider: true,
    ...terms,
  })
const accountOf = async (email: string) =>
  (
    await app.sql<Record<string, unknown>>(
      `select username, is_active, email_verified_at is not null as verified, password_is_own
         from users where email = $1`,
      [email],
    )
  )[0]
const subjects = async (email: string) => (await lettersTo(app, email)).map(({ subject }) => subject)

beforeAll(async () => {
  app = (await startApp()).with({
    ALLOW_PRIVATE_HOSTS: 'true',
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    RATE_LIMIT_SCALE: '1000',
  })
  site = await createSocialSite(app, 'shore', ['one'])
  other = await createSite(app, 'inland')
})

describe('the sign-up settings of a site', () => {
  it('are closed by default; invalid ones get 400 with messages by field', async () => {
    const { body } = await app.request('GET', '/api/cloud/sites/shore/', { token: site.owner.token })
    expect(body).toMatchObject({
      sign_up: 'closed',
      allowed_domains: [],
      require_verified_email: true,
      sign_up_by_provider: true,
      domain_groups: [],
    })
    expect(await change({ sign_up: 'all', allowed_domains: ['nowhere'] })).toMatchObject({
      status: 400,
      body: {
        sign_up: ['Must be one of: closed, invited, open.'],
        'allowed_domains.0': ['A domain is required, for example example.com.'],
      },
    })
  })

  it('get 403 for groups of the organization from a user who administers the site only', async () => {
    const helper = await app.user('helper')
    await app.sql('insert into site_permissions (site_id, user_id, permissions) values ($1, $2, $3)', [
      Number(site.schema.slice('site_'.length)),
      helper.id,
      ['admin_site'],
    ])
    const groups = { domain_groups: [{ domain: 'example.org', group: 'Staff' }] }
    expect((await change(groups, helper)).status).toBe(403)
    expect((await change({ allowed_domains: ['EXAMPLE.org'] }, helper)).body.allowed_domains).toEqual([
      'example.org',
    ])
    expect((await change(groups)).body.domain_groups).toEqual(groups.domain_groups)
  })
})

describe('POST /api/auth/sign-up/', () => {
  it('returns 403 if sign-ups are closed, 400 for a domain or a password that is not allowed', async () => {
    await change({ sign_up: 'closed' })
    expect(await signUp('closed@example.org')).toMatchObject({
      status: 403,
      body: { detail: 'This site does not allow sign-ups.', code: 'sign_up_closed' },
    })
    await open({ allowed_domains: ['example.org'] })
    for (const email of ['a@example.com', 'a@sub.example.org', 'a@example.org.example.com'])
      expect([email, await signUp(email)]).toMatchObject([
        email,
        { status: 400, body: { email: ['This site does not allow e-mail addresses of this domain.'] } },
      ])
    expect((await signUp('a@example.org', { password: 'Password1' })).body).toEqual({
      password: ['This is one of the 10,000 most common passwords.'],
    })
    expect(await app.sql(`select from account_emails where kind = 'sign-up'`)).toEqual([])
  })

  it('mails a link that creates the account once, for a caller who knows the password', async () => {
    await open()
    expect(await signUp('ada@example.org', { first_name: 'Ada' })).toMatchObject(sent)
    expect(await accountOf('ada@example.org')).toBeUndefined()
    const token = await linkTokenOf(app, 'ada@example.org')
    expect(await confirm(token, another)).toMatchObject({
      status: 400,
      body: { password: ['This is not the password that was chosen at sign-up.'] },
    })
    expect(await confirm(token, password, other)).toMatchObject(invalid)
    const answers = await Promise.all([confirm(token), confirm(token), confirm(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    expect(answers.find(({ status }) => status === 201)?.body).toMatchObject({
      username: 'ada@example.org',
      first_name: 'Ada',
      is_active: true,
      is_superuser: false,
    })
    expect(await accountOf('ada@example.org')).toMatchObject({ verified: true, password_is_own: true })
    expect((await signIn('ada@example.org')).status).toBe(200)
    expect(await confirm(token)).toMatchObject(invalid)
  })

  it('returns the same for an address with an account, and sends as many e-mails', async () => {
    await open()
    const known = await app.user('known', { password })
    // Somebody has used the account, so the address is not free (T11).
    expect((await signIn('known')).status).toBe(200)
    expect(await signUp(known.email, { password: another })).toMatchObject(sent)
    expect(await signUp('unknown@example.org', { password: another })).toMatchObject(sent)
    // Neither address gets a second e-mail within a minute.
    await sendAccountEmails(app)
    await Promise.all([signUp(known.email), signUp('unknown@example.org')])
    await sendAccountEmails(app)
    expect(await subjects(known.email)).toEqual(['You already have an account'])
    expect(await subjects('unknown@example.org')).toEqual(['Finish your sign-up'])
    const [letter] = await lettersTo(app, known.email)
    expect(letter?.text).toContain('https://app.example.com/sites/shore/accounts/password/reset/')
    expect(letter?.text).not.toContain('token=')
    expect([(await signIn('known')).status, (await signIn('known', another)).status]).toEqual([200, 401])
  })

  it('sends one e-mail to an address that is requested several times at the same moment', async () => {
    await open()
    await Promise.all(Array.from({ length: 4 }, () => signUp('eager@example.org')))
    const due = await app.sql<{ id: string }>(
      `select id from account_emails where recipient = 'eager@example.org' order by wanted_at desc`,
    )
    expect(due).toHaveLength(4)
    await Promise.all(due.map(({ id }) => sendAccountEmail(app, id)))
    expect(await subjects('eager@example.org')).toEqual(['Finish your sign-up'])
  })

  it('makes a link that ends once the address has an account, or the site is closed', async () => {
    await open()
    await signUp('late@example.org')
    const late = await linkTokenOf(app, 'late@example.org')
    await signUp('shut@example.org')
    const shut = await linkTokenOf(app, 'shut@example.org')
    await site.signIn('one', verified('late', 'late@example.org'))
    await change({ sign_up: 'closed' })
    expect([await confirm(late), await confirm(shut)]).toMatchObject([invalid, invalid])
    expect(await accountOf('shut@example.org')).toBeUndefined()
  })

  it('accepts with "invited" only addresses with a pending invitation of the organization, and tells nobody', async () => {
    await open({ sign_up: 'invited' })
    for (const [organization, email, by] of [
      ['shore-org', 'guest@example.net', site.owner],
      ['inland-org', 'elsewhere@example.net', other.owner],
    ] as const)
      await app.request('POST', `/api/cloud/organizations/${organization}/invitations/`, {
        token: by.token,
        body: { invitee_identifier: email },
      })
    for (const email of ['guest@example.net', 'elsewhere@example.net', 'nobody@example.net'])
      expect(await signUp(email)).toMatchObject(sent)
    const token = await linkTokenOf(app, 'guest@example.net')
    const ofSignUp = async (email: string) =>
      (await subjects(email)).filter((subject) => subject === 'Finish your sign-up').length
    expect([await ofSignUp('elsewhere@example.net'), await ofSignUp('nobody@example.net')]).toEqual([0, 0])
    expect((await confirm(token)).status).toBe(201)
    // The invitation stays pending.
    expect(
      await app.sql(
        `select i.accepted_at, u.email from invitations i join users u on u.id = i.invitee
          where invitee_identifier = 'guest@example.net'`,
      ),
    ).toEqual([{ accepted_at: null, email: 'guest@example.net' }])
  })

  it('gives the groups of a domain only to addresses that were verified here, not by a provider', async () => {
    await open({
      require_verified_email: false,
      domain_groups: [{ domain: 'works.example', group: 'Staff' }],
    })
    const groups = (email: string) =>
      app.sql(
        `select g.name, m.role from group_members x join groups g on g.id = x.group_id
           join users u on u.id = x.user_id
           join memberships m on m.user_id = u.id and m.organization_id = g.organization_id
          where u.email = $1`,
        [email],
      )
    await site.signIn('one', verified('by-word', 'word@works.example'))
    expect(await groups('word@works.example')).toEqual([])
    await signUp('own@works.example')
    expect([await groups('own@works.example'), (await signIn('own@works.example')).status]).toEqual([[], 200])
    const token = await linkTokenOf(app, 'own@works.example')
    expect((await confirm(token)).status).toBe(201)
    expect(await groups('own@works.example')).toEqual([{ name: 'Staff', role: 'member' }])
    await signUp('own@works.example.org')
    expect((await confirm(await linkTokenOf(app, 'own@works.example.org'))).status).toBe(201)
    expect(await groups('own@works.example.org')).toEqual([])
  })
})

describe('an attacker who signs up with the address of somebody else', () => {
  const victim = (name: string) => `${name}@victims.example`
  const attacker = 'Attacker-horse-9'

  it('gets no account where the address must be verified, even if its owner opens the link', async () => {
    await open()
    await signUp(victim('click'), { password: attacker })
    const token = await linkTokenOf(app, victim('click'))
    // The owner opens the link and types a password of their own.
    expect((await confirm(token)).status).toBe(400)
    expect(await accountOf(victim('click'))).toBeUndefined()
    // The owner signs up too: each link belongs to its password.
    await app.sql(`update account_emails set sent_at = now() - interval '2 minutes'`)
    await signUp(victim('click'))
    expect((await confirm(await linkTokenOf(app, victim('click')))).status).toBe(201)
    expect(await confirm(token, attacker)).toMatchObject(invalid)
    expect((await signIn(victim('click'), attacker)).status).toBe(401)
  })

  it.each<[string, (email: string) => Promise<unknown>]>([
    ['signs in with a provider', (email) => site.signIn('one', verified(email, email))],
    [
      'resets the password',
      async (email) => {
        await app.request('POST', '/api/auth/password/reset/', { body: { email } })
        const token = await linkTokenOf(app, email)
        return app.request('POST', '/api/auth/password/reset/confirm/', {
          body: { token, password: another },
        })
      },
    ],
    [
      'verifies the address',
      async (email) => {
        await app.request('POST', '/api/auth/email/verify/', { body: { email } })
        const token = await linkTokenOf(app, email)
        return app.request('POST', '/api/auth/email/verify/confirm/', { body: { token } })
      },
    ],
    [
      'accepts an invitation',
      async (email) => {
        const { body } = await app.request('POST', '/api/cloud/organizations/shore-org/invitations/', {
          token: site.owner.token,
          body: { invitee_identifier: email },
        })
        return app.request('POST', `/api/cloud/invitations/${body.uuid}/accept/`, {
          body: { password: another, first_name: 'A', last_name: 'B' },
        })
      },
    ],
  ])('loses everything, where no verification is required, once the owner %s', async (what, act) => {
    await open({ require_verified_email: false })
    const email = victim(what.replaceAll(/\W/g, '-'))
    await signUp(email, { password: attacker })
    const { body: tokens } = await signIn(email, attacker)
    const me = () => app.request('GET', '/api/users/me/', { token: tokens.access })
    expect((await me()).body.email_verified).toBe(false)
    expect((await app.request('POST', '/api/users/me/totp/', { token: tokens.access })).status).toBe(400)
    expect(await act(email)).toMatchObject({ status: 200 })
    expect([
      (await me()).status,
      (await app.request('POST', '/api/auth/jwt/token/refresh/', { body: { refresh: tokens.refresh } }))
        .status,
      (await signIn(email, attacker)).status,
    ]).toEqual([401, 401, 401])
  })
})

describe('the first sign-in through a provider', () => {
  it('returns 403 if the site creates no accounts, or none for the domain; existing accounts sign in', async () => {
    await open()
    expect((await site.signIn('one', verified('early'))).status).toBe(200)
    const refused = {
      status: 403,
      body: {
        detail:
          'You do not have an account here, and this site does not create accounts for people who sign in with a provider.',
        code: 'sign_up_closed',
      },
    }
    await open({ sign_up_by_provider: false })
    expect(await site.signIn('one', verified('none'))).toMatchObject(refused)
    expect((await site.signIn('one', verified('early'))).status).toBe(200)
    await open({ allowed_domains: ['works.example'] })
    expect(await site.signIn('one', verified('none'))).toMatchObject(refused)
    expect(await accountOf('none@example.org')).toBeUndefined()
    // As specified, providers work where sign-ups with a password are closed.
    await open({ sign_up: 'closed' })
    expect((await site.signIn('one', verified('none'))).status).toBe(200)
  })
})

describe('the sign-up pages', () => {
  const at = (path: string) => `/sites/shore/accounts/${path}`
  const form = (path: string, fields: Record<string, string>, origin = 'http://localhost') =>
    app.request('POST', at(path), {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      body: new URLSearchParams(fields).toString(),
    })

  it('sign up without scripts, and the sign-in page links to them if the site is open', async () => {
    await change({ sign_up: 'closed' })
    expect((await app.request('GET', at('sign-up/'))).status).toBe(403)
    expect((await app.request('GET', at('login/'))).text).not.toContain('/accounts/sign-up/')
    await open()
    expect((await app.request('GET', at('login/'))).text).toContain('/sites/shore/accounts/sign-up/')
    const page = await app.request('GET', at('sign-up/'))
    // The only script is that of passkeys. The form works without it.
    expect([page.status, page.text.match(/<script[^>]*>/g)]).toEqual([
      200,
      ['<script src="/passkeys.js" type="module">'],
    ])
    const fields = { first_name: 'P', last_name: 'Q', email: 'page@example.org', password }
    expect((await form('sign-up/', fields, 'https://evil.example')).status).toBe(403)
    const weak = await form('sign-up/', { ...fields, first_name: '"><b>', password: 'x' })
    expect(weak.status).toBe(400)
    expect(weak.text).toContain('at least 8 characters')
    expect(weak.text).not.toContain('"><b>')
    expect((await form('sign-up/', fields)).text).toContain('Check your e-mail')
    const token = await linkTokenOf(app, 'page@example.org')
    const [letter] = await lettersTo(app, 'page@example.org')
    expect(letter?.text).toContain(
      `https://app.example.com/sites/shore/accounts/sign-up/confirm/?token=${token}`,
    )
    expect((await app.request('GET', at(`sign-up/confirm/?token=${token}`))).text).toContain(token)
    expect(await accountOf('page@example.org')).toBeUndefined()
    expect((await form('sign-up/confirm/', { token, password: another })).status).toBe(400)
    expect((await form('sign-up/confirm/', { token, password })).text).toContain('Your account is ready')
    expect((await signIn('page@example.org')).status).toBe(200)
  })
})
