/** New passwords that are easy to guess, at every endpoint that sets one. A5, ASVS 6.2. */
import { beforeAll, describe, expect, it } from 'vitest'
import commonest from '../../src/kernel/access/common-passwords.txt'
import { weaknessOf } from '../../src/kernel/access/new-passwords.ts'
import { newPassword } from '../../src/kernel/access/password-rule.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { linkTokenOf } from '../support/letters.ts'

let app: TestApp
let site: Site
const password = 'Correct-horse-1'
const common = {
  status: 400,
  body: {
    password: ['This is one of the 10,000 most common passwords.'],
  },
}
const ofAccount = {
  status: 400,
  body: {
    password: [
      "A password must not consist of the account's names or e-mail address, or of the site's name.",
    ],
  },
}

const post = (path: string, body: unknown, token?: string) =>
  app.request('POST', path, { body, ...(token ? { token } : {}) })

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'https://app.example.com' })
  site = await createSite(app, 'harbour')
})

describe('a password that is easy to guess', () => {
  it('is each of the 10,000 most common passwords, in any case', () => {
    const words = commonest.split('\n').filter(Boolean)
    expect(words).toHaveLength(10_000)
    const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
    const forms = words.flatMap((word) => [word, capital(word), word.toUpperCase()])
    expect(forms.filter((form) => newPassword.safeParse(form).success).length).toBeGreaterThan(100)
    expect(forms.filter((form) => weaknessOf(form, []) === undefined)).toEqual([])
  })

  it.each(['Gita-26', 'Almeida99!', 'Gita.Almeida1', 'GITAalmeida7', 'Harbour-1'])(
    'is one made of the words of the account: %s',
    (weak) =>
      expect(weaknessOf(weak, ['gita', 'gita.almeida@example.org', 'Gita', 'Almeida', 'harbour'])).toMatch(
        /names or e-mail address/,
      ),
  )

  it.each([
    password,
    'Gita sails to Harbour 9 on Fridays',
    'tR0ub4dor&3-and-more',
    'Ünïcode-passt-1',
    `A1${'😀'.repeat(62)}a`,
  ])('is not this one: %s', (good) =>
    expect(weaknessOf(good, ['gita', 'Almeida', 'harbour', 'x', ''])).toBeUndefined(),
  )
})

describe('a password that is easy to guess gets 400', () => {
  it('at POST and PATCH /api/users/, and no account is created', async () => {
    const body = { username: 'weakling', email: 'weakling@example.org', first_name: 'Gita' }
    const { token } = site.owner
    expect(await post('/api/users/', { ...body, password: 'Password1' }, token)).toMatchObject(common)
    expect(await post('/api/users/', { ...body, password: 'Weakling-1' }, token)).toMatchObject(ofAccount)
    expect(await app.sql(`select from users where username = 'weakling'`)).toEqual([])
    expect((await post('/api/users/', { ...body, password }, token)).status).toBe(201)
    const change = (secret: string) =>
      app.request('PATCH', '/api/users/weakling/', { token, body: { password: secret } })
    expect(await change('Liverpool1')).toMatchObject(common)
    expect(await change('GitaGita1')).toMatchObject(ofAccount)
  })

  it('when an invitation is accepted, and the invitation stays pending', async () => {
    const invited = await post(
      '/api/cloud/organizations/harbour-org/invitations/',
      { invitee_identifier: 'bramwellis@example.org' },
      site.owner.token,
    )
    const accept = (secret: string) =>
      post(`/api/cloud/invitations/${invited.body.uuid}/accept/`, {
        password: secret,
        first_name: 'Bram',
        last_name: 'Dube',
      })
    expect(await accept('Sunshine1')).toMatchObject(common)
    expect(await accept('Bramwellis-7')).toMatchObject(ofAccount)
    expect((await accept(password)).status).toBe(200)
  })

  it('when a password is changed or reset, and the link still works', async () => {
    const user = await app.user('chiomaa', { password })
    const change = (secret: string) =>
      post('/api/auth/password/change/', { current_password: password, password: secret }, user.token)
    expect(await change('Football1')).toMatchObject(common)
    expect(await change('Chiomaa-1')).toMatchObject(ofAccount)
    await post('/api/auth/password/reset/', { email: user.email })
    const token = await linkTokenOf(app, user.email)
    const reset = (secret: string) => post('/api/auth/password/reset/confirm/', { token, password: secret })
    expect(await reset('Football1')).toMatchObject(common)
    expect(await reset('Chiomaa-1')).toMatchObject(ofAccount)
    expect((await reset('Another-horse-2')).status).toBe(200)
  })
})
