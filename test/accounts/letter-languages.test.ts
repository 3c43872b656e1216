/** The language of the e-mails to an account. docs/guide/accounts.md. */
import { beforeAll, expect, it } from 'vitest'
import { runScheduledTasks } from '../../src/schedule.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { password } from '../support/factors.ts'
import { lettersTo } from '../support/letters.ts'
import { type HeldQueue, heldQueue } from '../support/queue.ts'

let app: TestApp
let site: Site
let queue: HeldQueue

beforeAll(async () => {
  app = (await startApp()).with({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'http://localhost',
    RATE_LIMIT_SCALE: '1000',
  })
  queue = heldQueue()
  app.env.JOBS = queue.binding
  site = await createSite(app, 'harbour')
  await app.request('PATCH', '/api/cloud/sites/harbour/', {
    token: site.owner.token,
    body: { sign_up: 'open' },
  })
})

/** Sends a request with an Accept-Language header, and then the e-mails that it causes. */
async function send(
  method: string,
  path: string,
  { language, ...more }: { language?: string; token?: string; body?: unknown },
) {
  const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language }
  const answer = await app.request(method, path, { ...more, headers })
  await queue.drain(app.env)
  return answer
}
const letterTo = async (address: string) => (await lettersTo(app, address))[0]
const subjectTo = async (address: string) => (await letterTo(address))?.subject
const prefer = (user: User, language: string) =>
  app.sql('update users set preferred_language = $1 where id = $2', [language, user.id])
const reset = (email: string, language?: string) =>
  send('POST', '/api/auth/password/reset/', { body: { email }, ...(language ? { language } : {}) })

it('the language of an e-mail is English by default, and if the preferred one is not supported', async () => {
  await app.user('plain')
  await reset('plain@example.org')
  expect(await subjectTo('plain@example.org')).toBe('Reset your password')
  const french = await app.user('french')
  await prefer(french, 'fr')
  await reset('french@example.org', 'nl, it;q=0.5')
  expect(await subjectTo('french@example.org')).toBe('Reset your password')
})

it('the language of an e-mail is that of the request, also if the account prefers an unsupported one', async () => {
  await app.user('visitor')
  await reset('visitor@example.org', 'de-CH, en;q=0.5')
  const letter = await letterTo('visitor@example.org')
  expect(letter?.subject).toBe('Setzen Sie Ihr Passwort zurück')
  expect(letter?.text).toMatch(
    /^Guten Tag,\n\njemand möchte das Passwort Ihres Kontos visitor zurücksetzen\./,
  )
  expect(letter?.html).toContain('<html lang="de">')
  const french = await app.user('guest')
  await prefer(french, 'fr')
  await reset('guest@example.org', 'de')
  expect(await subjectTo('guest@example.org')).toBe('Setzen Sie Ihr Passwort zurück')
})

it('the language of an e-mail is the one that the account prefers, whatever the request says', async () => {
  const german = await app.user('german', { password })
  await prefer(german, 'de-DE')
  await reset('german@example.org', 'en')
  expect(await subjectTo('german@example.org')).toBe('Setzen Sie Ihr Passwort zurück')
  const english = await app.user('english')
  await prefer(english, 'en-GB')
  await reset('english@example.org', 'de')
  const letter = await letterTo('english@example.org')
  expect(letter?.subject).toBe('Reset your password')
  expect(letter?.html).toContain('<html lang="en">')
})

it('notices and the e-mail about a deleted account are in German for a German request', async () => {
  const user = await app.user('leaver', { password })
  const body = { current_password: password, password: 'Quiet-otter-71' }
  const changed = await send('POST', '/api/auth/password/change/', {
    language: 'de',
    token: user.token,
    body,
  })
  expect(await subjectTo(user.email)).toBe('Ihr Passwort wurde geändert')
  const token = changed.body.access
  const about = { token, body: { preferred_language: 'de' } }
  expect((await send('PATCH', '/api/users/me/', about)).status).toBe(200)
  expect((await send('DELETE', '/api/users/me/', { token })).status).toBe(200)
  expect(await subjectTo(user.email)).toBe('Ihr Konto wird gelöscht')
  await app.sql(`update users set deletes_at = now() - interval '1 minute' where id = $1`, [user.id])
  const other = await app.user('other-leaver')
  await app.sql(`update users set deletes_at = now() - interval '1 minute' where id = $1`, [other.id])
  await runScheduledTasks(app.env)
  await queue.drain(app.env)
  expect([await subjectTo(user.email), await subjectTo(other.email)]).toEqual([
    'Ihr Konto wurde gelöscht',
    'Your account was deleted',
  ])
})

it('sign-up e-mails are in German with the name of the site in the subject, also for an address with an account', async () => {
  await app.request('PATCH', '/api/cloud/sites/harbour/', {
    token: site.owner.token,
    body: { branding: { name: 'Hafen' } },
  })
  const known = await app.user('known')
  await app.sql('update users set last_login = now() where id = $1', [known.id])
  await prefer(known, 'en')
  for (const email of ['new@example.org', known.email])
    await send('POST', `${site.api}/auth/sign-up/`, {
      language: 'de',
      body: { email, password: 'Quiet-otter-71' },
    })
  expect([await subjectTo('new@example.org'), await subjectTo(known.email)]).toEqual([
    'Schließen Sie Ihre Registrierung ab – Hafen',
    'You already have an account – Hafen',
  ])
})

it('the language of an invitation is that of the inviter, unless the invited account prefers another', async () => {
  const path = '/api/cloud/organizations/harbour-org/invitations/'
  const invite = (invitee_identifier: string, language: string) =>
    send('POST', path, { language, token: site.owner.token, body: { invitee_identifier } })
  const known = await app.user('invited')
  await prefer(known, 'en')
  expect((await invite('fresh@example.org', 'de')).status).toBe(201)
  expect((await invite(known.email, 'de')).status).toBe(201)
  expect([await subjectTo('fresh@example.org'), await subjectTo(known.email)]).toEqual([
    'Einladung zu harbour org',
    "You're invited to join harbour org",
  ])
})

it('codes use the language of the request; e-mails that the schedule sends use English', async () => {
  const user = await app.user('coded')
  await app.sql(
    `insert into confirmations (id, site_id, user_id, social_app_id, issuer, subject, expires_at)
     select $1, id, $2, 1, 'i', 's', now() + interval '10 minutes' from sites where slug = 'harbour'`,
    ['5e0e4ec6-9c4f-4b9e-8f0e-000000000001', user.id],
  )
  await queue.binding.send({
    kind: 'send-code',
    confirmation: '5e0e4ec6-9c4f-4b9e-8f0e-000000000001',
    language: 'de',
  })
  await queue.drain(app.env)
  expect(await subjectTo(user.email)).toMatch(/^Ihr Code für harbour: \d{8}$/)
  queue.lose = true
  await reset(user.email, 'de')
  queue.lose = false
  await app.sql(`update account_emails set wanted_at = now() - interval '10 minutes' where recipient = $1`, [
    user.email,
  ])
  await runScheduledTasks(app.env)
  await queue.drain(app.env)
  expect(await subjectTo(user.email)).toBe('Reset your password')
})
