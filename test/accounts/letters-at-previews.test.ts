/** E-mails about accounts at a paused preview: they go to their readers, and are in no mailbox of the site. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createSite, type Site, siteIdOf, startApp, type TestApp } from '../support/app.ts'
import { forgetSentLetters, lettersTo, sendAccountEmails } from '../support/letters.ts'
import { type HeldQueue, heldQueue } from '../support/queue.ts'

let app: TestApp
let preview: Site
let queue: HeldQueue
let count = 0

beforeAll(async () => {
  app = (await startApp()).with({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    RATE_LIMIT_SCALE: '100000',
  })
  queue = heldQueue()
  app.env.JOBS = queue.binding
  preview = await createSite(app, 'rehearsal')
  const { status } = await app.request('PATCH', '/api/cloud/sites/rehearsal/', {
    token: preview.owner.token,
    body: { environment: 'preview', paused: true, sign_up: 'open' },
  })
  expect(status).toBe(200)
})
beforeEach(() => forgetSentLetters(app))

/** What the managers of the preview see of its e-mails. */
async function mailbox(): Promise<unknown> {
  const { status, body } = await app.request('GET', `${preview.api}/mails/`, { token: preview.owner.token })
  expect(status).toBe(200)
  return body.results
}
async function expectSent(address: string, subject: RegExp): Promise<void> {
  await queue.drain(app.env)
  await sendAccountEmails(app)
  const [letter] = await lettersTo(app, address)
  expect(letter?.subject).toMatch(subject)
  expect(await mailbox()).toEqual([])
}

it.each([
  ['reset-password', /^Reset your password/],
  ['verify-email', /^Verify your e-mail address/],
  ['change-email', /^Confirm your new e-mail address/],
  ['account-created', /./],
  ['password-changed', /^Your password was changed/],
  ['email-changed', /^Your e-mail address was changed/],
  ['factors-changed', /./],
  ['provider-linked', /./],
  ['credentials-ended', /./],
  ['deletion-planned', /^Your account will be deleted/],
  ['account-deleted', /^Your account was deleted/],
] as const)('an e-mail of the kind %s goes to its reader alone', async (kind, subject) => {
  const user = await app.user(`reader-${++count}`)
  await app.sql('update users set email_verified_at = null where id = $1', [user.id])
  const recipient = kind === 'change-email' ? `new-${count}@example.org` : user.email
  await app.sql(
    `insert into account_emails (id, kind, recipient, user_id, site_id, organization_id)
     select gen_random_uuid(), $1, $2, $3, s.id, s.organization_id from sites s where s.id = $4`,
    [kind, recipient, user.id, siteIdOf(preview)],
  )
  await expectSent(recipient, subject)
})

it.each([
  ['a sign-up', async (): Promise<string> => 'fresh@example.org', /^Finish signing up|sign/i],
  [
    'a sign-up with the address of an account',
    async (): Promise<string> => (await app.user('known')).email,
    /^You already have/,
  ],
] as const)('the e-mail of %s goes to its reader alone', async (_what, addressOf, subject) => {
  const email = await addressOf()
  await app.sql('update users set last_login = now() where email = $1', [email])
  const body = { email, password: 'Quiet-otter-71' }
  expect((await app.request('POST', `${preview.api}/auth/sign-up/`, { body })).status).toBe(200)
  await expectSent(email, subject)
})

it('an invitation goes to its reader alone', async () => {
  const answer = await app.request('POST', '/api/cloud/organizations/rehearsal-org/invitations/', {
    token: preview.owner.token,
    body: {
      invitee_identifier: 'guest@example.org',
      invitation_config: { site: [{ slug: 'rehearsal', permissions: ['access_site'] }] },
    },
  })
  expect(answer.status).toBe(201)
  await expectSent('guest@example.org', /invited to join/)
})
