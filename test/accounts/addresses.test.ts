/** Verifying e-mail addresses with the API. S7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { lettersTo, linkTokenOf, sendAccountEmails } from '../support/letters.ts'

let app: TestApp
const password = 'Correct-horse-1'

const post = (path: string, body: unknown, token?: string) =>
  app.request('POST', `/api/auth/${path}/`, { body, ...(token ? { token } : {}) })
const ask = (email: string) => post('email/verify', { email })
const confirm = (token: string, bearer?: string) => post('email/verify/confirm', { token }, bearer)
const signIn = (username: string) => post('jwt/token', { username, password })
const invalid = {
  status: 400,
  body: { token: ['This link is no longer valid. Request a new one.'] },
}
const stateOf = async (id: number) =>
  (
    await app.sql(
      `select email, email_verified_at is not null as verified, password_is_own as own,
              password_hash is not null as has_password from users where id = $1`,
      [id],
    )
  )[0]

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'https://app.example.com' })
})

describe('POST /api/auth/email/verify/', () => {
  it('returns the same for an address with an account, without one, and for a verified one', async () => {
    const verified = await app.user('verified')
    await app.sql('update users set email_verified_at = now() where id = $1', [verified.id])
    await app.user('open')
    const addresses = ['verified@example.org', 'open@example.org', 'nobody@example.org']
    for (const email of addresses)
      expect(await ask(email)).toMatchObject({
        status: 200,
        body: { detail: 'If an account has this e-mail address, a link was sent to it.' },
      })
    await sendAccountEmails(app)
    expect(await Promise.all(addresses.map(async (email) => (await lettersTo(app, email)).length))).toEqual([
      0, 1, 0,
    ])
  })
})

describe('POST /api/auth/email/verify/confirm/', () => {
  it('returns 400 for an unknown token, the token of a password reset, and a used one', async () => {
    const { email } = await app.user('used')
    expect(await confirm('unknown')).toMatchObject(invalid)
    await post('password/reset', { email })
    expect(await confirm(await linkTokenOf(app, email))).toMatchObject(invalid)
    await ask(email)
    const token = await linkTokenOf(app, email)
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await confirm(token)).toMatchObject(invalid)
  })

  it('verifies the address, and keeps a password that the person set after a proof of ownership', async () => {
    const user = await app.user('own', { password })
    await app.sql('update users set password_is_own = true where id = $1', [user.id])
    await ask(user.email)
    expect(await confirm(await linkTokenOf(app, user.email))).toMatchObject({
      status: 200,
      body: { email: 'own@example.org', has_password: true },
    })
    expect(await stateOf(user.id)).toEqual({
      email: 'own@example.org',
      verified: true,
      own: true,
      has_password: true,
    })
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).status).toBe(200)
  })

  it('removes a password that somebody else may have set, and ends the sign-ins that may have used it', async () => {
    const user = await app.user('planted', { password })
    await ask(user.email)
    expect(await confirm(await linkTokenOf(app, user.email), user.token)).toMatchObject({
      status: 200,
      body: { email: 'planted@example.org', has_password: false },
    })
    expect(await stateOf(user.id)).toMatchObject({ verified: true, has_password: false })
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).status).toBe(401)
    expect((await signIn('planted')).status).toBe(401)
  })
})
