/**
 * When the e-mails of functions leave, and when not: budgets, stops, the site's own mail server, refused
 * accounts.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEventful, type Eventful } from '../support/events.ts'
import { forgetSentLetters, lettersTo } from '../support/letters.ts'
import { heldQueue } from '../support/queue.ts'

let one: Eventful
const jobs = heldQueue()
const readers = ['ada', 'bo', 'cy', 'dee', 'eve'] as const
const code = `export default async (params, { mail }) => {
  try { return await mail.send({ to: params.to, subject: 'Hello', text: 'One.', ...params.more }) }
  catch (error) { return [error.status, error.message] }
}`
const write = (to: string, more = {}) =>
  one.owner.post('/apps/shop/functions/writer/execute/', { params: { to, more } })
const mailsTo = async (to: string) => (await one.owner.get(`/mails/?search=${to}`)).body.results
const deliver = () => jobs.drain(one.app.env)
/** Lets the e-mails that wait be due, and delivers them. */
async function deliverAgain(): Promise<void> {
  await one.app.sql(`update tenant._mails set due_at = now() where state = 'waiting'`)
  for (const { id } of await one.app.sql<{ id: string }>(
    `select id from tenant._mails where state = 'waiting'`,
  ))
    await jobs.binding.send({ kind: 'send-mail', siteId: Number(one.shop.schema.slice(5)), id: Number(id) })
  await deliver()
}

beforeAll(async () => {
  one = await createEventful('sorting', { EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'https://app.example.com' })
  one.app.env.JOBS = jobs.binding
  for (const name of readers) {
    const { id } = await one.app.user(name)
    await one.app.sql('update users set email_verified_at = now() where id = $1', [id])
    await one.app.sql(
      `insert into site_guests (user_id, site_id, joined_at) select $1, id, now() from sites where slug = $2`,
      [id, one.shop.slug],
    )
  }
  await one.owner.post('/apps/shop/functions/', { name: 'writer', code })
})
beforeEach(() => forgetSentLetters(one.app))

describe('an e-mail of a function waits', () => {
  it('if the organization has sent enough for a day, and leaves when it may send again', async () => {
    await one.app.sql(
      `insert into letters (reference, kind, mailbox, organization_id)
       select 'x' || n, 'caused', 'somebody@example.org', s.organization_id
         from sites s, generate_series(1, 200) n where s.slug = $1`,
      [one.shop.slug],
    )
    await write('ada@example.org')
    await deliver()
    expect(await lettersTo(one.app, 'ada@example.org')).toEqual([])
    expect(await mailsTo('ada@example.org')).toMatchObject([
      { state: 'waiting', reason: 'The organization has sent enough e-mails for a day.' },
    ])
    await one.app.sql(`update letters set admitted_at = now() - interval '25 hours'`)
    await deliverAgain()
    expect(await lettersTo(one.app, 'ada@example.org')).toHaveLength(1)
    expect(await mailsTo('ada@example.org')).toMatchObject([{ state: 'sent', reason: null }])
  })

  it('if the site has reached its limit of e-mails', async () => {
    const limit = (exceeded: string) =>
      one.app.sql(`update sites set exceeded = ${exceeded} where slug = $1`, [one.shop.slug])
    await write('bo@example.org')
    await limit(`jsonb_build_object('emails', jsonb_build_object(
      'month', date_trunc('month', now() at time zone 'UTC')::date))`)
    await deliver()
    expect(await mailsTo('bo@example.org')).toMatchObject([
      { state: 'waiting', reason: 'The site has reached its limit of e-mails.' },
    ])
    await limit('null')
    await deliverAgain()
    expect(await lettersTo(one.app, 'bo@example.org')).toHaveLength(1)
  })
})

describe('one click in a mail program', () => {
  it('stops the e-mails of the functions of the organization to that address', async () => {
    await write('cy@example.org')
    await deliver()
    const [letter] = await lettersTo(one.app, 'cy@example.org')
    const [stop = ''] = /\/accounts\/emails\/stop\/\?token=[\w.-]+/.exec(letter?.text ?? '') ?? []
    const clicked = await one.app.request('POST', stop, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(clicked.status).toBe(200)
    await write('cy@example.org')
    await deliver()
    expect(await lettersTo(one.app, 'cy@example.org')).toHaveLength(1)
    expect(await mailsTo('cy@example.org')).toMatchObject([
      { state: 'waiting', reason: 'The reader takes no more e-mails of the organization for now.' },
      { state: 'sent' },
    ])
    await write('dee@example.org')
    await deliver()
    expect(await lettersTo(one.app, 'dee@example.org')).toHaveLength(1)
  })
})

describe('the secret MAIL of a site', () => {
  it('allows html and reply_to, and nothing leaves by the service in its place', async () => {
    const rich = { html: '<p>One.</p>', reply_to: 'desk@example.org' }
    expect((await write('eve@example.org', rich)).body.data).toEqual([422, expect.stringContaining('"html"')])
    const value = { host: 'localhost', port: 465, username: 'post@example.org', password: 'x', use_tls: true }
    const made = await one.owner.post('/secrets/', { secret_type: 'smtp-credentials', key: 'MAIL', value })
    expect(made.status).toBe(201)
    expect((await write('eve@example.org', rich)).body.data).toEqual({ number: 1 })
    await deliver()
    expect(await lettersTo(one.app, 'eve@example.org')).toEqual([])
    expect(await mailsTo('eve@example.org')).toMatchObject([
      { state: 'waiting', html: '<p>One.</p>', reply_to: 'desk@example.org', reason: expect.any(String) },
    ])
    await one.owner.delete('/secrets/MAIL/')
  })
})

describe('an e-mail of a function that an account waits for', () => {
  it('does not leave if another function refuses the account, and leaves if none does', async () => {
    const create = (username: string) =>
      one.app.request('POST', `${one.shop.api}/users/`, {
        token: one.shop.owner.token,
        body: { username, email: `${username}@example.net`, password: 'Quiet-otter-71' },
      })
    const welcome = await one.listener('welcome', ['PRE_USER_CREATE'], {
      code: `export default ({ email }, { mail }) => mail.send({ to: email, subject: 'Welcome', text: 'Hello.' })`,
    })
    const gate = await one.listener('gate', ['PRE_USER_CREATE'], {
      code: `export default () => { throw new Error('closed') }`,
    })
    expect((await create('gus')).status).toBe(400)
    expect(await mailsTo('gus@example.net')).toEqual([])
    expect((await one.runs('welcome')).map(({ status }) => status)).toEqual(['SUCCESS'])
    await one.unsubscribe('PRE_USER_CREATE', gate)
    expect((await create('hal')).status).toBe(201)
    expect(await mailsTo('hal@example.net')).toMatchObject([{ function_slug: 'welcome', subject: 'Welcome' }])
    await one.unsubscribe('PRE_USER_CREATE', welcome)
  })
})
