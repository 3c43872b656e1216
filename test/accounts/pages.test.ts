/** The pages of links: they work without scripts, and opening one changes nothing. S7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, startApp, type TestApp } from '../support/app.ts'
import { linkTokenOf } from '../support/letters.ts'

let app: TestApp
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
  await createSite(app, 'acme')
})

describe.each([
  ['/accounts/password/reset/', { email: 'x@example.org' }],
  ['/accounts/password/reset/confirm/', { token: 'x', password: another }],
  ['/accounts/email/verify/', { email: 'x@example.org' }],
  ['/accounts/email/verify/confirm/', { token: 'x' }],
])('%s', (path, fields) => {
  it('403 for a form of another page', async () => {
    for (const headers of [{}, { origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await send(path, fields, headers as Record<string, string>)).status).toBe(403)
  })

  it('200 with a form that works without scripts, also below a site', async () => {
    for (const mount of ['', '/sites/acme']) {
      const { status, body, headers } = await open(`${mount}${path}?token=abc"><script>`)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(body).toContain(`<form method="post" action="${mount}${path}">`)
      expect(body).not.toContain('<script')
    }
  })
})

describe('/accounts/password/reset/', () => {
  it('says the same for every address, and shows the form again for what is none', async () => {
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

  it('is linked by the page that signs in', async () => {
    expect((await open('/sites/acme/accounts/login/')).body).toContain(
      'href="/sites/acme/accounts/password/reset/"',
    )
  })
})

describe('/accounts/password/reset/confirm/', () => {
  it('sets the password by the link of the e-mail; opening the link changes nothing', async () => {
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
    expect([again.status, again.body.includes('This link is not valid any more.')]).toEqual([400, true])
  })
})

describe('/accounts/email/verify/confirm/', () => {
  it('verifies the address by the link of the e-mail', async () => {
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
  })
})
