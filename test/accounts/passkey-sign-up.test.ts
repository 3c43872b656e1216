/**
 * Signing up at a site with a passkey: it needs the link and the passkey, and no answer tells if an account
 * exists.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Held, type Lies, makePasskey, signWith } from '../../dev/examples/authenticator.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { lettersTo, linkTokenOf, sendAccountEmails } from '../support/letters.ts'

let app: TestApp
let site: Site
let other: Site

const origin = 'https://app.example.com'
const domain = 'https://shop.example'
const post = (path: string, body: unknown, at: Site | null = site, from = origin) =>
  app.request('POST', `${from}${at?.api ?? '/api'}/auth/${path}`, { body })
const answerOf = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
const sent = {
  status: 200,
  body: { detail: 'An e-mail was sent to this address, if it can sign up here. Follow its link.' },
}
const invalid = { status: 400, body: { token: ['This link is no longer valid. Request a new one.'] } }
const used = {
  status: 400,
  body: { credential: ['This challenge has expired or was already used. Request new options.'] },
}
const rejected = { status: 401, body: { detail: 'The passkey was not accepted.', code: 'passkey_rejected' } }
const optionsFor = (email: string, at: Site | null = site, from = origin) =>
  post('sign-up/passkey/options/', { email, first_name: 'Ines' }, at, from)

/** Signs up with a passkey that an authenticator makes. */
async function signUp(email: string, { lies = {} as Lies, from = origin, at = site as Site | null } = {}) {
  const { held, credential } = await makePasskey((await optionsFor(email, at, from)).body, from, lies)
  const body = { email, first_name: 'Ines', name: 'Phone', credential }
  return { held, credential, answer: answerOf(await post('sign-up/passkey/', body, at, from)) }
}

const signed = async (held: Held, from = origin, lies: Lies = {}) =>
  signWith(held, (await post('passkeys/options/', {}, null, from)).body, from, lies)
const confirm = async (token: string, credential: unknown, at: Site | null = site, from = origin) =>
  answerOf(await post('sign-up/passkey/confirm/', { token, credential }, at, from))
const accountOf = async (email: string) =>
  (
    await app.sql<{ id: number; password_hash: string | null; verified: boolean }>(
      `select id, password_hash, email_verified_at is not null as verified from users where email = $1`,
      [email],
    )
  )[0]
const change = (body: object) =>
  app.request('PATCH', '/api/cloud/sites/shore/', { token: site.owner.token, body })
const subjects = async (email: string) => (await lettersTo(app, email)).map(({ subject }) => subject)

beforeAll(async () => {
  app = (await startApp()).with({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: origin,
    RATE_LIMIT_SCALE: '1000',
  })
  site = await createSite(app, 'shore')
  other = await createSite(app, 'inland')
  await app.sql(
    `insert into site_domains (domain, site_id, verified_at)
     select 'shop.example', id, now() from sites where slug = 'shore'`,
  )
})

