/** The e-mails of functions: kept with a run that succeeds, sent once, and never by a paused site. */
import { createMessageBatch } from 'cloudflare:test'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import worker from '../../src/worker.ts'
import { createEventful, type Eventful } from '../support/events.ts'
import { forgetSentLetters, lettersTo } from '../support/letters.ts'
import { heldQueue } from '../support/queue.ts'

let one: Eventful
const jobs = heldQueue()
const sending = (mail: string, rest = '') =>
  `export default async (params, { mail, attempt }) => { const sent = await mail.send(${mail}); ${rest}; return sent }`
const hello = `{ to: params.to, subject: 'Hello', text: 'One.\\n\\nTwo.' }`
let made = 0
const make = async (code: string) => {
  const slug = `f${++made}`
  const { status, body } = await one.owner.post('/apps/shop/functions/', { name: slug, code })
  expect([status, body.slug]).toEqual([201, slug])
  return slug
}
const run = (slug: string, params: object = {}) =>
  one.owner.post(`/apps/shop/functions/${slug}/execute/`, { params })
const mails = async (query = '') => (await one.owner.get(`/mails/?${query}`)).body.results
const deliver = () => jobs.drain(one.app.env)

beforeAll(async () => {
  one = await createEventful('postroom', {
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
  })
  one.app.env.JOBS = jobs.binding
})
beforeEach(async () => {
  await forgetSentLetters(one.app)
})

describe('an e-mail is refused in the function', () => {
  it.each([
    ['without a text', `{ to: 'a@example.org', subject: 'x' }`, '"text" is missing.'],
    [
      'for several addresses',
      `{ to: 'a@x.org, b@x.org', subject: 'x', text: 'y' }`,
      '"to" is not one e-mail address.',
    ],
    [
      'with an unknown member',
      `{ to: 'a@x.org', subject: 'x', text: 'y', cc: 'b@x.org' }`,
      'unknown member "cc"',
    ],
    [
      'with HTML of the service',
      `{ to: 'a@x.org', subject: 'x', text: 'y', html: '<p>' }`,
      '"html" needs a mail server',
    ],
    [
      'with a reply address of the service',
      `{ to: 'a@x.org', subject: 'x', text: 'y', reply_to: 'b@x.org' }`,
      '"reply_to" needs',
    ],
  ])('%s', async (_what, mail, problem) => {
    const slug = await make(
      `export default async (_, { mail }) => {
        try { await mail.send(${mail}) } catch (error) { return [error.status, error.message] }
      }`,
    )
    expect((await run(slug)).body.data).toEqual([422, expect.stringContaining(problem)])
    expect(await mails(`function_slug=${slug}`)).toEqual([])
  })
})

