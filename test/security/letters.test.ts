/** E-mails that strangers cause: what they say, how many arrive, and how their reader stops them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { invitationCode, lettersTo, linkTokenOf, sendAccountEmail } from '../support/letters.ts'
import { createDirectory, schemas } from '../support/scim.ts'

let app: TestApp
let site: Site
let other: Site

beforeAll(async () => {
  app = (await startApp()).with({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    RATE_LIMIT_SCALE: '1000',
  })
  site = await createSite(app, 'evil')
  other = await createSite(app, 'harmless')
})

/** Invites an address, and sends the e-mail. */
async function invite(address: string, of = site, by = app) {
  const path = `/api/cloud/organizations/${of.slug}-org/invitations/`
  const body = { invitee_identifier: address }
  const made = await app.request('POST', path, { token: of.owner.token, body })
  expect(made.status).toBe(201)
  await invitationCode(by, made.body)
  return made.body
}
const nameOrganization = (name: string) =>
  app.sql(`update organizations set name = $1 where slug = 'evil-org'`, [name])
/** Returns the path of the page that stops the e-mails of the newest letter's sender. */
const stopPathIn = (text: string) => /\/accounts\/emails\/stop\/\?token=[\w.-]+/.exec(text)?.[0] as string
const openPage = (path: string, method = 'GET', form?: Record<string, string>) =>
  app.request(method, path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...(form && { body: new URLSearchParams(form).toString() }),
  })

describe('the name of a stranger’s organization', () => {
  it.each(['evil.example/x', 'Pay at a@b.c', 'www.evil.test', 'evil。example', 'Bank\u202e\r\nevil.example'])(
    '%j is replaced by its slug in the e-mail of an invitation',
    async (name) => {
      await nameOrganization(name)
      await app.sql('update users set first_name = $1 where id = $2', [name, site.owner.id])
      const address = `${crypto.randomUUID()}@example.net`
      await invite(address)
      const [letter] = await lettersTo(app, address)
      expect(letter?.subject).toBe("You're invited to join evil-org")
      expect(letter?.text).toContain('\n\nYou have been invited to join evil-org.\n\n')
      expect(`${letter?.text}${letter?.html}`).not.toMatch(/evil\.|evil。|a@b|Bank/)
    },
  )

  it('stays without a link, and the e-mail says which organization had it sent', async () => {
    await nameOrganization('Evil & Sons')
    await app.sql('update users set first_name = $1 where id = $2', ['Ada', site.owner.id])
    await invite('plain@example.net')
    const [letter] = await lettersTo(app, 'plain@example.net')
    expect(letter?.subject).toBe("You're invited to join Evil & Sons")
    expect(letter?.text).toContain('Ada has invited you to join Evil & Sons.')
    expect(letter?.text).toMatch(
      /\n\nThe organization Evil & Sons \(evil-org\) had this e-mail sent to you\. [^\n]+:\n\S+\/stop\/\?token=\S+$/,
    )
  })
})

describe('e-mails that strangers cause', () => {
  it('are counted by mailbox over all callers, and dropped without telling anybody', async () => {
    const organizations = await Promise.all(
      ['one', 'two', 'three', 'four', 'five'].map((name) => createSite(app, `crowd-${name}`)),
    )
    const plus = (index: number) => (index === 0 ? 'Victim@example.net' : `victim+${index}@example.net`)
    for (const of of organizations) await Promise.all([0, 1, 2, 3, 4].map((index) => invite(plus(index), of)))
    const letters = await Promise.all([0, 1, 2, 3, 4].map((index) => lettersTo(app, plus(index))))
    expect(letters.flat()).toHaveLength(5)
    const states = await app.sql<{ mail: string; count: number }>(
      `select mail, count(*)::int as count from invitations where invitee_identifier ilike 'victim%'
        group by mail order by mail`,
    )
    expect(states).toEqual([
      { mail: 'dropped', count: 20 },
      { mail: 'sent', count: 5 },
    ])
  })

  it('do not use up those that the person asks for', async () => {
    await app.user('wanting')
    for (let count = 0; count < 7; count++) await invite(`wanting+${count}@example.org`)
    await app.request('POST', '/api/auth/password/reset/', { body: { email: 'wanting@example.org' } })
    expect(await linkTokenOf(app, 'wanting@example.org')).toEqual(expect.any(String))
  })

  it('wait if the organization has sent its e-mails of the day, and are not lost', async () => {
    const of = await createSite(app, 'busy')
    const poor = app.with({ EMAILS_CAUSED_PER_DAY: '2' })
    for (const name of ['a', 'b', 'c']) await invite(`budget-${name}@example.net`, of, poor)
    const state = async () =>
      (
        await app.sql<{ mail: string; waits: boolean }>(
          `select mail, mail_wanted_at > now() + interval '50 minutes' as waits from invitations
            where invitee_identifier = 'budget-c@example.net'`,
        )
      )[0]
    expect(await lettersTo(app, 'budget-b@example.net')).toHaveLength(1)
    expect([await lettersTo(app, 'budget-c@example.net'), await state()]).toEqual([
      [],
      { mail: 'wanted', waits: true },
    ])
    await app.sql(`update letters set admitted_at = now() - interval '25 hours'`)
    const [invitation] = await app.sql<{ id: number; invitee_identifier: string }>(
      `select id, invitee_identifier from invitations where invitee_identifier = 'budget-c@example.net'`,
    )
    await invitationCode(poor, invitation as { id: number; invitee_identifier: string })
    expect(await lettersTo(app, 'budget-c@example.net')).toHaveLength(1)
  })
})