describe('a sign-up with a passkey', () => {
  it('gets 403 where sign-ups are closed, 404 without a site, and 400 for a domain that is not allowed', async () => {
    const closed = {
      status: 403,
      body: { detail: 'This site does not allow sign-ups.', code: 'sign_up_closed' },
    }
    expect(answerOf(await optionsFor('first@example.com'))).toEqual(closed)
    expect((await optionsFor('first@example.com', null)).status).toBe(404)
    await change({ sign_up: 'open', allowed_domains: ['example.com'] })
    const { credential } = await signUp('first@example.com')
    await change({ sign_up: 'closed' })
    const body = { email: 'first@example.com', name: 'Phone', credential }
    expect(answerOf(await post('sign-up/passkey/', body))).toEqual(closed)
    await change({ sign_up: 'open' })
    expect(answerOf(await optionsFor('ines@elsewhere.example'))).toEqual({
      status: 400,
      body: { email: ['This site does not allow e-mail addresses of this domain.'] },
    })
    await change({ allowed_domains: [] })
  })

  it('gets 400 at a host without passkeys, for a challenge of another kind, and for a lying authenticator', async () => {
    expect((await optionsFor('first@example.com', site, 'http://127.0.0.1')).body.detail).toContain(
      'Passkeys do not work at this host.',
    )
    const options = (await optionsFor('lies@example.com')).body
    const signIn = (await post('passkeys/options/', {}, null)).body
    const send = async (credential: unknown) =>
      answerOf(await post('sign-up/passkey/', { email: 'lies@example.com', name: 'Phone', credential }))
    const wrong = await makePasskey({ ...options, challenge: signIn.challenge }, origin)
    expect(await send(wrong.credential)).toEqual(used)
    for (const lies of [
      { origin: 'https://evil.test' },
      { rpId: 'evil.test' },
      { type: 'webauthn.get' },
      { isVerified: false },
      { isPresent: false },
      { algorithm: -47 },
      { format: 'fido-u2f' },
    ] satisfies Lies[])
      expect((await signUp('lies@example.com', { lies })).answer.status).toBe(400)
    expect((await signUp('lies@example.com', { lies: { crossOrigin: true } })).answer).toEqual(used)
    await sendAccountEmails(app)
    expect(await lettersTo(app, 'lies@example.com')).toEqual([])
  })

  it('uses a challenge once, and its challenge does not sign in', async () => {
    const { held, credential, answer } = await signUp('once@example.com')
    expect(answer).toEqual(sent)
    const again = { email: 'once@example.com', name: 'Phone', credential }
    expect(answerOf(await post('sign-up/passkey/', again))).toEqual(used)
    const { challenge } = (await optionsFor('once@example.com')).body
    const stolen = await signWith(held, { challenge }, origin)
    expect(answerOf(await post('passkeys/', { credential: stolen }, null))).toEqual(used)
  })

  it('gets the same answer and as many e-mails for an address with an account', async () => {
    const known = await app.user('known')
    await app.sql('update users set last_login = now() where id = $1', [known.id])
    for (const email of ['known@example.org', 'unknown@example.org']) {
      expect((await signUp(email)).answer).toEqual(sent)
      await sendAccountEmails(app)
    }
    expect(await subjects('known@example.org')).toEqual(['You already have an account'])
    expect(await subjects('unknown@example.org')).toEqual(['Finish your sign-up'])
    expect(await accountOf('unknown@example.org')).toBeUndefined()
  })

  it('creates no account without the link, also if the site does not require a verified address', async () => {
    await change({ require_verified_email: false })
    const { held } = await signUp('early@example.com')
    expect(await accountOf('early@example.com')).toBeUndefined()
    expect(answerOf(await post('passkeys/', { credential: await signed(held) }, null))).toEqual(rejected)
    await change({ require_verified_email: true })
  })
})