describe('an e-mail of a function', () => {
  it('leaves when the run has succeeded, in the frame of the service, with a link to stop it', async () => {
    const slug = await make(sending(hello))
    expect((await run(slug, { to: 'ada@example.org' })).body.data).toEqual({ number: 1 })
    expect(await mails(`function_slug=${slug}`)).toEqual([
      {
        id: expect.any(Number),
        invocation: expect.any(Number),
        number: 1,
        function_slug: slug,
        app: 'shop',
        to: 'ada@example.org',
        subject: 'Hello',
        text: 'One.\n\nTwo.',
        html: null,
        reply_to: null,
        state: 'waiting',
        reason: null,
        created_at: expect.any(String),
        sent_at: null,
      },
    ])
    await deliver()
    const [letter] = await lettersTo(one.app, 'ada@example.org')
    expect(letter?.subject).toBe('Hello – postroom')
    expect(letter?.text).toMatch(/^postroom\n\nOne\.\n\nTwo\.\n\n--\nThe application of postroom has written/)
    expect(letter?.text).toMatch(/https:\/\/app\.example\.com\/accounts\/emails\/stop\/\?token=/)
    expect(await mails(`function_slug=${slug}`)).toMatchObject([
      { state: 'sent', sent_at: expect.any(String) },
    ])
  })

  it('does not leave a run that fails, and leaves once however often the run and the message come', async () => {
    const failing = await make(sending(hello, `throw new Error('no')`))
    await run(failing, { to: 'bo@example.org' })
    expect(await mails(`function_slug=${failing}`)).toEqual([])
    const id = await one.listener('second-try', ['RECORD_CREATE'], {
      code: sending(
        `{ to: 'cy@example.org', subject: 'Try', text: 'x' }`,
        `if (attempt < 2) throw new Error('again')`,
      ),
    })
    await one.owner.post('/apps/shop/datatables/makers/data/', [{ id: 1, name: 'Anker' }])
    await one.queue.drain(one.app.env)
    await one.app.sql(`update tenant._invocations set due_at = now() where status = 'RETRY'`)
    await one.queue.drain(one.app.env, { copies: 2, delayMax: 60 })
    expect(await mails('function_slug=second-try')).toHaveLength(1)
    const [{ id: mail }] = await mails('function_slug=second-try')
    const body = { kind: 'send-mail', siteId: Number(one.shop.schema.slice('site_'.length)), id: mail }
    for (let time = 0; time < 3; time++)
      await worker.queue(
        createMessageBatch('tessera-jobs', [{ id: `${time}`, timestamp: new Date(), attempts: 1, body }]),
        one.app.env,
      )
    await deliver()
    expect(await lettersTo(one.app, 'cy@example.org')).toHaveLength(1)
    await one.unsubscribe('RECORD_CREATE', id)
  })

  it('is dropped for a reader who has stopped the e-mails of the organization', async () => {
    const slug = await make(sending(hello))
    await one.app.sql(
      `insert into letter_stops (organization_id, mailbox)
       select organization_id, public.mailbox_of('dee@example.org') from sites where slug = $1`,
      [one.shop.slug],
    )
    await run(slug, { to: 'dee@example.org' })
    await deliver()
    expect(await lettersTo(one.app, 'dee@example.org')).toEqual([])
    expect(await mails(`function_slug=${slug}`)).toMatchObject([
      { state: 'dropped', reason: 'The reader wants no e-mails of the organization.' },
    ])
  })

  it('is dropped for an address that got five within an hour', async () => {
    const slug = await make(
      `export default async ({ to }, { mail }) => {
        for (let n = 1; n <= 7; n++) await mail.send({ to, subject: 'No. ' + n, text: 'x' })
      }`,
    )
    await run(slug, { to: 'eve@example.org' })
    await deliver()
    expect(await lettersTo(one.app, 'eve@example.org')).toHaveLength(5)
    expect(await mails(`function_slug=${slug}&state=dropped`)).toMatchObject([
      { reason: 'The address has got enough e-mails for now.' },
      { reason: 'The address has got enough e-mails for now.' },
    ])
  })

  it('cannot name a host in its subject', async () => {
    const slug = await make(sending(`{ to: 'fay@example.org', subject: 'Visit bank.example', text: 'x' }`))
    await run(slug)
    await deliver()
    expect((await lettersTo(one.app, 'fay@example.org'))[0]?.subject).toBe('postroom – postroom')
  })

  it('is read by managers of its own site alone: 401 and 403', async () => {
    expect((await one.app.request('GET', `${one.shop.api}/mails/`)).status).toBe(401)
    const stranger = await one.app.user('stranger')
    const answer = await one.app.request('GET', `${one.shop.api}/mails/`, { token: stranger.token })
    expect(answer.status).toBe(403)
  })
})

describe('a paused site', () => {
  it('keeps the e-mails of its functions instead of sending them, and never sends them later', async () => {
    const pause = (paused: boolean) =>
      one.app.request('PATCH', `/api/cloud/sites/${one.shop.slug}/`, {
        token: one.shop.owner.token,
        body: { paused },
      })
    await pause(true)
    const slug = await make(sending(hello))
    await run(slug, { to: 'gil@example.org' })
    await deliver()
    expect(await mails(`function_slug=${slug}`)).toMatchObject([{ state: 'kept', sent_at: null }])
    await pause(false)
    await deliver()
    expect(await lettersTo(one.app, 'gil@example.org')).toEqual([])
  })
})