describe('the link that stops the e-mails of an organization', () => {
  it('is 404 if the service has not made it', async () => {
    for (const token of ['', 'x', 'v1.AAAAAAAAAAAAAAAA.AAAA'])
      expect((await openPage(`/accounts/emails/stop/?token=${token}`, 'POST', {})).status).toBe(404)
  })

  it('stops them for the mailbox, after a click on the page and without an account', async () => {
    await invite('quiet@example.net')
    const stop = stopPathIn((await lettersTo(app, 'quiet@example.net'))[0]?.text ?? '')
    expect(await openPage(stop)).toMatchObject({ status: 200, text: expect.stringContaining('evil-org') })
    await invite('quiet@example.net')
    expect(await lettersTo(app, 'quiet@example.net')).toHaveLength(2)
    expect((await openPage(stop, 'POST', {})).text).toContain('You get no more of these e-mails.')
    await invite('quiet@example.net')
    await invite('Quiet+news@example.net')
    await invite('quiet@example.net', other)
    expect(await lettersTo(app, 'quiet@example.net')).toHaveLength(3)
    expect(await lettersTo(app, 'quiet+news@example.net')).toEqual([])
    expect((await openPage(stop, 'POST', { allow: 'yes' })).text).toContain('Stop these e-mails')
    await invite('quiet@example.net')
    expect(await lettersTo(app, 'quiet@example.net')).toHaveLength(4)
  })

  it('works with one click in a mail program', async () => {
    await invite('click@example.net')
    const stop = stopPathIn((await lettersTo(app, 'click@example.net'))[0]?.text ?? '')
    expect((await openPage(stop, 'POST', { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
    await invite('click@example.net')
    expect(await lettersTo(app, 'click@example.net')).toHaveLength(1)
  })

  it('is in the e-mail about an account that a directory has made', async () => {
    const directory = await createDirectory(app, other)
    const userName = 'made@example.net'
    await directory.call('POST', '/Users', { schemas: schemas.user, userName })
    expect(await linkTokenOf(app, userName)).toEqual(expect.any(String))
    const [letter] = await lettersTo(app, userName)
    expect(letter?.text).toContain('(harmless-org) had this e-mail sent to you.')
    expect(stopPathIn(letter?.text ?? '')).toEqual(expect.any(String))
  })
})

describe('notices of changes', () => {
  it('are never dropped: many of a kind are sent as one', async () => {
    const { id } = await app.user('noticed')
    const recipient = 'noticed@example.org'
    const notices = Array.from({ length: 14 }, () => crypto.randomUUID())
    for (const notice of notices) {
      await app.sql(
        `insert into account_emails (id, kind, recipient, user_id) values ($1, 'factors-changed', $2, $3)`,
        [notice, recipient, id],
      )
      await sendAccountEmail(app, notice)
    }
    expect(await lettersTo(app, recipient)).toHaveLength(10)
    const waiting = () =>
      app.sql<{ id: string }>(
        `select id from account_emails where recipient = $1 and sent_at is null and expires_at > now()`,
        [recipient],
      )
    expect(await waiting()).toHaveLength(4)
    await app.sql(`update letters set admitted_at = now() - interval '2 hours'`)
    await sendAccountEmail(app, notices[13] as string)
    expect([await lettersTo(app, recipient), await waiting()]).toEqual([
      Array.from({ length: 11 }, () => expect.anything()),
      [],
    ])
  })
})