describe('finishing a sign-up with a passkey', () => {
  it('fails with the link alone: with a password, another passkey, a false signature, or an old challenge', async () => {
    const { held } = await signUp('target@example.com')
    const token = await linkTokenOf(app, 'target@example.com')
    const stranger = (await signUp('stranger@example.com')).held
    const password = await post('sign-up/confirm/', { token, password: 'Correct-horse-1' })
    expect(answerOf(password)).toEqual(invalid)
    expect(await confirm(token, await signed(stranger))).toEqual(rejected)
    const posing = { ...stranger, id: held.id, userHandle: held.userHandle }
    expect(await confirm(token, await signed(posing))).toEqual(rejected)
    expect(await confirm(token, await signed(held, origin, { userHandle: stranger.userHandle }))).toEqual(
      rejected,
    )
    expect(await confirm(token, await signed(held, origin, { isVerified: false }))).toEqual(rejected)
    expect(await confirm(token, await signed(held, origin, { origin: 'https://evil.test' }))).toEqual(
      rejected,
    )
    const credential = await signed(held)
    expect(await confirm('another', credential)).toEqual(invalid)
    expect(await confirm(token, credential)).toEqual(used)
    expect(await confirm(token, await signed(held), other)).toEqual(invalid)
    expect(await accountOf('target@example.com')).toBeUndefined()
    expect((await confirm(token, await signed(held))).status).toBe(201)
  })

  it('creates a verified account without a password, and returns recovery codes; the passkey signs in', async () => {
    const { held } = await signUp('ines@example.com')
    const token = await linkTokenOf(app, 'ines@example.com')
    const [letter] = await lettersTo(app, 'ines@example.com')
    expect(letter?.text).toContain(`${origin}/sites/shore/accounts/sign-up/passkey/?token=`)
    const made = await confirm(token, await signed(held))
    expect(made).toEqual({
      status: 201,
      body: {
        user: expect.objectContaining({ username: 'ines@example.com', first_name: 'Ines', is_active: true }),
        recovery_codes: expect.any(Array),
      },
    })
    expect((made.body as { recovery_codes: string[] }).recovery_codes).toHaveLength(10)
    expect(await accountOf('ines@example.com')).toMatchObject({ password_hash: null, verified: true })
    const tokens = await post('passkeys/', { credential: await signed(held) }, null)
    expect(tokens.status).toBe(200)
    const factors = await app.request('GET', '/api/users/me/factors/', { token: tokens.body.access })
    expect(factors.body).toEqual({ totp: null, passkeys: 1, recovery_codes: 10, is_required: true })
    expect(await confirm(token, await signed(held))).toEqual(invalid)
  })

  it('creates one account for two simultaneous uses, and none if the address was taken in the meantime', async () => {
    const { held } = await signUp('twice@example.com')
    const token = await linkTokenOf(app, 'twice@example.com')
    const credentials = [await signed(held), await signed(held)]
    const answers = await Promise.all(credentials.map((credential) => confirm(token, credential)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    const late = await signUp('late@example.com')
    const link = await linkTokenOf(app, 'late@example.com')
    await app.sql(
      `insert into users (username, email, last_login) values ('late', 'late@example.com', now())`,
    )
    expect(await confirm(link, await signed(late.held))).toEqual(invalid)
    expect(await app.sql(`select from passkeys where credential_id = $1`, [late.held.id])).toEqual([])
  })

  it('fails if another account has the passkey by then', async () => {
    const { held } = await signUp('copy@example.com')
    const token = await linkTokenOf(app, 'copy@example.com')
    const user = await app.user('holder')
    await app.sql(
      `insert into passkeys (user_id, credential_id, public_key, counter, rp_id, transports, name)
       values ($1, $2, 'key', 0, 'app.example.com', '{}', 'Copy')`,
      [user.id, held.id],
    )
    expect(await confirm(token, await signed(held))).toEqual(invalid)
    expect(await accountOf('copy@example.com')).toBeUndefined()
  })

  it('at the domain of a site creates a passkey that is valid in its organization only', async () => {
    const { held } = await signUp('domain@example.com', { from: domain, at: null })
    const token = await linkTokenOf(app, 'domain@example.com')
    expect(await confirm(token, await signed(held), site)).toMatchObject({ status: 401 })
    const made = await confirm(token, await signed(held, domain), null, domain)
    expect(made).toMatchObject({ status: 201, body: { recovery_codes: [] } })
    const [row] = await app.sql<{ own: boolean }>(
      `select k.organization_id = s.organization_id as own from passkeys k, sites s
        where k.credential_id = $1 and s.slug = 'shore'`,
      [held.id],
    )
    expect(row).toEqual({ own: true })
    expect((await post('passkeys/', { credential: await signed(held, domain) }, null, domain)).status).toBe(
      200,
    )
  })
})

describe('the pages that sign up with a passkey', () => {
  it('offer a passkey where passkeys work, in both languages, with a policy for our script only', async () => {
    for (const [path, text, german] of [
      ['/sites/shore/accounts/sign-up/', 'Sign up with a passkey', 'Mit einem Passkey registrieren'],
      [
        '/sites/shore/accounts/sign-up/passkey/?token=abc"><script>',
        'Use the passkey',
        'Benutzen Sie den Passkey',
      ],
    ] as const) {
      const open = (language: string, from = origin) =>
        app.request('GET', `${from}${path}`, { headers: { 'accept-language': language } })
      const { text: page, headers, status } = await open('en')
      expect([status, page.includes(text), (await open('de')).text.includes(german)]).toEqual([
        200,
        true,
        true,
      ])
      expect(headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(page).not.toContain('<script>')
    }
    const elsewhere = await app.request('GET', 'http://127.0.0.1/sites/shore/accounts/sign-up/')
    expect(elsewhere.text).not.toContain('passkey')
  })
})
