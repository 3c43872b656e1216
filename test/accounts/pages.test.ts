/** The pages for accounts: they work without scripts, and opening a link changes nothing. S7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf, secretBytes } from '../../dev/examples/totp.ts'
import { signToken } from '../../src/kernel/access/signed-tokens.ts'
import { type Identity, newSession } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { provenUser } from '../support/factors.ts'
import { linkTokenOf } from '../support/letters.ts'
import { textOfQrCode } from '../support/qr-code.ts'

let app: TestApp
let site: Site
const password = 'Correct-horse-1'
const another = 'Another-horse-2'

const open = (path: string) => app.request('GET', path)
const send = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin: 'http://localhost' },
) =>
  app.request('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const signIn = (username: string, secret: string) =>
  app.request('POST', '/api/auth/jwt/token/', { body: { username, password: secret } })

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'http://localhost' })
  site = await createSite(app, 'acme')
})

describe.each([
  ['/accounts/password/reset/', { email: 'x@example.org' }],
  ['/accounts/password/reset/confirm/', { token: 'x', password: another }],
  ['/accounts/email/verify/', { email: 'x@example.org' }],
  ['/accounts/email/verify/confirm/', { token: 'x' }],
])('%s', (path, fields) => {
  it('returns 403 for a form of another page', async () => {
    for (const headers of [{}, { origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await send(path, fields, headers as Record<string, string>)).status).toBe(403)
  })

  it('returns 200 with a form that works without scripts, also below a site', async () => {
    for (const mount of ['', '/sites/acme']) {
      const { status, body, headers } = await open(`${mount}${path}?token=abc"><script>`)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(body).toContain(`<form method="post" action="${mount}${path}">`)
      expect(body).not.toContain('<script')
    }
  })
})

describe('the language of the pages', () => {
  const inGerman = { 'accept-language': 'de-CH, en;q=0.5' }

  it('is German for a browser that prefers it, and English otherwise', async () => {
    const paths = [
      ['/accounts/password/reset/', 'Passwort zurücksetzen'],
      ['/accounts/password/reset/confirm/?token=x', 'Neues Passwort wählen'],
      ['/accounts/email/verify/confirm/?token=x', 'E-Mail-Adresse bestätigen'],
      ['/sites/acme/accounts/login/', 'Anmelden bei acme'],
      ['/sites/acme/accounts/sign-up/confirm/?token=x', 'Registrierung abschließen'],
    ] as const
    for (const [path, title] of paths) {
      const german = await app.request('GET', path, { headers: inGerman })
      expect(german.body, path).toContain(`<h1>${title}</h1>`)
      expect(german.body).toMatch(/^<!doctype html><html lang="de">/)
      expect([german.headers.get('content-language'), german.headers.get('vary')]).toEqual([
        'de',
        expect.stringContaining('Accept-Language'),
      ])
      expect((await app.request('GET', path)).headers.get('content-language')).toBe('en')
    }
  })

  it('is the same for errors', async () => {
    const form = await send(
      '/accounts/password/reset/',
      { email: 'none' },
      {
        origin: 'http://localhost',
        ...inGerman,
      },
    )
    expect([form.status, form.body]).toEqual([400, expect.stringContaining('Eine E-Mail-Adresse ist nötig.')])
    const page = await app.request('GET', '/accounts/second-factor/', { headers: inGerman })
    expect([page.status, page.body]).toEqual([401, expect.stringContaining('Sie sind nicht angemeldet.')])
  })
})

describe('/accounts/password/reset/', () => {
  it('returns the same for every address, and shows the form again for an invalid one', async () => {
    await app.user('ada', { password })
    const answers = [
      await send('/accounts/password/reset/', { email: 'ada@example.org' }),
      await send('/accounts/password/reset/', { email: 'nobody@example.org' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body).toBe(answers[1]?.body)
    const { status, body } = await send('/accounts/password/reset/', { email: '"><b>' })
    expect(status).toBe(400)
    expect(body).toContain('An e-mail address is required.')
    expect(body).toContain('value="&quot;&gt;&lt;b&gt;"')
  })

  it('is linked from the sign-in page', async () => {
    expect((await open('/sites/acme/accounts/login/')).body).toContain(
      'href="/sites/acme/accounts/password/reset/"',
    )
  })
})

describe('/accounts/password/reset/confirm/', () => {
  it('sets the password with the mailed link; opening the link changes nothing', async () => {
    await app.user('bo', { password })
    await send('/sites/acme/accounts/password/reset/', { email: 'bo@example.org' })
    const token = await linkTokenOf(app, 'bo@example.org')
    const path = '/sites/acme/accounts/password/reset/confirm/'
    for (let times = 0; times < 3; times++)
      expect((await open(`${path}?token=${token}`)).body).toContain(token)
    const weak = await send(path, { token, password: 'weak' })
    expect([weak.status, weak.body.includes('A password must have a digit.')]).toEqual([400, true])
    const { status, body } = await send(path, { token, password: another })
    expect(status).toBe(200)
    expect(body).toContain('Your password is set')
    expect(body).toContain('href="/sites/acme/accounts/login/"')
    expect((await signIn('bo', another)).status).toBe(200)
    const again = await send(path, { token, password })
    expect([again.status, again.body.includes('This link is no longer valid.')]).toEqual([400, true])
    // A form could not help here.
    expect(again.body).not.toContain('<form')
    expect(again.body).toContain('<a class="button main" href="/sites/acme/accounts/password/reset/">')
  })
})

describe('/accounts/email/verify/confirm/', () => {
  it('verifies the address with the mailed link', async () => {
    const user = await app.user('cleo')
    await send('/accounts/email/verify/', { email: user.email })
    const token = await linkTokenOf(app, user.email)
    await open(`/accounts/email/verify/confirm/?token=${token}`)
    const { status, body } = await send('/accounts/email/verify/confirm/', { token })
    expect(status).toBe(200)
    expect(body).toContain('The address cleo@example.org is verified.')
    const [row] = await app.sql('select email_verified_at is not null as verified from users where id = $1', [
      user.id,
    ])
    expect(row).toEqual({ verified: true })
    const again = await send('/accounts/email/verify/confirm/', { token })
    expect([again.status, again.body.includes('<form')]).toEqual([400, false])
    expect(again.body).toContain(
      '<a class="button main" href="/accounts/email/verify/">Ask for a new link</a>',
    )
  })

  it('links to the sign-in page at a site, and not at a host of the service', async () => {
    await app.sql(
      `insert into site_domains (domain, site_id, verified_at)
       select 'shop.example', id, now() from sites where slug = 'acme'`,
    )
    for (const [base, isThere] of [
      ['/accounts', false],
      ['/sites/acme/accounts', true],
      ['http://shop.example/accounts', true],
    ] as const) {
      const user = await app.user(`verifier-${crypto.randomUUID().slice(0, 8)}`)
      await send('/accounts/email/verify/', { email: user.email })
      const token = await linkTokenOf(app, user.email)
      const { status, body } = await send(
        `${base}/email/verify/confirm/`,
        { token },
        { origin: new URL(base, 'http://localhost').origin },
      )
      expect([base, status, body.includes('/accounts/login/">')]).toEqual([base, 200, isThere])
    }
  })
})

describe('/accounts/second-factor/', () => {
  const path = '/accounts/second-factor/'
  const origin = 'http://localhost'
  const forms = ['app/', 'app/confirm/', 'app/remove/', 'recovery-codes/']

  /** Returns the cookie of a session: a password sign-in of now, or one with other properties. */
  async function cookieOf(user: Pick<User, 'id'>, other: { signedInAt?: Date } & Partial<Identity> = {}) {
    const config = configOf(app.env)
    const session = newSession(config, { ...(await app.identity(user)), methods: ['pwd'] })
    return `sessionid=${await signToken(config, 'session', { ...session, ...other })}`
  }
  const show = (cookie: string, mount = '') => app.request('GET', `${mount}${path}`, { headers: { cookie } })
  const press = (name: string, cookie: string, fields: Record<string, string> = {}, mount = '') =>
    send(`${mount}${path}${name}`, fields, { origin, cookie })
  const secretIn = (body: string) =>
    secretBytes(/<code>([A-Z2-7 ]+)<\/code>/.exec(body)?.[1]?.replaceAll(' ', '') ?? '')
  const codesIn = (body: string) => [...body.matchAll(/<li>((?:[A-Z2-7]{5}-){3}[A-Z2-7]{5})<\/li>/g)]
  const factorsOf = async (user: User) =>
    app.sql(
      `select (select count(*)::integer from totp_secrets t where t.user_id = $1) as secrets,
              (select count(*)::integer from recovery_codes r where r.user_id = $1) as codes`,
      [user.id],
    )

  it('returns 401 without a session, and 403 for a form of another page', async () => {
    const user = await provenUser(app, 'dora')
    const cookie = await cookieOf(user)
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    const shown = await open(path)
    expect(shown.status).toBe(401)
    expect(shown.body).toContain(`next=${encodeURIComponent(path)}`)
    for (const name of forms) {
      expect((await send(`${path}${name}`, {})).status).toBe(401)
      for (const headers of foreign)
        expect((await send(`${path}${name}`, {}, { cookie, ...headers })).status).toBe(403)
    }
    expect(await factorsOf(user)).toEqual([{ secrets: 0, codes: 0 }])
  })

  it('returns 403 for an old sign-in and for one by a provider, with a link to sign in again', async () => {
    const user = await provenUser(app, 'emil')
    const made = await app.request('POST', '/sites/acme/api/auth/social-apps/', {
      token: site.owner.token,
      body: { provider: 'github', name: 'GitHub', client_id: 'a', secret: 'b' },
    })
    const [linked] = await app.sql<{ organization_id: number }>(
      `with a as (insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
                  select s.id, $2, 'i', 's', $1 from sites s where s.slug = 'acme' returning site_id)
       select s.organization_id::integer from sites s join a on a.site_id = s.id`,
      [user.id, made.body.data.id],
    )
    const sessions: [cookie: string, text: string][] = [
      [
        await cookieOf(user, { signedInAt: new Date(Date.now() - 3_600_000) }),
        'This needs a sign-in within the last 900 seconds. Sign in again.',
      ],
      [
        await cookieOf(user, { organizationId: linked?.organization_id, methods: ['fed'] }),
        'To change second factors, sign in with your password or a passkey, not through a provider.',
      ],
    ]
    for (const [cookie, text] of sessions)
      for (const name of forms) {
        const { status, body } = await press(name, cookie, { code: '123456' }, '/sites/acme')
        expect([name, status, body.includes(text)]).toEqual([name, 403, true])
        expect(body).toContain(
          'href="/sites/acme/accounts/login/?auto_redirect=false&amp;next=%2Fsites%2Facme%2Faccounts%2Fsecond-factor%2F"',
        )
      }
    expect(await factorsOf(user)).toEqual([{ secrets: 0, codes: 0 }])
  })

  it('returns 400 for an account without a proof of ownership, and 400 or 404 without a factor, with advice', async () => {
    const unproven = await press('app/', await cookieOf(await app.user('fay', { password })))
    expect(unproven.status).toBe(400)
    expect(unproven.body).toContain('First prove that you own the account')
    expect(unproven.body).toContain('href="/accounts/password/reset/"')
    const cookie = await cookieOf(await provenUser(app, 'gus'))
    for (const [name, status, text] of [
      ['app/confirm/', 400, 'There is no authenticator app to confirm. Set it up again.'],
      ['app/remove/', 404, 'The authenticator app is turned off already.'],
      ['recovery-codes/', 400, 'Recovery codes come with a second factor. First set one up.'],
    ] as const) {
      const answer = await press(name, cookie, { code: '123456' })
      expect([answer.status, answer.body.includes(text)]).toEqual([status, true])
      expect(answer.body).not.toContain('/api/')
    }
  })

  it('returns 400 for a wrong or missing code: the form appears again, without the secret', async () => {
    const cookie = await cookieOf(await provenUser(app, 'hal'))
    const secret = secretIn((await press('app/', cookie)).body)
    const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
    const wrong = ['000000', '000001', '000002', '000003', '000004', '000005'].find(
      (code) => !near.includes(code),
    ) as string
    for (const [code, text] of [
      [wrong, 'This code is wrong. Enter the code that the app shows now.'],
      ['12345', 'A code has six digits.'],
      ['"><b>', 'A code has six digits.'],
      ['', 'A code has six digits.'],
    ] as const) {
      const { status, body, headers } = await press('app/confirm/', cookie, { code })
      expect([status, body.includes(text), headers.getSetCookie()]).toEqual([400, true, []])
      expect(body).toContain(`<form method="post" action="${path}app/confirm/">`)
      expect(body).not.toContain('<svg')
    }
    expect((await show(cookie)).body).toContain('Set up an authenticator app')
  })

  it('sets up an app by its QR code, shows the recovery codes once, replaces them, and turns the app off', async () => {
    const user = await provenUser(app, 'ivy')
    const before = await cookieOf(user)
    const begun = await press('app/', before, {}, '/sites/acme')
    expect([begun.status, begun.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(begun.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'; /)
    expect(begun.body).not.toMatch(/<script|style="/)
    expect(begun.body).toContain(`action="/sites/acme${path}app/confirm/"`)
    const secret = secretIn(begun.body)
    const address = new URL(textOfQrCode(begun.body) ?? '')
    expect([address.protocol, address.pathname]).toEqual(['otpauth:', '/tessera:ivy%40example.org'])
    expect(secretBytes(address.searchParams.get('secret') ?? '')).toEqual(secret)

    const code = codeOf(secret)
    const on = await press('app/confirm/', before, { code: `${code.slice(0, 3)} ${code.slice(3)}` })
    expect([on.status, on.headers.get('cache-control'), new Set(codesIn(on.body)).size]).toEqual([
      200,
      'no-store',
      10,
    ])
    const [set = ''] = on.headers.getSetCookie()
    expect(set).toMatch(/^sessionid=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
    const cookie = set.replace(/;.*/, '')
    expect([(await show(before)).status, (await show(cookie)).status]).toEqual([401, 200])

    // The code is used: neither the form nor a sign-in accepts it again.
    const twice = await press('app/confirm/', cookie, { code })
    expect([twice.status, codesIn(twice.body)]).toEqual([400, []])
    const { challenge } = (await signIn('ivy', password)).body
    expect(await app.request('POST', '/api/auth/factor/', { body: { challenge, code } })).toMatchObject({
      status: 400,
      body: { code: ['This code is wrong or was already used.'] },
    })
    const second = await press('app/', cookie)
    expect([second.status, second.body.includes('first turn it off')]).toEqual([400, true])

    const shown = await show(cookie)
    expect(shown.body).toMatch(/It is turned on, since <time datetime="[^"]+">\d{4}-\d\d-\d\d<\/time>/)
    expect(shown.body).toContain('You have 10 unused codes.')
    expect(codesIn(shown.body)).toEqual([])
    const fresh = await press('recovery-codes/', cookie)
    const all = [...codesIn(on.body), ...codesIn(fresh.body)].map(([, text]) => text)
    expect([fresh.status, fresh.headers.get('cache-control'), new Set(all).size]).toEqual([
      200,
      'no-store',
      20,
    ])

    const off = await press('app/remove/', cookie, {}, '/sites/acme')
    expect([off.status, off.headers.get('location')]).toEqual([303, `/sites/acme${path}`])
    expect((await show(cookie)).body).toContain('The app is turned off.')
    expect(await factorsOf(user)).toEqual([{ secrets: 0, codes: 0 }])
  })
})
